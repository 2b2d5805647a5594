#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kFloatSsimCuda;
extern const CudaBackend kFloatMsSsimCuda;

/// Scratch memory that a session takes at most, unless one frame needs more: larger batches go in parts.
constexpr std::size_t kSsimScratchBytes = std::size_t{192} << 20;

/// The context is current.
/// @param factor by which the pictures are reduced.
CudaExtractorResult make_float_ssim_cuda(const CudaContextPtr &context, const PictureFormat &format, unsigned factor,
                                         unsigned max_batch, std::size_t max_scratch_bytes = kSsimScratchBytes);
CudaExtractorResult make_float_ms_ssim_cuda(const CudaContextPtr &context, const PictureFormat &format,
                                            unsigned max_batch, std::size_t max_scratch_bytes = kSsimScratchBytes);

} // namespace vmaf
