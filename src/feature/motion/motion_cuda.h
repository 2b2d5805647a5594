#pragma once

#include <memory>

#include "feature/cuda_extractor.h"
#include "feature/picture_format.h"

namespace vmaf {

/// Frames whose CudaFrame::previous_ref is null are compared with nothing: their sums stay 0. The context is current.
CudaExtractorResult make_motion_cuda(const CudaContextPtr &context, const PictureFormat &format, unsigned max_batch);

} // namespace vmaf
