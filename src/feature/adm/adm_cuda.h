#pragma once

#include <memory>

#include "feature/adm/adm_params.h"
#include "feature/cuda_extractor.h"
#include "feature/picture_format.h"

namespace vmaf {

/// Scratch memory: about 1.6 bytes for each luma sample of each frame of a full batch. The context is current.
CudaExtractorResult make_adm_cuda(const CudaContextPtr &context, const PictureFormat &format, const AdmParams &params,
                                  unsigned max_batch);

} // namespace vmaf
