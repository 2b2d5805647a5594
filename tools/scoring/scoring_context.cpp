#include "scoring/scoring_context.h"

#include <cerrno>
#include <optional>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "scoring/available_cores.h"
#include "scoring/gpu_probe.h"

namespace vmaf::tool {
namespace {

unsigned cpu_threads(const Options &options)
{
    const bool nothing_to_do = options.selection.models.empty() && options.selection.features.empty();
    return nothing_to_do ? 0 : available_cores();
}

/// Models keep off the GPU if gpumask is not 0. What the GPU does needs no worker.
unsigned gpu_threads(const Options &options)
{
    return options.gpumask == 0 ? 0 : cpu_threads(options);
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

int ScoringContext::use_gpu(CudaState gpu, const VideoFormat &format)
{
    gpu_ = std::move(gpu);
    if (const int error = vmaf_cuda_import_state(context_.get(), gpu_.get()))
        return error;
    const VmafCudaPictureConfiguration pictures{{format.width_px, format.height_px, format.depth, format.pix_fmt},
                                                VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED};
    return vmaf_cuda_preallocate_pictures(context_.get(), pictures);
}

/// Empty if it cannot be used.
std::optional<ScoringContext> ScoringContext::open_on_gpu(const Options &options, const VideoFormat &format)
{
    if (options.gpu.device && !show_only_device(*options.gpu.device))
        throw Failure(kExitSetup,
                      formatted("there is no GPU {}: CUDA_VISIBLE_DEVICES shows fewer", *options.gpu.device));
    CudaState gpu;
    std::optional<ScoringContext> context;
    int error = find_gpu(options.gpu.use, gpu);
    if (error == 0) {
        context = ScoringContext(options, gpu_threads(options));
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

ScoringContext ScoringContext::open(const Options &options, const VideoFormat &format)
{
    if (options.gpu.use != GpuUse::none)
        if (auto context = open_on_gpu(options, format))
            return std::move(*context);
    ScoringContext context(options, cpu_threads(options));
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
