#include "cuda/driver.h"

#include <mutex>

#include "base/log.h"
#include "base/native.h"

namespace vmaf {
namespace {

template <class Type> bool resolve(void *library, const char *symbol, Type *&entry)
{
    entry = reinterpret_cast<Type *>(library_symbol(library, symbol));
    if (entry == nullptr)
        log(LogLevel::error, "cuda: the driver has no %s", symbol);
    return entry != nullptr;
}

bool resolve_all(void *library, CudaDriver &driver)
{
#define VMAF_CUDA_RESOLVE(name, symbol, Type)                                                                          \
    if (!resolve(library, #symbol, driver.name))                                                                       \
        return false;
    VMAF_CUDA_ENTRY_POINTS(VMAF_CUDA_RESOLVE)
#undef VMAF_CUDA_RESOLVE
    return true;
}

} // namespace

Result<const CudaDriver *> CudaDriver::get()
{
    static std::mutex mutex;
    static CudaDriver driver;
    static bool loaded = false;
    const std::lock_guard lock(mutex);
    if (loaded)
        return &driver;

    void *library = open_library(kCudaDriver);
    if (library == nullptr) {
        // No driver is a fact, not a fault (spec cuda 1).
        log(LogLevel::info, "cuda: %s: scoring runs on the CPU", library_error());
        return Status::error(ENODEV);
    }
    loaded = resolve_all(library, driver);
    if (!loaded) {
        close_library(library);
        return Status::error(ENOSYS);
    }
    return &driver;
}

} // namespace vmaf
