#include "scoring/scoring_context.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "machine/available_cores.h"
#include "scoring/gpu_probe.h"

namespace vmaf::tool {
namespace {

/// Of each of `count` sessions.
unsigned cpu_threads(const Options &options, unsigned count)
{
    const bool nothing_to_do = options.selection.models.empty() && options.selection.features.empty();
    return nothing_to_do ? 0 : std::max(1U, available_cores() / count);
}

/// Models keep off the GPU if gpumask is not 0. What the GPU does needs no worker.
unsigned gpu_threads(const Options &options, unsigned count)
{
    return options.gpumask == 0 ? 0 : cpu_threads(options, count);
}

} // namespace

ScoringContext::ScoringContext(const Options &options, unsigned threads)
{
    VmafContext *raw = nullptr;
    const VmafConfiguration config{VMAF_LOG_LEVEL_INFO, options.threads.value_or(threads), options.subsample,
                                   options.cpumask, options.gpumask};
    if (vmaf_init(&raw, config) != 0)
        throw Failure(kExitSetup, "problem initializing VMAF context");
    context_.reset(raw);
}

int ScoringContext::use_gpu(Gpu gpu, const VideoFormat &format)
{
    gpu_ = std::move(gpu);
    if (const int error = vmaf_cuda_import_state(context_.get(), gpu_.get()))
        return error;
    const VmafCudaPictureConfiguration pictures{{format.width_px, format.height_px, format.depth, format.pix_fmt},
                                                VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED};
    return vmaf_cuda_preallocate_pictures(context_.get(), pictures);
}

/// Empty if it cannot be used.
std::optional<ScoringContext> ScoringContext::open_on_gpu(const Options &options, const VideoFormat &format,
                                                          unsigned count)
{
    Gpu gpu;
    std::optional<ScoringContext> context;
    int error = find_gpu(options.gpu.use, gpu);
    if (error == 0) {
        context = ScoringContext(options, gpu_threads(options, count));
        error = context->use_gpu(std::move(gpu), format);
    }
    if (error == 0)
        return context;
    const bool there_is_none = error == -ENODEV || error == -ENOSYS;
    if (options.gpu.use == GpuUse::demanded)
        throw Failure(kExitSetup, gpu_reason(error));
    if (!there_is_none)
        say("{}: scoring runs on the CPU\n", gpu_reason(error));
    return std::nullopt;
}

std::vector<ScoringContext> ScoringContext::open(const Options &options, const VideoFormat &format, std::size_t count,
                                                 std::span<const Gpu> gpus)
{
    const auto sessions = static_cast<unsigned>(count);
    std::vector<ScoringContext> contexts;
    std::vector<Gpu> places(gpus.begin(), gpus.end());
    if (places.empty()) {
        contexts.push_back(open_one(options, format, sessions));
        // Where the first one found its device, or none, the others go too.
        if (contexts.front().uses_gpu())
            places.push_back(contexts.front().gpu_);
    }
    Options on_cpu = options;
    on_cpu.gpu.use = GpuUse::none;
    while (contexts.size() < count) {
        if (places.empty()) {
            contexts.push_back(open_one(on_cpu, format, sessions));
            continue;
        }
        ScoringContext context(options, gpu_threads(options, sessions));
        if (const int error = context.use_gpu(places[contexts.size() % places.size()], format))
            throw Failure(kExitSetup, gpu_reason(error));
        contexts.push_back(std::move(context));
    }
    return contexts;
}

ScoringContext ScoringContext::open_for_merging(const Options &options)
{
    Options without_threads = options;
    without_threads.threads = 0;
    return {without_threads, 0};
}

std::size_t ScoringContext::gpu_count(std::span<const ScoringContext> contexts)
{
    std::set<Gpu> gpus;
    for (const ScoringContext &context : contexts)
        gpus.insert(context.gpu_);
    return gpus.size() - gpus.count(nullptr);
}

ScoringContext ScoringContext::open_one(const Options &options, const VideoFormat &format, unsigned count)
{
    if (options.gpu.use != GpuUse::none)
        if (auto context = open_on_gpu(options, format, count))
            return std::move(*context);
    ScoringContext context(options, cpu_threads(options, count));
    const VmafPictureConfiguration pictures{{format.width_px, format.height_px, format.depth, format.pix_fmt},
                                            kPoolPictures};
    if (vmaf_preallocate_pictures(context.get(), pictures) != 0)
        throw Failure(kExitSetup, formatted("problem allocating {} pictures of {}x{}", kPoolPictures, format.width_px,
                                            format.height_px));
    return context;
}

int ScoringContext::fetch(VmafPicture &picture) const
{
    return gpu_ ? vmaf_cuda_fetch_preallocated_picture(context_.get(), &picture)
                : vmaf_fetch_preallocated_picture(context_.get(), &picture);
}

} // namespace vmaf::tool
