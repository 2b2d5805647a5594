#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "feature/cuda_extractor.h"
#include "feature/feature.h"
#include "feature/metrics.h"

namespace vmaf {

/// Request for a CUDA backend: batches of up to `max_batch` frames of one format. The context is
/// current, and the feature has accepted options and format.
struct CudaRequest {
    const CudaContextPtr &context;
    const PictureFormat &format;
    const OptionValues &options;
    unsigned max_batch;
    /// Extractors that need more scratch memory for a batch, though not for one frame, take it in
    /// parts. Those that know a better limit of their own keep below it.
    std::size_t max_scratch_bytes = ~std::size_t{0};

    /// How many frames of a batch go through the kernels at once: as many as the limits have room
    /// for, at least one.
    unsigned part_frames(std::size_t frame_bytes, std::size_t own_limit_bytes) const
    {
        const std::size_t limit = std::min(own_limit_bytes, max_scratch_bytes);
        return static_cast<unsigned>(
            std::clamp<std::size_t>(limit / std::max<std::size_t>(frame_bytes, 1), 1, max_batch));
    }
};

/// The CUDA side of a feature.
struct CudaBackend {
    const FeatureSpec *spec;
    CudaExtractorResult (*make)(const CudaRequest &request);
};

/// Each is in its metric's *_cuda.cpp.
extern const CudaBackend VMAF_CUDA_BACKENDS;

/// Every CUDA backend of this build.
std::span<const CudaBackend *const> cuda_backends();

/// Null if the feature runs on the CPU only.
const CudaBackend *find_cuda_backend(const FeatureSpec &spec);

} // namespace vmaf
