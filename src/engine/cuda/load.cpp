#include "engine/cuda/load.h"

#include <map>

namespace vmaf {

std::shared_ptr<CudaLoad> CudaLoad::of(CUcontext context)
{
    static std::mutex mutex;
    static std::map<CUcontext, std::weak_ptr<CudaLoad>> all;
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const auto &entry) { return entry.second.expired(); });
    std::weak_ptr<CudaLoad> &known = all[context];
    std::shared_ptr<CudaLoad> load = known.lock();
    if (!load) {
        load = std::make_shared<CudaLoad>();
        known = load;
    }
    return load;
}

void CudaLoad::note(CUevent done)
{
    const std::lock_guard lock(mutex_);
    last_ = done;
}

void CudaLoad::forget(CUevent done)
{
    const std::lock_guard lock(mutex_);
    if (last_ == done)
        last_ = nullptr;
}

bool CudaLoad::is_idle(CudaContext &context)
{
    const std::lock_guard lock(mutex_);
    if (last_ == nullptr)
        return true;
    const CudaContextGuard guard(context);
    // A failure is not said here: who sends a batch meets it too.
    if (!guard.status().ok() || context.driver().cuEventQuery(last_) != CUresult{CUDA_ERROR_NOT_READY})
        last_ = nullptr;
    return last_ == nullptr;
}

} // namespace vmaf
