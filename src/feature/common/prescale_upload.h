#pragma once

#include "cuda/handles.h"
#include "feature/common/prescale.h"
#include "feature/common/prescale_cuda.h"

namespace vmaf {

/// A Prescaler's tables with the memory that they are in.
struct CudaPrescaler {
    CudaDeviceMemory memory;
    PrescaleTables tables{};
};

/// The context is current. Throws std::bad_alloc.
Result<CudaPrescaler> make_cuda_prescaler(const CudaContextPtr &context, PrescaleMethod method, const PictureSize &from,
                                          const PictureSize &to);

} // namespace vmaf
