#include "cuda/check.h"

#include <cstring>

#include "base/log.h"

namespace vmaf {
namespace {

// The CUresult values that the errno table of spec cuda 3 tells apart; nv-codec-headers name only
// success.
enum : int {
    kInvalidValue = 1,
    kOutOfMemory = 2,
    kNotInitialized = 3,
    kDeinitialized = 4,
    kStubLibrary = 34,
    kNoDevice = 100,
    kInvalidDevice = 101,
    kInvalidContext = 201,
    kInvalidHandle = 400,
};

const char *file_name(const char *path)
{
    const char *slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

void log_failure(LogLevel level, const CudaDriver &driver, CUresult result, const CudaCall &call)
{
    const char *name = nullptr;
    if (driver.cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr)
        name = "unknown error";
    log(level, "cuda: %s:%d: %s: %s (%d)", file_name(call.file), call.line, call.text, name, static_cast<int>(result));
}

} // namespace

Status cuda_status(CUresult result)
{
    switch (static_cast<int>(result)) {
    case CUDA_SUCCESS:
        return {};
    case kOutOfMemory:
        return Status::error(ENOMEM);
    case kNotInitialized:
    case kDeinitialized:
    case kStubLibrary:
    case kNoDevice:
        return Status::error(ENODEV);
    case kInvalidValue:
    case kInvalidDevice:
    case kInvalidContext:
    case kInvalidHandle:
        return Status::error(EINVAL);
    default:
        return Status::error(EIO);
    }
}

Status cuda_checked(const CudaDriver &driver, CUresult result, const CudaCall &call)
{
    if (result != CUDA_SUCCESS)
        log_failure(failure_level(), driver, result, call);
    return cuda_status(result);
}

void cuda_checked_aftermath(const CudaDriver &driver, CUresult result, const CudaCall &call)
{
    if (result != CUDA_SUCCESS)
        log_failure(LogLevel::debug, driver, result, call);
}

} // namespace vmaf
