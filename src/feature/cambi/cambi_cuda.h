#pragma once

#include "feature/cambi/cambi.h"
#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kCambiCuda;

/// Null for pictures whose exact sums could overflow. The context is current. Heatmaps are not written.
CudaExtractorResult make_cambi_cuda(const CudaContextPtr &context, const PictureFormat &format, const CambiTask &task,
                                    unsigned max_batch);

} // namespace vmaf
