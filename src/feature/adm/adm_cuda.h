#pragma once

#include "feature/adm/adm_params.h"
#include "feature/cuda_backends.h"

namespace vmaf {

extern const CudaBackend kAdmCuda;

/// Scratch memory: about 1.6 bytes for each luma sample of each frame of a full batch. The context is current.
CudaExtractorResult make_adm_cuda(const CudaContextPtr &context, const PictureFormat &format, const AdmParams &params,
                                  unsigned max_batch);

} // namespace vmaf
