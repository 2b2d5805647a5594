#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cuda/handles.h"
#include "engine/cuda/batch.h"
#include "engine/cuda/load.h"
#include "engine/cuda/picture_pool.h"
#include "engine/cuda/transfers.h"
#include "engine/device_pipeline.h"

namespace vmaf {

/// The longest side of a picture that CUDA backends take, pixels: sizes and sums were proven up to there.
constexpr unsigned kLargestCudaSidePx = 16384;

/// The session's work on one CUDA device: the order of the steps. Frames are gathered into batches: one goes out when it is full, or as
/// soon as the device has nothing to do for this session or another one of the context (adr/0009), so an idle device costs no latency and a
/// busy one is fed full batches. One stream carries
/// transfers in, one the kernels, one the results out; events order them (spec cuda 6). Kernels of different features do not run side by
/// side: with blocks of two kernels waiting for room, the client's copies of the next frames would wait for both (adr/0006). Those of few
/// blocks do, in a fourth stream.
class CudaPipeline final : public DevicePipeline {
  public:
    /// Acquires nothing from the driver: that waits for the first use.
    CudaPipeline(CudaContextPtr context, std::uint64_t session_id)
        : context_(std::move(context)), session_id_(session_id), transfers_(context_)
    {
    }
    ~CudaPipeline() override { static_cast<void>(close().code()); }

    const char *name() const override { return "CUDA device"; }
    const void *context() const override { return context_->get(); }
    Status prepare_for(const ForeignPicture &picture) override;
    unsigned most_in_flight() const override { return (kBatchesAtOnce + 1) * kMaxBatchFrames; }

    Result<bool> start(const SessionFeature &feature, const PictureFormat &format) override;
    PlaneMask reference_planes(const Frame &frame) const override { return transfers_.reference_planes(frame); }
    void borrow(const std::shared_ptr<PictureOwner> &pool) override;
    Status stage(unsigned slot, Frame &frame, SharedReference *shared) override;
    void unstage() override;
    void enqueue() override;
    void submit() override;
    void forget_pictures() override { transfers_.forget_all(); }
    unsigned in_flight() const override;
    void collect(Wait wait, std::vector<Returned> &returned) override;

    Status preallocate(const PictureFormat &format, MemoryKind kind) override;
    std::optional<PictureFormat> device_pool_format() const override;
    Result<VmafPicture> fetch(Grow grow) override;

    /// Waits for this pipeline's own streams, then releases everything in the order of spec cuda 2.
    Status close() override;

  private:
    /// One batch runs while the next one is gathered.
    static constexpr unsigned kBatchesAtOnce = 2;

    Status open();
    Status check_memory(const ForeignPicture &picture) const;
    Status wait_for_client(const Frame &frame) const;
    Status begin_batch();
    Result<bool> wait_or_ask(const CudaFrameBatch &batch, Wait wait) const;
    /// Kernels that run one after the other, so they share scratch memory.
    struct KernelLane {
        CudaStream stream;
        CudaDeviceMemory scratch;
        std::size_t scratch_bytes = 0;

        CudaFrameBatch::Lane view() const { return {stream.get(), reinterpret_cast<unsigned char *>(scratch.get())}; }
    };
    Status reserve_scratch(KernelLane &lane, std::size_t bytes);
    unsigned usual_pictures(const PictureFormat &format) const;
    std::array<const CudaStream *, 4> streams() const
    {
        return {&transfers_in_, &kernels_.stream, &beside_.stream, &results_out_};
    }
    Status synchronize() const;
    void settle() const;
    void give_up(CudaStagedFrame &staged);
    void drop_idle_pools();
    void send_if_idle();

    CudaContextPtr context_; ///< null once closed
    const std::uint64_t session_id_;

    std::shared_ptr<CudaPicturePool> pool_;
    std::vector<std::shared_ptr<CudaPicturePool>> old_pools_; ///< replaced or borrowed: their pictures may be in use

    CudaStream transfers_in_;
    KernelLane kernels_;
    KernelLane beside_; ///< of features that run beside the others
    CudaStream results_out_;
    CudaEvent client_work_;
    CudaTransfers transfers_;
    std::shared_ptr<CudaLoad> load_;
    std::vector<std::unique_ptr<CudaExtractor>> extractors_;
    std::shared_ptr<const CudaSumsLayout> layout_ = std::make_shared<CudaSumsLayout>();
    unsigned batch_limit_ = kMaxBatchFrames; ///< of pictures of the features' format
    unsigned look_back_ = 0;                 ///< frames, of the feature that looks back farthest

    std::unique_ptr<CudaFrameBatch> filling_;
    std::vector<std::unique_ptr<CudaFrameBatch>> running_; ///< oldest first
    std::vector<std::unique_ptr<CudaFrameBatch>> spare_;
};

} // namespace vmaf
