#pragma once

#include "feature/cuda_backends.h"
#include "feature/xpsnr/xpsnr_blocks.h"

namespace vmaf {

extern const CudaBackend kXpsnrCuda;

/// The context is current.
CudaExtractorResult make_xpsnr_cuda(const CudaContextPtr &context, const XpsnrGrid &grid);

} // namespace vmaf
