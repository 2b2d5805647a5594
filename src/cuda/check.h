#pragma once

#include "base/result.h"
#include "cuda/driver.h"

namespace vmaf {

/// The errno that a driver result is everywhere (spec cuda 3).
Status cuda_status(CUresult result);

/// Logs a failed call in one line and gives its errno.
Status cuda_failure(const CudaDriver &driver, CUresult result, const char *file, int line, const char *call);

/// The only ways to check a driver result. `call` is an entry point of the driver with its arguments:
/// CHECK_CUDA_RETURN(driver, cuMemAlloc(&memory, bytes)).
#define CHECK_CUDA_RETURN(driver, call)                                                                                \
    do {                                                                                                               \
        if (const CUresult cuda_result_ = (driver).call; cuda_result_ != CUDA_SUCCESS)                                 \
            return ::vmaf::cuda_failure((driver), cuda_result_, __FILE__, __LINE__, #call);                            \
    } while (0)

/// The same where something must be undone: needs a variable `status` and jumps to `label`.
#define CHECK_CUDA_GOTO(driver, call, label)                                                                           \
    do {                                                                                                               \
        if (const CUresult cuda_result_ = (driver).call; cuda_result_ != CUDA_SUCCESS) {                               \
            status = ::vmaf::cuda_failure((driver), cuda_result_, __FILE__, __LINE__, #call);                          \
            goto label;                                                                                                \
        }                                                                                                              \
    } while (0)

} // namespace vmaf
