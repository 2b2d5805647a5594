#include <mutex>

#include "cuda/driver_double/entry.h"

// The driver, its devices and contexts.

using namespace driver_double;

namespace {

// Retaining asks first whether the context is active and then says that it is.
std::mutex &primary_mutex()
{
    static std::mutex &mutex = *new std::mutex;
    return mutex;
}

} // namespace

EXPORTED CUresult cuInit(unsigned flags)
{
    return ask("cuInit", [&] { return backend().cuInit(flags); });
}

EXPORTED CUresult cuDriverGetVersion(int *version)
{
    return ask("cuDriverGetVersion", [&] { return backend().cuDriverGetVersion(version); });
}

EXPORTED CUresult cuDeviceGetCount(int *count)
{
    return ask("cuDeviceGetCount", [&] { return backend().cuDeviceGetCount(count); });
}

EXPORTED CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    return ask("cuDeviceGet", [&] { return backend().cuDeviceGet(device, ordinal); });
}

EXPORTED CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    return ask("cuDeviceGetName", [&] { return backend().cuDeviceGetName(name, bytes, device); });
}

EXPORTED CUresult cuDeviceTotalMem_v2(std::size_t *bytes, CUdevice device)
{
    return ask("cuDeviceTotalMem_v2", [&] { return backend().cuDeviceTotalMem_v2(bytes, device); });
}

EXPORTED CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    return ask("cuDeviceComputeCapability", [&] { return backend().cuDeviceComputeCapability(major, minor, device); });
}

EXPORTED CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    return ask("cuDeviceGetAttribute", [&] { return backend().cuDeviceGetAttribute(value, attribute, device); });
}

EXPORTED CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
    return ask("cuDevicePrimaryCtxSetFlags", [&] {
        const std::lock_guard lock(primary_mutex());
        return backend().cuDevicePrimaryCtxSetFlags(device, flags);
    });
}

EXPORTED CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    return ask("cuDevicePrimaryCtxGetState", [&] {
        const std::lock_guard lock(primary_mutex());
        return backend().cuDevicePrimaryCtxGetState(device, flags, active);
    });
}

EXPORTED CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    return ask("cuDevicePrimaryCtxRetain", [&] {
        const std::lock_guard lock(primary_mutex());
        if (const CUresult broken = contexts().broken_primary(device);
            broken != kSuccess && contexts().primary(device) == nullptr)
            return broken;
        const CUresult result = backend().cuDevicePrimaryCtxRetain(context, device);
        if (result == kSuccess)
            contexts().retain_primary(device, *context);
        return result;
    });
}

EXPORTED CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    const Call call("cuDevicePrimaryCtxRelease");
    const std::lock_guard lock(primary_mutex());
    CUcontext primary = contexts().primary(device);
    if (!contexts().release_primary(device))
        return kInvalidContext;
    if (contexts().primary(device) == nullptr)
        timeline().end_context("cuDevicePrimaryCtxRelease", primary);
    const CUresult result = backend().cuDevicePrimaryCtxRelease(device);
    return call.injected() != kSuccess ? call.injected() : result;
}

EXPORTED CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    return ask("cuCtxCreate_v2", [&] {
        const CUresult result = backend().cuCtxCreate_v2(context, flags, device);
        if (result == kSuccess) {
            contexts().create(*context, device);
            contexts().push(*context);
        }
        return result;
    });
}

EXPORTED CUresult cuCtxDestroy_v2(CUcontext context)
{
    const Call call("cuCtxDestroy_v2");
    if (!contexts().destroy(context))
        return kInvalidContext;
    timeline().end_context("cuCtxDestroy_v2", context);
    const CUresult result = backend().cuCtxDestroy_v2(context);
    return call.injected() != kSuccess ? call.injected() : result;
}

EXPORTED CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    return ask("cuCtxPushCurrent_v2", [&] {
        if (!contexts().push(context))
            return kInvalidContext;
        return backend().cuCtxPushCurrent_v2(context);
    });
}

EXPORTED CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    const Call call("cuCtxPopCurrent_v2");
    CUcontext popped = contexts().pop();
    if (popped == nullptr)
        return kInvalidContext;
    const CUresult result = backend().cuCtxPopCurrent_v2(&popped);
    if (context != nullptr)
        *context = popped;
    return call.injected() != kSuccess ? call.injected() : result;
}

EXPORTED CUresult cuCtxGetCurrent(CUcontext *context)
{
    return ask("cuCtxGetCurrent", [&] { return backend().cuCtxGetCurrent(context); });
}

EXPORTED CUresult cuCtxSynchronize()
{
    return await("cuCtxSynchronize", contexts().current(), has_context, [] { return backend().cuCtxSynchronize(); });
}

EXPORTED CUresult cuCtxGetDevice(CUdevice *device)
{
    return ask("cuCtxGetDevice", [&] {
        const CUresult error = has_context();
        return error != kSuccess ? error : backend().cuCtxGetDevice(device);
    });
}

EXPORTED CUresult cuGetErrorName(CUresult error, const char **name)
{
    return ask("cuGetErrorName", [&] { return backend().cuGetErrorName(error, name); });
}

EXPORTED CUresult cuGetErrorString(CUresult error, const char **text)
{
    return ask("cuGetErrorString", [&] { return backend().cuGetErrorString(error, text); });
}
