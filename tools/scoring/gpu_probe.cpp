#include "scoring/gpu_probe.h"

#include <cerrno>

namespace vmaf::tool {

/// That there is no GPU is news for somebody who demanded one. The log level is the last context's, and the process's.
int find_gpu(GpuUse use, CudaState &gpu)
{
    VmafConfiguration config{};
    config.log_level = use == GpuUse::demanded ? VMAF_LOG_LEVEL_INFO : VMAF_LOG_LEVEL_WARNING;
    VmafContext *raw = nullptr;
    if (const int error = vmaf_init(&raw, config))
        return error;
    const Context sets_log_level(raw);
    VmafCudaState *state = nullptr;
    const int error = vmaf_cuda_state_init(&state, VmafCudaConfiguration{});
    gpu.reset(state);
    return error;
}

const char *gpu_reason(int error)
{
    return error == -ENOSYS ? "no support for GPUs in this vmaf or in the driver" : "the GPU cannot be used";
}

} // namespace vmaf::tool
