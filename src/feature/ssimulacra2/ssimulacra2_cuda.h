#pragma once

#include "feature/common/rgb_params.h"
#include "feature/cuda_backends.h"
#include "feature/ssimulacra2/ssimulacra2_params.h"

namespace vmaf {

extern const CudaBackend kSsimulacra2Cuda;

/// The picture is at least 8 x 8. The context is current.
CudaExtractorResult make_ssimulacra2_cuda(const CudaContextPtr &context, const PictureFormat &format,
                                          const YuvMatrix &matrix, unsigned max_batch);

} // namespace vmaf
