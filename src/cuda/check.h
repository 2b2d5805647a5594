#pragma once

#include "base/result.h"
#include "cuda/driver.h"

namespace vmaf {

/// The errno that a driver result is everywhere (spec cuda 3).
Status cuda_status(CUresult result);

/// Where a driver call stands in our code, and its text.
struct CudaCall {
    const char *file;
    int line;
    const char *text;
};

/// Logs a failed call in one line and gives its errno; success is no line and no errno. Of a public
/// call the first failure is an error line, the others are debug lines.
Status cuda_checked(const CudaDriver &driver, CUresult result, const CudaCall &call);
/// Logs the failure of a call at debug level.
void cuda_checked_aftermath(const CudaDriver &driver, CUresult result, const CudaCall &call);

#define VMAF_CUDA_CALL(call) (::vmaf::CudaCall{__FILE__, __LINE__, #call})

// The only ways to check a driver result (adr/0007). `call` is an entry point of the driver with
// its arguments: CHECK_CUDA_RETURN(driver, cuMemAlloc(&memory, bytes)).

/// The call's Status.
#define CHECK_CUDA(driver, call) ::vmaf::cuda_checked((driver), (driver).call, VMAF_CUDA_CALL(call))

/// Returns from the function if the call fails.
#define CHECK_CUDA_RETURN(driver, call) VMAF_TRY(CHECK_CUDA(driver, call))

/// For a run of calls with one exit that must run: a call that fails sets `status`, which the
/// function declares, and jumps there.
#define CHECK_CUDA_GOTO(driver, call, label)                                                                           \
    do {                                                                                                               \
        if (status = CHECK_CUDA(driver, call); !status.ok())                                                           \
            goto label;                                                                                                \
    } while (0)

/// For what has to be done after a failure that was said already: if it fails too, that is no news.
#define CHECK_CUDA_AFTERMATH(driver, call) ::vmaf::cuda_checked_aftermath((driver), (driver).call, VMAF_CUDA_CALL(call))

/// For releases: a failure is said once until the context's release failures are taken, and counts
/// as done (spec cuda 3).
#define CHECK_CUDA_RELEASE(context, call) (context).note_release((context).driver().call, VMAF_CUDA_CALL(call))

} // namespace vmaf
