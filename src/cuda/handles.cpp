#include "cuda/handles.h"

namespace vmaf {
namespace {

constexpr unsigned kHostAllocPortable = 1; // pinned for every context
constexpr int kFunctionPtxVersion = 5;
constexpr int kFunctionMaxDynamicShared = 8;
constexpr auto kDeviceMaxBlockShared = static_cast<CUdevice_attribute>(97); // nv-codec-headers name none above 85

} // namespace

void CudaStreamTraits::release(CudaContext &context, CUstream stream)
{
    CHECK_CUDA_RELEASE(context, cuStreamDestroy(stream));
}

void CudaEventTraits::release(CudaContext &context, CUevent event)
{
    CHECK_CUDA_RELEASE(context, cuEventDestroy(event));
}

void CudaDeviceMemoryTraits::release(CudaContext &context, CUdeviceptr memory)
{
    CHECK_CUDA_RELEASE(context, cuMemFree(memory));
}

void CudaPinnedMemoryTraits::release(CudaContext &context, void *memory)
{
    CHECK_CUDA_RELEASE(context, cuMemFreeHost(memory));
}

void CudaModuleTraits::release(CudaContext &context, CUmodule module)
{
    CHECK_CUDA_RELEASE(context, cuModuleUnload(module));
}

Result<CudaStream> make_cuda_stream(const CudaContextPtr &context)
{
    CUstream stream = nullptr;
    CHECK_CUDA_RETURN(context->driver(), cuStreamCreate(&stream, kCudaStreamFlags));
    return CudaStream(context, stream);
}

Result<CudaEvent> make_cuda_event(const CudaContextPtr &context)
{
    CUevent event = nullptr;
    CHECK_CUDA_RETURN(context->driver(), cuEventCreate(&event, kCudaEventFlags));
    return CudaEvent(context, event);
}

Result<bool> cuda_is_done(const CudaEvent &event)
{
    constexpr CUresult kNotReady = CUDA_ERROR_NOT_READY; // an answer, not a failure
    const CudaDriver &driver = event.context()->driver();
    const CUresult result = driver.cuEventQuery(event.get());
    if (result == kNotReady)
        return false;
    VMAF_TRY(cuda_checked(driver, result, VMAF_CUDA_CALL(cuEventQuery(event))));
    return true;
}

Result<CudaDeviceMemory> make_cuda_device_memory(const CudaContextPtr &context, std::size_t bytes)
{
    CUdeviceptr memory = 0;
    CHECK_CUDA_RETURN(context->driver(), cuMemAlloc(&memory, bytes));
    return CudaDeviceMemory(context, memory);
}

Result<CudaDeviceMemory> make_cuda_device_copy(const CudaContextPtr &context, const void *data, std::size_t bytes)
{
    VMAF_TRY_ASSIGN(CudaDeviceMemory memory, make_cuda_device_memory(context, bytes));
    CUstream stream = nullptr;
    Status status;
    CHECK_CUDA_RETURN(context->driver(), cuStreamCreate(&stream, kCudaStreamFlags));
    CHECK_CUDA_GOTO(context->driver(), cuMemcpyHtoDAsync(memory.get(), data, bytes, stream), destroy);
    CHECK_CUDA_GOTO(context->driver(), cuStreamSynchronize(stream), destroy);
destroy:
    CHECK_CUDA_RELEASE(*context, cuStreamDestroy(stream));
    VMAF_TRY(status);
    return memory;
}

Result<CudaPinnedMemory> make_cuda_pinned_memory(const CudaContextPtr &context, std::size_t bytes)
{
    void *memory = nullptr;
    CHECK_CUDA_RETURN(context->driver(), cuMemHostAlloc(&memory, bytes, kHostAllocPortable));
    return CudaPinnedMemory(context, memory);
}

Result<bool> cuda_is_of_another_context(const CudaContext &context, CUdeviceptr memory)
{
    constexpr int kAttributeContext = 1;                     // CU_POINTER_ATTRIBUTE_CONTEXT
    constexpr auto kInvalidValue = static_cast<CUresult>(1); // CUDA_ERROR_INVALID_VALUE
    CUcontext owner = nullptr;
    const CUresult result = context.driver().cuPointerGetAttribute(&owner, kAttributeContext, memory);
    if (result == kInvalidValue) // memory that the driver knows nothing of, which may be mapped all the same
        return false;
    VMAF_TRY(cuda_checked(context.driver(), result, VMAF_CUDA_CALL(cuPointerGetAttribute(&owner, context, memory))));
    return owner != nullptr && owner != context.get();
}

Result<CudaModule> make_cuda_module(const CudaContextPtr &context, const void *fatbin)
{
    CUmodule module = nullptr;
    CHECK_CUDA_RETURN(context->driver(), cuModuleLoadData(&module, fatbin));
    return CudaModule(context, module);
}

Result<CUfunction> cuda_function(const CudaModule &module, const char *name)
{
    CUfunction function = nullptr;
    CHECK_CUDA_RETURN(module.context()->driver(), cuModuleGetFunction(&function, module.get(), name));
    return function;
}

Result<unsigned> cuda_function_architecture(const CudaModule &module, CUfunction function)
{
    int architecture = 0;
    CHECK_CUDA_RETURN(module.context()->driver(), cuFuncGetAttribute(&architecture, kFunctionPtxVersion, function));
    return static_cast<unsigned>(architecture);
}

Status cuda_allow_shared(const CudaModule &module, CUfunction function, unsigned bytes)
{
    CHECK_CUDA_RETURN(module.context()->driver(),
                      cuFuncSetAttribute(function, kFunctionMaxDynamicShared, static_cast<int>(bytes)));
    return {};
}

Result<CudaMultiprocessors> cuda_multiprocessors(const CudaContext &context)
{
    int count = 0, shared_bytes = 0;
    CHECK_CUDA_RETURN(context.driver(),
                      cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, context.device()));
    CHECK_CUDA_RETURN(context.driver(), cuDeviceGetAttribute(&shared_bytes, kDeviceMaxBlockShared, context.device()));
    return CudaMultiprocessors{static_cast<unsigned>(count), static_cast<unsigned>(shared_bytes)};
}

} // namespace vmaf
