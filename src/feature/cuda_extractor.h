#pragma once

#include <memory>

#include "base/result.h"
#include "cuda/batch.h"

struct CUstream_st; // the driver's stream

namespace vmaf {

class CudaContext;
using CudaContextPtr = std::shared_ptr<CudaContext>;

/// The CUDA backend of one feature in one session: module, scratch memory and launches for one format. Calls come one at a
/// time, always with the same stream, so scratch may be reused from batch to batch. The module is unloaded with it.
class CudaExtractor {
  public:
    virtual ~CudaExtractor() = default;

    /// Queues planes -> sums for every frame of the batch (at most the max_batch it was made for) and returns. The context is
    /// current. Sums are zero when the first kernel runs; only the extractor's kernels touch them.
    virtual Status submit(CUstream_st *stream, const CudaBatch &batch) = 0;
};

/// Null where the build or the feature has no CUDA backend for the format.
using CudaExtractorResult = Result<std::unique_ptr<CudaExtractor>>;

} // namespace vmaf
