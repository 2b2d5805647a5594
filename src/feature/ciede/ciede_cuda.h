#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kCiedeCuda;

/// The context is current.
CudaExtractorResult make_ciede_cuda(const CudaContextPtr &context, const PictureFormat &format, unsigned max_batch);

} // namespace vmaf
