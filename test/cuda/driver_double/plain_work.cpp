#include "cuda/driver_double/plain.h"

// Streams, events, modules and launches.

namespace driver_double {
namespace {

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kMostGridRows = 65535;

template <class T> CUresult create(T *handle, unsigned)
{
    *handle = new_handle<T>();
    return kSuccess;
}

template <class T> CUresult nothing(T)
{
    return kSuccess;
}

CUresult stream_wait(CUstream, CUevent, unsigned)
{
    return kSuccess;
}

CUresult event_record(CUevent, CUstream)
{
    return kSuccess;
}

CUresult module_load(CUmodule *module, const void *image)
{
    *module = new_handle<CUmodule>();
    return image != nullptr ? kSuccess : kInvalidValue;
}

CUresult module_function(CUfunction *function, CUmodule, const char *name)
{
    *function = new_handle<CUfunction>();
    return name != nullptr && *name != '\0' ? kSuccess : kNotFound;
}

CUresult get_function_attribute(int *value, int attribute, CUfunction)
{
    constexpr int kPtxVersion = 5;
    *value = 10 * current_device().major + current_device().minor;
    return attribute == kPtxVersion ? kSuccess : kNotSupported;
}

CUresult set_function_attribute(CUfunction, int, int)
{
    return kSuccess;
}

CUresult launch(CUfunction, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared_bytes, CUstream, void **params, void **extra)
{
    const bool grid_fits = grid_x > 0 && grid_y > 0 && grid_z > 0 && grid_y <= kMostGridRows && grid_z <= kMostGridRows;
    const unsigned long threads = static_cast<unsigned long>(block_x) * block_y * block_z;
    const bool block_fits = threads > 0 && threads <= kMostThreads;
    const bool has_arguments = params != nullptr || extra != nullptr;
    return grid_fits && block_fits && has_arguments &&
                   shared_bytes <= static_cast<unsigned>(current_device().block_shared_bytes)
               ? kSuccess
               : kInvalidValue;
}

} // namespace

void add_plain_work(Backend &table)
{
    table.cuStreamCreate = create<CUstream>;
    table.cuStreamQuery = nothing<CUstream>;
    table.cuStreamSynchronize = nothing<CUstream>;
    table.cuStreamWaitEvent = stream_wait;
    table.cuStreamDestroy_v2 = nothing<CUstream>;
    table.cuEventCreate = create<CUevent>;
    table.cuEventRecord = event_record;
    table.cuEventQuery = nothing<CUevent>;
    table.cuEventSynchronize = nothing<CUevent>;
    table.cuEventDestroy_v2 = nothing<CUevent>;
    table.cuModuleLoadData = module_load;
    table.cuModuleGetFunction = module_function;
    table.cuModuleUnload = nothing<CUmodule>;
    table.cuFuncGetAttribute = get_function_attribute;
    table.cuFuncSetAttribute = set_function_attribute;
    table.cuLaunchKernel = launch;
}

} // namespace driver_double
