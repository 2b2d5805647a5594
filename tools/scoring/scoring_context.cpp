#include "scoring/scoring_context.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "machine/machine.h"

namespace vmaf::tool {
namespace {

/// Number of threads of each of `count` sessions.
unsigned cpu_threads(const SessionPlan &plan, unsigned count)
{
    return plan.has_work ? std::max(1U, available_cores() / count) : 0;
}

/// Models keep off the GPU if gpumask is not 0, and not all that they need runs on Vulkan. What the
/// GPU does needs no worker.
unsigned gpu_threads(const SessionPlan &plan, unsigned count, const GpuState &gpu)
{
    return plan.options.gpumask == 0 && gpu.cuda ? 0 : cpu_threads(plan, count);
}

} // namespace

ScoringContext::ScoringContext(const SessionPlan &plan, unsigned threads)
{
    const SessionOptions &options = plan.options;
    VmafContext *raw = nullptr;
    if (vmaf_init(&raw, {VMAF_LOG_LEVEL_INFO, threads, plan.subsample, options.cpumask, options.gpumask}) != 0)
        throw Failure(kExitSetup, "problem initializing VMAF context");
    context_.reset(raw);
}

int ScoringContext::use_gpu(Gpu gpu, const VideoFormat &format)
{
    gpu_ = std::move(gpu);
    if (const int error = gpu_->import_into(context_.get()))
        return error;
    return pictures().allocate(format);
}

/// Empty if it cannot be used.
std::optional<ScoringContext> ScoringContext::open_on_gpu(const SessionPlan &plan, const VideoFormat &format,
                                                          unsigned count)
{
    Gpu gpu;
    std::optional<ScoringContext> context;
    int error = find_gpu(plan.options.gpu, gpu);
    if (error == 0) {
        context = ScoringContext(plan, plan.options.threads.value_or(gpu_threads(plan, count, *gpu)));
        error = context->use_gpu(std::move(gpu), format);
    }
    if (error == 0)
        return context;
    const bool there_is_none = error == -ENODEV || error == -ENOSYS;
    if (plan.options.gpu.use == GpuUse::demanded)
        throw Failure(kExitSetup, gpu_reason(error));
    if (!there_is_none)
        say("{}: scoring runs on the CPU\n", gpu_reason(error));
    return std::nullopt;
}

ScoringContext ScoringContext::open_on_cpu(const SessionPlan &plan, const VideoFormat &format, unsigned count)
{
    ScoringContext context(plan, plan.options.threads.value_or(cpu_threads(plan, count)));
    if (context.pictures().allocate(format) != 0)
        throw Failure(kExitSetup, formatted("problem allocating {} pictures of {}x{}", kPoolPictures, format.width_px,
                                            format.height_px));
    return context;
}

std::vector<ScoringContext> ScoringContext::open(const SessionPlan &plan, std::span<const VideoFormat> formats,
                                                 std::span<const Gpu> gpus)
{
    const auto sessions = static_cast<unsigned>(formats.size());
    std::vector<ScoringContext> contexts;
    std::vector<Gpu> places(gpus.begin(), gpus.end());
    if (places.empty() && plan.options.gpu.use != GpuUse::none)
        if (auto first = open_on_gpu(plan, formats.front(), sessions)) {
            // All contexts use the device of the first one.
            places.push_back(first->gpu_);
            contexts.push_back(std::move(*first));
        }
    for (const VideoFormat &format : formats.subspan(contexts.size())) {
        if (places.empty()) {
            contexts.push_back(open_on_cpu(plan, format, sessions));
            continue;
        }
        const Gpu &gpu = places[contexts.size() % places.size()];
        ScoringContext context(plan, plan.options.threads.value_or(gpu_threads(plan, sessions, *gpu)));
        if (const int error = context.use_gpu(gpu, format))
            throw Failure(kExitSetup, gpu_reason(error));
        contexts.push_back(std::move(context));
    }
    return contexts;
}

ScoringContext ScoringContext::open_for_merging(const SessionPlan &plan)
{
    return {plan, 0};
}

std::size_t ScoringContext::gpu_count(std::span<const ScoringContext> contexts)
{
    std::set<Gpu> gpus;
    for (const ScoringContext &context : contexts)
        gpus.insert(context.gpu_);
    return gpus.size() - gpus.count(nullptr);
}

std::vector<SessionPictures> pictures_of(std::span<const ScoringContext> contexts)
{
    std::vector<SessionPictures> pictures;
    for (const ScoringContext &context : contexts)
        pictures.push_back(context.pictures());
    return pictures;
}

} // namespace vmaf::tool
