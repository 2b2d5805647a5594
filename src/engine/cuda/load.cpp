#include "engine/cuda/load.h"

#include <map>

namespace vmaf {

namespace {

struct Loads {
    std::recursive_mutex mutex; // a load that cannot be entered goes under the lock
    std::map<CUcontext, std::weak_ptr<CudaLoad>> of;
};

/// Never destroyed: sessions may close in static destructors.
Loads &loads()
{
    static auto &all = *new Loads;
    return all;
}

} // namespace

std::shared_ptr<CudaLoad> CudaLoad::of(CUcontext context)
{
    Loads &all = loads();
    const std::lock_guard lock(all.mutex);
    if (const auto known = all.of.find(context); known != all.of.end())
        if (std::shared_ptr<CudaLoad> load = known->second.lock())
            return load;
    const auto give_up = [context](CudaLoad *load) {
        Loads &listed = loads();
        const std::lock_guard hold(listed.mutex);
        const auto place = listed.of.find(context);
        if (place != listed.of.end() && place->second.expired()) // else another one took it
            listed.of.erase(place);
        delete load;
    };
    std::shared_ptr<CudaLoad> load(new CudaLoad, give_up);
    all.of.insert_or_assign(context, load);
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
