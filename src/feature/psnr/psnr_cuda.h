#pragma once

#include <memory>

#include "feature/cuda_extractor.h"
#include "feature/picture_format.h"

namespace vmaf {

/// The context is current.
/// @param plane_count 1: luma only, 3: all planes.
CudaExtractorResult make_psnr_cuda(const CudaContextPtr &context, const PictureFormat &format, unsigned plane_count,
                                   unsigned max_batch);

} // namespace vmaf
