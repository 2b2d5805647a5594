#include "cuda/context.h"

#include "base/log.h"
#include "cuda/check.h"

namespace vmaf {
namespace {

// The oldest architecture of the kernels' machine code: the least of -Dgpu_archs.
constexpr int kOldestArchitecture = VMAF_OLDEST_GPU_ARCHITECTURE;

Status check_architecture(const CudaDriver &driver, CUdevice device)
{
    int major = 0, minor = 0;
    CHECK_CUDA_RETURN(driver, cuDeviceComputeCapability(&major, &minor, device));
    if (10 * major + minor >= kOldestArchitecture)
        return {};
    log(LogLevel::info, "cuda: device %d has compute capability %d.%d, kernels need %d.%d: scoring runs on the CPU",
        device, major, minor, kOldestArchitecture / 10, kOldestArchitecture % 10);
    return Status::error(ENODEV);
}

// No device is a fact that a caller goes on from, not a fault: one line at info level.
Status initialise(const CudaDriver &driver)
{
    const CUresult result = driver.cuInit(0);
    const Status status = cuda_status(result);
    if (status.code() != -ENODEV)
        return cuda_checked(driver, result, VMAF_CUDA_CALL(cuInit(0)));
    log(LogLevel::info, "cuda: the driver finds no usable device (%d): scoring runs on the CPU",
        static_cast<int>(result));
    return status;
}

Status find_device(const CudaDriver &driver, int number, CUdevice &device)
{
    VMAF_TRY(initialise(driver));
    int count = 0;
    CHECK_CUDA_RETURN(driver, cuDeviceGetCount(&count));
    if (count == 0) {
        log(LogLevel::info, "cuda: no device: scoring runs on the CPU");
        return Status::error(ENODEV);
    }
    if (number < 0 || number >= count) {
        log(LogLevel::error, "cuda: there is no device %d: the driver has %d, numbered from 0", number, count);
        return Status::error(EINVAL);
    }
    CHECK_CUDA_RETURN(driver, cuDeviceGet(&device, number));
    return {};
}

} // namespace

Result<std::shared_ptr<CudaContext>> CudaContext::create(CUcontext client_context, int device_number)
{
    VMAF_TRY_ASSIGN(const CudaDriver *driver, CudaDriver::get());
    CUdevice device = 0;
    if (client_context == nullptr) {
        VMAF_TRY(find_device(*driver, device_number, device));
        VMAF_TRY(check_architecture(*driver, device));
        CUcontext primary = nullptr;
        // Made first: once the context is retained nothing may fail before it has its owner.
        std::shared_ptr<CudaContext> context(new CudaContext(*driver, nullptr, device));
        CHECK_CUDA_RETURN(*driver, cuDevicePrimaryCtxRetain(&primary, device));
        context->context_ = primary;
        context->retained_ = true;
        return context;
    }
    std::shared_ptr<CudaContext> context(new CudaContext(*driver, client_context, device));
    VMAF_TRY(context->find_clients_device());
    return context;
}

Status CudaContext::find_clients_device()
{
    CUcontext popped = nullptr;
    Status status;
    CHECK_CUDA_RETURN(driver_, cuCtxPushCurrent(context_));
    CHECK_CUDA_GOTO(driver_, cuCtxGetDevice(&device_), pop);
    status = check_architecture(driver_, device_);
pop:
    CHECK_CUDA_RELEASE(*this, cuCtxPopCurrent(&popped));
    return status;
}

CudaContext::~CudaContext()
{
    if (retained_)
        CHECK_CUDA_RELEASE(*this, cuDevicePrimaryCtxRelease(device_));
}

void CudaContext::note_release(CUresult result, const CudaCall &call)
{
    if (result == CUDA_SUCCESS)
        return;
    if (release_failures_->note(cuda_status(result)))
        static_cast<void>(cuda_checked(driver_, result, call).code());
    else
        cuda_checked_aftermath(driver_, result, call);
}

CudaContextGuard::CudaContextGuard(CudaContext &context, Purpose purpose) : context_(context)
{
    const CUresult result = context.driver().cuCtxPushCurrent(context.get());
    const CudaCall call = VMAF_CUDA_CALL(cuCtxPushCurrent(context));
    pushed_ = result == CUDA_SUCCESS;
    if (purpose == Purpose::release)
        context.note_release(result, call);
    else
        status_ = cuda_checked(context.driver(), result, call);
}

CudaContextGuard::~CudaContextGuard()
{
    CUcontext popped = nullptr;
    if (pushed_)
        CHECK_CUDA_RELEASE(context_, cuCtxPopCurrent(&popped));
}

} // namespace vmaf
