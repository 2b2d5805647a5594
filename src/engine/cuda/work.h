#pragma once

#include <memory>

#include "cuda/handles.h"
#include "engine/device/device.h"
#include "feature/cuda_extractor.h"

namespace vmaf {

struct CudaBackendOfFeature final : DeviceBackend {
    explicit CudaBackendOfFeature(std::unique_ptr<CudaExtractor> made) : extractor(std::move(made)) {}

    std::unique_ptr<CudaExtractor> extractor;
};

/// The streams of a session. One carries transfers in, one the kernels, one the results out; events
/// order them (spec cuda 6). Kernels of different features do not run side by side: with blocks of
/// two kernels waiting for room, the client's copies of the next frames would wait for both
/// (adr/0006). Those of few blocks do, in a fourth stream.
struct CudaStreams {
    /// Kernels that run one after the other, so they share scratch memory.
    struct Kernels {
        CudaStream stream;
        CudaDeviceMemory scratch;
        std::size_t scratch_bytes = 0;
    };

    CudaStream transfers_in;
    Kernels kernels;
    Kernels beside; ///< of features that run beside the others (CudaExtractor::runs_beside())
    CudaStream results_out;
};

/// One batch's memory for sums, and the events that order its work.
class CudaWork final : public DeviceWork {
  public:
    static Result<std::unique_ptr<CudaWork>> create(const CudaContextPtr &context, const CudaStreams &streams);

    Status reserve(const SumsLayout &layout) override;
    Status launch(const SumsLayout &layout, std::span<const StagedFrame> frames) override;
    Result<bool> is_done() override { return cuda_is_done(done_); }
    Status wait() override;
    const std::byte *sums() const override { return static_cast<const std::byte *>(host_sums_.get()); }

  private:
    CudaWork(CudaContextPtr context, const CudaStreams &streams) : context_(std::move(context)), streams_(streams) {}
    Status launch_kernels(const SumsLayout &layout, std::span<const StagedFrame> frames, bool beside);
    Status launch_part(const SumsLayout &layout, const SumsLayout::Part &part, std::span<const StagedFrame> frames,
                       const CudaStreams::Kernels &lane);

    CudaContextPtr context_;
    const CudaStreams &streams_;
    CudaBatch batch_; ///< of one feature at a time: too large for a client's stack
    CudaDeviceMemory device_sums_;
    CudaPinnedMemory host_sums_;
    std::size_t capacity_bytes_ = 0; ///< of each
    CudaEvent inputs_ready_, kernels_done_, beside_done_, done_;
};

} // namespace vmaf
