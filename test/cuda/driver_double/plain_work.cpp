#include <utility>

#include "cuda/driver_double/plain.h"
#include "cuda/driver_double/state.h"

// Streams, events, modules and launches.

namespace driver_double {
namespace {

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kMostGridRows = 65535;

constexpr unsigned kNonBlocking = 1; // CU_STREAM_NON_BLOCKING

CUresult stream_create(CUstream *stream, unsigned flags)
{
    *stream = new_handle<CUstream>();
    timeline().add_stream(*stream, (flags & kNonBlocking) == 0);
    return kSuccess;
}

CUresult stream_query(CUstream stream)
{
    return timeline().query(stream);
}

CUresult stream_synchronize(CUstream stream)
{
    timeline().synchronise("cuStreamSynchronize", stream);
    return kSuccess;
}

CUresult stream_wait(CUstream stream, CUevent event, unsigned)
{
    timeline().wait_for(stream, event);
    return kSuccess;
}

// Queued work of a destroyed stream goes on.
CUresult stream_destroy(CUstream stream)
{
    timeline().remove_stream(stream);
    return kSuccess;
}

CUresult context_synchronize()
{
    timeline().synchronise("cuCtxSynchronize", contexts().current());
    return kSuccess;
}

CUresult event_create(CUevent *event, unsigned)
{
    *event = new_handle<CUevent>();
    timeline().add_event(*event);
    return kSuccess;
}

CUresult event_record(CUevent event, CUstream stream)
{
    timeline().record(event, stream);
    return kSuccess;
}

CUresult event_query(CUevent event)
{
    return timeline().query(event);
}

CUresult event_synchronize(CUevent event)
{
    timeline().synchronise("cuEventSynchronize", event);
    return kSuccess;
}

CUresult event_destroy(CUevent event)
{
    timeline().remove_event(event);
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

CUresult module_unload(CUmodule)
{
    return kSuccess;
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

/// The allocations that the launch's arguments point into, also from within structs.
void add_memory_uses(const KernelTable::Words &arguments, std::vector<ObjectUse> &uses)
{
    for (const auto &[address, is_new] : arguments)
        if (const Handle block = objects().block_of(VMAF_DOUBLE_DEVICE_MEMORY, address); block != 0)
            uses.push_back({VMAF_DOUBLE_DEVICE_MEMORY, block, is_new ? address : 0, is_new ? 1U : 0U});
}

CUresult launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **params, void **extra)
{
    const bool grid_fits = grid_x > 0 && grid_y > 0 && grid_z > 0 && grid_y <= kMostGridRows && grid_z <= kMostGridRows;
    const unsigned long threads = static_cast<unsigned long>(block_x) * block_y * block_z;
    const bool block_fits = threads > 0 && threads <= kMostThreads;
    const bool has_arguments = params != nullptr || extra != nullptr;
    const bool shared_fits = shared_bytes <= static_cast<unsigned>(current_device().block_shared_bytes);
    if (!grid_fits || !block_fits || !has_arguments || !shared_fits)
        return kInvalidValue;
    const ObjectTable::Function kernel = objects().function(function);
    const VmafDoubleLaunch now{
        kernel.name, params, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
    std::vector<ObjectUse> uses{{VMAF_DOUBLE_MODULE, handle_of(kernel.module)}};
    const KernelTable::Words arguments = kernels().words(function, now);
    if (!timeline().at_once())
        add_memory_uses(arguments, uses);
    timeline().queue(stream, {VMAF_DOUBLE_KERNEL, kernel.name, 0, std::move(uses), kernels().launch(now)});
    return kSuccess;
}

} // namespace

void add_plain_work(Backend &table)
{
    table.cuCtxSynchronize = context_synchronize;
    table.cuStreamCreate = stream_create;
    table.cuStreamQuery = stream_query;
    table.cuStreamSynchronize = stream_synchronize;
    table.cuStreamWaitEvent = stream_wait;
    table.cuStreamDestroy_v2 = stream_destroy;
    table.cuEventCreate = event_create;
    table.cuEventRecord = event_record;
    table.cuEventQuery = event_query;
    table.cuEventSynchronize = event_synchronize;
    table.cuEventDestroy_v2 = event_destroy;
    table.cuModuleLoadData = module_load;
    table.cuModuleGetFunction = module_function;
    table.cuModuleUnload = module_unload;
    table.cuFuncGetAttribute = get_function_attribute;
    table.cuFuncSetAttribute = set_function_attribute;
    table.cuLaunchKernel = launch;
}

} // namespace driver_double
