#pragma once

#include <memory>

#include "feature/cuda_backends.h"
#include "feature/ssim/ssim_cuda_params.h"

namespace vmaf {

/// Makes images in scratch memory of the pictures of a batch, to be evaluated (spec ssim 3.3).
class SsimImageMaker {
  public:
    virtual ~SsimImageMaker() = default;

    /// Queues kernels that write level 1 of every frame of `params.batch`.
    virtual Status make_images(CUstream_st *stream, const SsimKernelParams &params) = 0;
};

/// A backend whose sums are SsimSums of such images, which are as large as the pictures.
CudaExtractorResult make_ssim_of_images(const CudaRequest &request, std::unique_ptr<SsimImageMaker> maker);

} // namespace vmaf
