#include <atomic>
#include <cstdio>
#include <map>

#include "cuda/driver_double/plain.h"
#include "cuda/driver_double/state.h"

// Devices and contexts.

namespace driver_double {
namespace {

CUresult init(unsigned)
{
    return devices().count() > 0 ? kSuccess : kNoDevice;
}

CUresult driver_version(int *version)
{
    *version = devices().version();
    return kSuccess;
}

// If cuInit finds no device, the driver stays uninitialised. This was measured.
CUresult device_get_count(int *count)
{
    *count = devices().count();
    return *count > 0 ? kSuccess : kNotInitialized;
}

CUresult device_get(CUdevice *device, int ordinal)
{
    if (devices().count() == 0)
        return kNotInitialized;
    *device = ordinal;
    return devices().find(ordinal) ? kSuccess : kInvalidDevice;
}

CUresult device_get_name(char *name, int bytes, CUdevice device)
{
    std::snprintf(name, static_cast<std::size_t>(bytes), "driver double");
    return devices().find(device) ? kSuccess : kInvalidDevice;
}

CUresult device_total_memory(std::size_t *bytes, CUdevice device)
{
    const std::optional<VmafDoubleDevice> found = devices().find(device);
    if (!found)
        return kInvalidDevice;
    *bytes = found->bytes;
    return kSuccess;
}

CUresult device_compute_capability(int *major, int *minor, CUdevice device)
{
    const std::optional<VmafDoubleDevice> found = devices().find(device);
    if (!found)
        return kInvalidDevice;
    *major = found->major;
    *minor = found->minor;
    return kSuccess;
}

CUresult device_attribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    constexpr int kMaxSharedOptin = 97; // no name in nv-codec-headers
    const std::optional<VmafDoubleDevice> found = devices().find(device);
    if (!found)
        return kInvalidDevice;
    switch (static_cast<int>(attribute)) {
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
        *value = 512; // as NVIDIA's devices have it; ffmpeg asks
        return kSuccess;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = found->multiprocessors;
        return kSuccess;
    case kMaxSharedOptin:
        *value = found->block_shared_bytes;
        return kSuccess;
    default:
        return kNotSupported;
    }
}

/// Flags of each device's primary context.
std::map<CUdevice, unsigned> &primary_flags()
{
    static std::map<CUdevice, unsigned> flags;
    return flags;
}

CUresult primary_set_flags(CUdevice device, unsigned flags)
{
    if (!devices().find(device))
        return kInvalidDevice;
    primary_flags()[device] = flags;
    return kSuccess;
}

CUresult primary_get_state(CUdevice device, unsigned *flags, int *active)
{
    if (!devices().find(device))
        return kInvalidDevice;
    *flags = primary_flags()[device];
    *active = contexts().primary(device) != nullptr ? 1 : 0;
    return kSuccess;
}

CUresult primary_retain(CUcontext *context, CUdevice device)
{
    if (!devices().find(device))
        return kInvalidDevice;
    *context = contexts().primary(device);
    if (*context == nullptr)
        *context = new_handle<CUcontext>();
    return kSuccess;
}

CUresult primary_release(CUdevice)
{
    return kSuccess;
}

CUresult context_create(CUcontext *context, unsigned, CUdevice device)
{
    *context = new_handle<CUcontext>();
    return devices().find(device) ? kSuccess : kInvalidDevice;
}

CUresult context_destroy(CUcontext)
{
    return kSuccess;
}

CUresult context_push(CUcontext)
{
    return kSuccess;
}

CUresult context_pop(CUcontext *)
{
    return kSuccess;
}

CUresult context_get_current(CUcontext *context)
{
    *context = contexts().current();
    return kSuccess;
}

CUresult context_get_device(CUdevice *device)
{
    *device = contexts().device_of(contexts().current());
    return kSuccess;
}

CUresult error_name(CUresult error, const char **name)
{
    struct Name {
        int value;
        const char *text;
    };
    static constexpr Name kNames[] = {
        {0, "CUDA_SUCCESS"},
        {1, "CUDA_ERROR_INVALID_VALUE"},
        {2, "CUDA_ERROR_OUT_OF_MEMORY"},
        {3, "CUDA_ERROR_NOT_INITIALIZED"},
        {4, "CUDA_ERROR_DEINITIALIZED"},
        {34, "CUDA_ERROR_STUB_LIBRARY"},
        {100, "CUDA_ERROR_NO_DEVICE"},
        {101, "CUDA_ERROR_INVALID_DEVICE"},
        {201, "CUDA_ERROR_INVALID_CONTEXT"},
        {400, "CUDA_ERROR_INVALID_HANDLE"},
        {500, "CUDA_ERROR_NOT_FOUND"},
        {600, "CUDA_ERROR_NOT_READY"},
        {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {801, "CUDA_ERROR_NOT_SUPPORTED"},
        {999, "CUDA_ERROR_UNKNOWN"},
    };
    *name = nullptr;
    for (const Name &known : kNames)
        if (known.value == static_cast<int>(error))
            *name = known.text;
    return *name != nullptr ? kSuccess : kInvalidValue;
}

} // namespace

VmafDoubleDevice current_device()
{
    return devices().find(contexts().device_of(contexts().current())).value_or(VmafDoubleDevice{});
}

std::uintptr_t new_handle_value()
{
    static std::atomic<std::uintptr_t> next{0x10000};
    return next.fetch_add(16);
}

void add_plain_device(Backend &table)
{
    table.cuInit = init;
    table.cuDriverGetVersion = driver_version;
    table.cuDeviceGetCount = device_get_count;
    table.cuDeviceGet = device_get;
    table.cuDeviceGetName = device_get_name;
    table.cuDeviceTotalMem_v2 = device_total_memory;
    table.cuDeviceComputeCapability = device_compute_capability;
    table.cuDeviceGetAttribute = device_attribute;
    table.cuDevicePrimaryCtxSetFlags = primary_set_flags;
    table.cuDevicePrimaryCtxGetState = primary_get_state;
    table.cuDevicePrimaryCtxRetain = primary_retain;
    table.cuDevicePrimaryCtxRelease = primary_release;
    table.cuCtxCreate_v2 = context_create;
    table.cuCtxDestroy_v2 = context_destroy;
    table.cuCtxPushCurrent_v2 = context_push;
    table.cuCtxPopCurrent_v2 = context_pop;
    table.cuCtxGetCurrent = context_get_current;
    table.cuCtxGetDevice = context_get_device;
    table.cuGetErrorName = error_name;
    table.cuGetErrorString = error_name;
}

} // namespace driver_double
