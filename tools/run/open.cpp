#include "common/failure.h"
#include "common/format.h"
#include "machine/machine.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

/// Numbers of the GPUs that score, in their order: one of them alone is the only one that the
/// driver shows.
std::vector<unsigned> devices_of(const GpuSelection &gpu)
{
    if (!gpu.wants_several())
        return {0};
    std::vector<unsigned> devices = gpu.devices;
    if (gpu.all)
        for (const GpuFacts &each : usable_gpus())
            devices.push_back(each.index);
    return devices;
}

/// Empty: videos are decoded in software, as those of a ladder are for several GPUs.
/// @param decoders one: several GPUs have turned out not to share a video.
std::vector<std::shared_ptr<MediaGpu>> gpus_to_decode(const Options &options, DecodersInFlight decoders)
{
    const GpuSelection &gpu = options.sessions.gpu;
    const bool is_demanded = options.reading.input.decoding == Decoding::cuda;
    if (options.reading.input.decoding == Decoding::software || gpu.use == GpuUse::none || gpu.kind == GpuKind::vulkan)
        return {};
    if (gpu.wants_several()) {
        if (options.reading.distorted.size() > 1)
            return {};
        if (decoders == DecodersInFlight::one && is_demanded)
            throw Failure(kExitSetup, "several GPUs cannot decode these videos: --gpu names one that can");
        if (decoders == DecodersInFlight::one)
            return {};
    }
    std::vector<std::shared_ptr<MediaGpu>> gpus;
    for (const unsigned device : devices_of(gpu))
        gpus.push_back(make_media_gpu(device, is_demanded));
    return gpus;
}

} // namespace

void Run::open()
{
    if (!options.compare_only) {
        choose_gpu(options.sessions.gpu);
        if (options.sessions.gpu.use != GpuUse::none && options.sessions.gpu.kind != GpuKind::vulkan)
            driver_start = start_driver();
        decoding_gpus = gpus_to_decode(options, decoders);
    }
    videos = open_videos(options.reading, decoding_gpus.empty() ? nullptr : decoding_gpus.front(), warnings);
}

} // namespace vmaf::tool
