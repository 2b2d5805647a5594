#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kPsnrCuda;

/// The context is current.
/// @param plane_count 1: luma only, 3: all planes.
CudaExtractorResult make_psnr_cuda(const CudaContextPtr &context, const PictureFormat &format, unsigned plane_count);

} // namespace vmaf
