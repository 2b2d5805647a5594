#include "cuda/context.h"

#include "base/log.h"
#include "cuda/check.h"

namespace vmaf {
namespace {

// Kernels are built for sm_75 and later (PTX of the newest for later chips).
constexpr int kOldestArchitecture = 75;

Status check_architecture(const CudaDriver &driver, CUdevice device)
{
    int major = 0, minor = 0;
    CHECK_CUDA_RETURN(driver, cuDeviceComputeCapability(&major, &minor, device));
    if (10 * major + minor >= kOldestArchitecture)
        return {};
    log(LogLevel::info, "cuda: device %d has compute capability %d.%d, kernels need 7.5: scoring runs on the CPU",
        device, major, minor);
    return Status::error(ENODEV);
}

// No device is a fact that a caller goes on from, not a fault: one line at info level.
Status first_device(const CudaDriver &driver, CUdevice &device)
{
    int count = 0;
    const CUresult initialised = driver.cuInit(0);
    const Status status = cuda_status(initialised);
    if (status.code() == -ENODEV) {
        log(LogLevel::info, "cuda: the driver finds no usable device (%d): scoring runs on the CPU",
            static_cast<int>(initialised));
        return status;
    }
    if (!status.ok())
        return cuda_failure(driver, initialised, __FILE__, __LINE__, "cuInit(0)");
    CHECK_CUDA_RETURN(driver, cuDeviceGetCount(&count));
    if (count == 0) {
        log(LogLevel::info, "cuda: no device: scoring runs on the CPU");
        return Status::error(ENODEV);
    }
    CHECK_CUDA_RETURN(driver, cuDeviceGet(&device, 0));
    return {};
}

thread_local CudaReleaseScope *g_release_scope = nullptr;

} // namespace

Result<std::shared_ptr<CudaContext>> CudaContext::create(CUcontext client_context)
{
    VMAF_TRY_ASSIGN(const CudaDriver *driver, CudaDriver::get());
    CUdevice device = 0;
    if (client_context == nullptr) {
        VMAF_TRY(first_device(*driver, device));
        VMAF_TRY(check_architecture(*driver, device));
        CUcontext primary = nullptr;
        // Made first: once the context is retained nothing may fail before it has its owner.
        std::shared_ptr<CudaContext> context(new CudaContext(*driver, nullptr, device, false));
        CHECK_CUDA_RETURN(*driver, cuDevicePrimaryCtxRetain(&primary, device));
        context->context_ = primary;
        context->retained_ = true;
        return context;
    }
    std::shared_ptr<CudaContext> context(new CudaContext(*driver, client_context, device, false));
    {
        const CudaContextGuard guard(*context);
        VMAF_TRY(guard.status());
        CHECK_CUDA_RETURN(*driver, cuCtxGetDevice(&context->device_));
    }
    VMAF_TRY(check_architecture(*driver, context->device_));
    return context;
}

CudaContext::~CudaContext()
{
    if (retained_)
        if (const CUresult result = driver_.cuDevicePrimaryCtxRelease(device_); result != CUDA_SUCCESS)
            note_release_failure(
                cuda_failure(driver_, result, __FILE__, __LINE__, "cuDevicePrimaryCtxRelease(device)"));
    report_release_failures();
}

void CudaContext::note_release_failure(Status status)
{
    int none = 0;
    release_failure_.compare_exchange_strong(none, -status.code());
}

void CudaContext::report_release_failures()
{
    const int failure = release_failure_.exchange(0);
    if (failure != 0 && g_release_scope != nullptr && g_release_scope->first_.ok())
        g_release_scope->first_ = Status::error(failure);
}

CudaContextGuard::CudaContextGuard(CudaContext &context) : context_(context)
{
    const CUresult result = context.driver().cuCtxPushCurrent(context.get());
    if (result != CUDA_SUCCESS)
        status_ = cuda_failure(context.driver(), result, __FILE__, __LINE__, "cuCtxPushCurrent(context)");
}

CudaContextGuard::~CudaContextGuard()
{
    if (!status_.ok())
        return;
    CUcontext popped = nullptr;
    const CUresult result = context_.driver().cuCtxPopCurrent(&popped);
    if (result != CUDA_SUCCESS)
        context_.note_release_failure(
            cuda_failure(context_.driver(), result, __FILE__, __LINE__, "cuCtxPopCurrent(&popped)"));
}

CudaReleaseScope::CudaReleaseScope() : outer_(g_release_scope)
{
    g_release_scope = this;
}

CudaReleaseScope::~CudaReleaseScope()
{
    g_release_scope = outer_;
}

} // namespace vmaf
