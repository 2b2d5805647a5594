#include "cuda/driver.h"

#include <memory>
#include <mutex>

#include "base/log.h"

// The loader's own complaints go to our log: no driver is a fact, not a fault (spec cuda 1).
#define FFNV_LOG_FUNC(logctx, message, ...)                                                                            \
    (static_cast<void>(logctx), ::vmaf::log(::vmaf::LogLevel::info, "cuda: " message, __VA_ARGS__))
#define FFNV_DEBUG_LOG_FUNC(logctx, message, ...) static_cast<void>(logctx)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <ffnvcodec/dynlink_loader.h>
#pragma GCC diagnostic pop

namespace vmaf {
namespace {

struct FreeFunctions {
    void operator()(CudaFunctions *functions) const { cuda_free_functions(&functions); }
};
using Functions = std::unique_ptr<CudaFunctions, FreeFunctions>;

// What the installed headers lack, from the same library.
bool resolve_extra(void *library, CudaDriver &driver)
{
    const auto resolve = [library](auto *&entry, const char *symbol) {
        entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(library, symbol));
        if (entry == nullptr)
            log(LogLevel::error, "cuda: the driver has no %s", symbol);
        return entry != nullptr;
    };
    return resolve(driver.cuStreamWaitEvent, "cuStreamWaitEvent") && resolve(driver.cuMemHostAlloc, "cuMemHostAlloc") &&
           resolve(driver.cuMemFreeHost, "cuMemFreeHost") && resolve(driver.cuFuncGetAttribute, "cuFuncGetAttribute") &&
           resolve(driver.cuFuncSetAttribute, "cuFuncSetAttribute") &&
           resolve(driver.cuMemsetD2D8, "cuMemsetD2D8_v2") && resolve(driver.cuMemsetD2D16, "cuMemsetD2D16_v2");
}

void copy_base(const CudaFunctions &from, CudaDriver &to)
{
    to.cuInit = from.cuInit;
    to.cuDeviceGetCount = from.cuDeviceGetCount;
    to.cuDeviceGet = from.cuDeviceGet;
    to.cuDeviceComputeCapability = from.cuDeviceComputeCapability;
    to.cuDeviceGetAttribute = from.cuDeviceGetAttribute;
    to.cuDevicePrimaryCtxRetain = from.cuDevicePrimaryCtxRetain;
    to.cuDevicePrimaryCtxRelease = from.cuDevicePrimaryCtxRelease;
    to.cuCtxPushCurrent = from.cuCtxPushCurrent;
    to.cuCtxPopCurrent = from.cuCtxPopCurrent;
    to.cuCtxGetDevice = from.cuCtxGetDevice;
    to.cuGetErrorName = from.cuGetErrorName;
    to.cuMemAlloc = from.cuMemAlloc;
    to.cuMemFree = from.cuMemFree;
    to.cuMemsetD8Async = from.cuMemsetD8Async;
    to.cuMemcpyDtoHAsync = from.cuMemcpyDtoHAsync;
    to.cuMemcpyHtoDAsync = from.cuMemcpyHtoDAsync;
    to.cuMemcpy2DAsync = from.cuMemcpy2DAsync;
    to.cuStreamCreate = from.cuStreamCreate;
    to.cuStreamSynchronize = from.cuStreamSynchronize;
    to.cuStreamDestroy = from.cuStreamDestroy;
    to.cuEventCreate = from.cuEventCreate;
    to.cuEventDestroy = from.cuEventDestroy;
    to.cuEventQuery = from.cuEventQuery;
    to.cuEventSynchronize = from.cuEventSynchronize;
    to.cuEventRecord = from.cuEventRecord;
    to.cuLaunchKernel = from.cuLaunchKernel;
    to.cuModuleLoadData = from.cuModuleLoadData;
    to.cuModuleUnload = from.cuModuleUnload;
    to.cuModuleGetFunction = from.cuModuleGetFunction;
}

struct LoadedDriver {
    Functions functions; ///< keeps the library open
    CudaDriver table{};
};

} // namespace

Result<const CudaDriver *> CudaDriver::get()
{
    static std::mutex mutex;
    static LoadedDriver loaded;
    const std::lock_guard lock(mutex);
    if (loaded.functions)
        return &loaded.table;

    CudaFunctions *raw = nullptr;
    if (cuda_load_functions(&raw, nullptr) != 0)
        return Status::error(ENODEV);
    Functions functions(raw);
    CudaDriver table{};
    copy_base(*functions, table);
    if (!resolve_extra(functions->lib, table))
        return Status::error(ENOSYS);
    loaded.functions = std::move(functions);
    loaded.table = table;
    return &loaded.table;
}

} // namespace vmaf
