#pragma once

#include "feature/cuda_backends.h"
#include "feature/speed/speed.h"

namespace vmaf {

extern const CudaBackend kSpeedChromaCuda;
extern const CudaBackend kSpeedTemporalCuda;

// The context is current.

CudaExtractorResult make_speed_chroma_cuda(const CudaContextPtr &context, const PictureFormat &format,
                                           const SpeedOptions &options, unsigned max_batch);
/// The sums of a frame that is compared with nothing stay 0.
CudaExtractorResult make_speed_temporal_cuda(const CudaContextPtr &context, const PictureFormat &format,
                                             const SpeedOptions &options, unsigned max_batch);

} // namespace vmaf
