#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kMotionCuda;

/// Frames without luma of the reference picture read `distance` calls earlier are compared with nothing: their sums stay 0. The context
/// is current. @param distance as for make_motion_cpu.
CudaExtractorResult make_motion_cuda(const CudaContextPtr &context, const PictureFormat &format, unsigned distance);

} // namespace vmaf
