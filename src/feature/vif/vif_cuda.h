#pragma once

#include "feature/cuda_backends.h"
#include "feature/vif/vif.h"

namespace vmaf {

extern const CudaBackend kVifCuda;

/// The context is current. The picture is at least 8 x 8.
CudaExtractorResult make_vif_cuda(const CudaContextPtr &context, const PictureFormat &format, const VifOptions &options,
                                  unsigned max_batch);

} // namespace vmaf
