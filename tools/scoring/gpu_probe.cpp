#include "scoring/gpu_probe.h"

#include <cerrno>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

/// That there is no GPU is news for somebody who demanded one. The log level is the last context's,
/// and the process's.
int open_gpu(GpuUse use, unsigned device, Gpu &gpu)
{
    VmafConfiguration config{};
    config.log_level = use == GpuUse::demanded ? VMAF_LOG_LEVEL_INFO : VMAF_LOG_LEVEL_WARNING;
    VmafContext *raw = nullptr;
    if (const int error = vmaf_init(&raw, config))
        return error;
    const Context sets_log_level(raw);
    VmafCudaState *state = nullptr;
    const int error = vmaf_cuda_state_init_device(&state, static_cast<int>(device));
    gpu = CudaState(state);
    return error;
}

std::vector<Gpu> open_named(const std::vector<unsigned> &devices)
{
    std::vector<Gpu> opened(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const int error = open_gpu(GpuUse::demanded, devices[i], opened[i]);
        if (error == -EINVAL)
            throw Failure(kExitSetup, formatted("there is no GPU {}: CUDA_VISIBLE_DEVICES shows fewer", devices[i]));
        if (error)
            throw Failure(kExitSetup, formatted("GPU {}: {}", devices[i], gpu_reason(error)));
    }
    return opened;
}

std::vector<Gpu> open_all()
{
    std::vector<Gpu> opened;
    int first_error = 0;
    unsigned device = 0;
    do { // the library says why there is no first one
        Gpu gpu;
        const int error = open_gpu(GpuUse::demanded, device, gpu);
        if (error == 0)
            opened.push_back(std::move(gpu));
        else if (first_error == 0)
            first_error = error;
    } while (++device < usable_gpus().size());
    if (opened.empty())
        throw Failure(kExitSetup, gpu_reason(first_error));
    if (opened.size() < device)
        say("note: {} of {} GPUs can be used\n", opened.size(), device);
    return opened;
}

} // namespace

int find_gpu(GpuUse use, Gpu &gpu)
{
    return open_gpu(use, 0, gpu);
}

std::vector<Gpu> open_gpus(const GpuSelection &selection)
{
    if (!selection.wants_several())
        return {};
    return selection.all ? open_all() : open_named(selection.devices);
}

std::vector<GpuFacts> usable_gpus()
{
    return VMAF_TOOL_USES_GPUS ? gpus() : std::vector<GpuFacts>();
}

const char *gpu_reason(int error)
{
    return error == -ENOSYS ? "no support for GPUs in this vmaf or in the driver" : "the GPU cannot be used";
}

} // namespace vmaf::tool
