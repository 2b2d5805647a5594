#include "cuda/driver_double/entry.h"

// Streams, events, modules and launches; what nobody uses.

using namespace driver_double;

EXPORTED CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return create("cuStreamCreate", VMAF_DOUBLE_STREAM, stream,
                  [&] { return backend().cuStreamCreate(stream, flags); });
}

EXPORTED CUresult cuStreamQuery(CUstream stream)
{
    return use(
        "cuStreamQuery", [&] { return check_stream("cuStreamQuery", stream); },
        [&] { return backend().cuStreamQuery(stream); });
}

EXPORTED CUresult cuStreamSynchronize(CUstream stream)
{
    return await(
        "cuStreamSynchronize", stream, [&] { return check_stream("cuStreamSynchronize", stream); },
        [&] { return backend().cuStreamSynchronize(stream); });
}

EXPORTED CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    const auto check = [&] {
        const CUresult error = check_stream("cuStreamWaitEvent", stream);
        return error != kSuccess ? error : check_object("cuStreamWaitEvent", VMAF_DOUBLE_EVENT, handle_of(event));
    };
    return use("cuStreamWaitEvent", check, [&] { return backend().cuStreamWaitEvent(stream, event, flags); });
}

EXPORTED CUresult cuStreamDestroy_v2(CUstream stream)
{
    return release("cuStreamDestroy_v2", VMAF_DOUBLE_STREAM, stream, kInvalidHandle,
                   [&] { return backend().cuStreamDestroy_v2(stream); });
}

EXPORTED CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    return create("cuEventCreate", VMAF_DOUBLE_EVENT, event, [&] { return backend().cuEventCreate(event, flags); });
}

EXPORTED CUresult cuEventRecord(CUevent event, CUstream stream)
{
    const auto check = [&] {
        CUresult error = check_stream("cuEventRecord", stream);
        if (error == kSuccess)
            error = check_object("cuEventRecord", VMAF_DOUBLE_EVENT, handle_of(event));
        const bool same = objects().context_of(VMAF_DOUBLE_EVENT, handle_of(event)) ==
                          objects().context_of(VMAF_DOUBLE_STREAM, handle_of(stream));
        return error == kSuccess && !same ? kInvalidHandle : error;
    };
    return use("cuEventRecord", check, [&] { return backend().cuEventRecord(event, stream); });
}

EXPORTED CUresult cuEventQuery(CUevent event)
{
    return use(
        "cuEventQuery", [&] { return check_object("cuEventQuery", VMAF_DOUBLE_EVENT, handle_of(event)); },
        [&] { return backend().cuEventQuery(event); });
}

EXPORTED CUresult cuEventSynchronize(CUevent event)
{
    return await(
        "cuEventSynchronize", event,
        [&] { return check_object("cuEventSynchronize", VMAF_DOUBLE_EVENT, handle_of(event)); },
        [&] { return backend().cuEventSynchronize(event); });
}

EXPORTED CUresult cuEventDestroy_v2(CUevent event)
{
    return release("cuEventDestroy_v2", VMAF_DOUBLE_EVENT, event, kInvalidHandle,
                   [&] { return backend().cuEventDestroy_v2(event); });
}

EXPORTED CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return create("cuModuleLoadData", VMAF_DOUBLE_MODULE, module, [&] {
        if (timeline().loads_wait())
            timeline().finish("cuModuleLoadData", contexts().current());
        return backend().cuModuleLoadData(module, image);
    });
}

EXPORTED CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    return use(
        "cuModuleGetFunction",
        [&] { return check_object("cuModuleGetFunction", VMAF_DOUBLE_MODULE, handle_of(module)); },
        [&] {
            const CUresult result = backend().cuModuleGetFunction(function, module, name);
            if (result == kSuccess)
                objects().add_function(*function, module, name);
            return result;
        });
}

EXPORTED CUresult cuModuleUnload(CUmodule module)
{
    return release("cuModuleUnload", VMAF_DOUBLE_MODULE, module, kInvalidHandle,
                   [&] { return backend().cuModuleUnload(module); });
}

EXPORTED CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function)
{
    return use(
        "cuFuncGetAttribute",
        [&] { return objects().check_function("cuFuncGetAttribute", function) ? kSuccess : kInvalidHandle; },
        [&] { return backend().cuFuncGetAttribute(value, attribute, function); });
}

EXPORTED CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value)
{
    return use(
        "cuFuncSetAttribute",
        [&] { return objects().check_function("cuFuncSetAttribute", function) ? kSuccess : kInvalidHandle; },
        [&] { return backend().cuFuncSetAttribute(function, attribute, value); });
}

EXPORTED CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 CUstream stream, void **params, void **extra)
{
    const auto check = [&] {
        const CUresult error = check_stream("cuLaunchKernel", stream);
        if (error != kSuccess)
            return error;
        return objects().check_function("cuLaunchKernel", function) ? kSuccess : kInvalidHandle;
    };
    return use("cuLaunchKernel", check, [&] {
        return backend().cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                                        stream, params, extra);
    });
}

#define UNSUPPORTED(symbol)                                                                                            \
    EXPORTED CUresult symbol()                                                                                         \
    {                                                                                                                  \
        return ask(#symbol, [] { return kNotSupported; });                                                             \
    }
DRIVER_DOUBLE_UNSUPPORTED(UNSUPPORTED)
