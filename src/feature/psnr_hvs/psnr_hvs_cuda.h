#pragma once

#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kPsnrHvsCuda;

/// Scratch memory that a session takes at most, unless a frame of a single group of blocks needs more: of larger pictures some groups go
/// at a time.
constexpr std::size_t kHvsScratchBytes = std::size_t{256} << 20;

/// The context is current.
CudaExtractorResult make_psnr_hvs_cuda(const CudaContextPtr &context, const PictureFormat &format, unsigned max_batch,
                                       std::size_t max_scratch_bytes = kHvsScratchBytes);

} // namespace vmaf
