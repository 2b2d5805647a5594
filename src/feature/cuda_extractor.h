#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "cuda/frame_batch.h"

struct CUstream_st; // the driver's stream

namespace vmaf {

class CudaContext;
using CudaContextPtr = std::shared_ptr<CudaContext>;

/// The CUDA backend of one feature in one session: module, tables and launches for one format.
/// Calls come one at a time. The module is unloaded with it.
class CudaExtractor {
  public:
    virtual ~CudaExtractor() = default;

    /// Device memory that the kernels of one batch pass results to each other in. Extractors on one
    /// stream may share it.
    virtual std::size_t scratch_bytes() const { return 0; }

    /// Whether its kernels are long chains of few blocks, which leave most of the device idle: they
    /// run beside the other features', in a stream and with scratch memory that only their like
    /// use.
    virtual bool runs_beside() const { return false; }

    /// Queues planes -> sums for every frame of the batch (at most the max_batch it was made for)
    /// and returns. The context is current. Sums are zero when the first kernel runs; only the
    /// extractor's kernels touch them.
    /// @param scratch scratch_bytes() of any content, aligned to 256 bytes; nobody else's until the
    /// stream is past the batch.
    virtual Status submit(CUstream_st *stream, const CudaBatch &batch, unsigned char *scratch) = 0;
};

/// Null where the build or the feature has no CUDA backend for the format.
using CudaExtractorResult = Result<std::unique_ptr<CudaExtractor>>;

} // namespace vmaf
