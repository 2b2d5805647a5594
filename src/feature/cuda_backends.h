#pragma once

#include <span>

#include "feature/cuda_extractor.h"
#include "feature/feature.h"

namespace vmaf {

/// What a CUDA backend is made for: batches of up to `max_batch` frames of one format. The context is current, and the feature has
/// accepted options and format.
struct CudaRequest {
    const CudaContextPtr &context;
    const PictureFormat &format;
    const OptionValues &options;
    unsigned max_batch;
};

/// The CUDA side of a feature: each *_cuda.cpp defines one.
struct CudaBackend {
    const FeatureSpec *spec;
    CudaExtractorResult (*make)(const CudaRequest &request);
    double tolerance = 0; ///< by which a score may differ from the CPU's; 0: equal to the last bit
};

/// Every CUDA backend of this build.
std::span<const CudaBackend *const> cuda_backends();

/// Null if the feature runs on the CPU only.
const CudaBackend *find_cuda_backend(const FeatureSpec &spec);

} // namespace vmaf
