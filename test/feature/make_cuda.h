#pragma once

#include "cuda/device_pictures.h"
#include "feature/cuda_backends.h"
#include "feature/feature_runner.h"

namespace vmaf::test {

/// The backend for options that a client writes.
inline std::unique_ptr<CudaExtractor> make_cuda(const TestGpu &gpu, const CudaBackend &backend,
                                                const PictureFormat &format, const Options &options = {},
                                                unsigned max_batch = kMaxBatchFrames,
                                                std::size_t max_scratch_bytes = ~std::size_t{0})
{
    const OptionValues values = parse_options(*backend.spec, options).value();
    return require(backend.make({gpu.context(), format, values, max_batch, max_scratch_bytes}), backend.spec->name);
}

} // namespace vmaf::test
