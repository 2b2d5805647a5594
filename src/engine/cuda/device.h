#pragma once

#include <array>
#include <memory>
#include <optional>

#include "cuda/handles.h"
#include "engine/cuda/copies.h"
#include "engine/cuda/work.h"
#include "engine/device/device.h"

namespace vmaf {

/// The longest side of a picture that CUDA backends take, pixels: sizes and sums were proven up to
/// there.
constexpr unsigned kLargestCudaSidePx = 16384;

/// A CUDA device, for one session.
class CudaDevice final : public Device {
  public:
    /// Acquires nothing from the driver: that waits for the first use.
    explicit CudaDevice(CudaContextPtr context) : context_(std::move(context)), copies_(context_, streams_.transfers_in)
    {
    }

    const char *name() const override { return "CUDA device"; }
    const void *context() const override { return context_->get(); }
    Status enter() override { return guard_.emplace(*context_).status(); }
    void leave() override { guard_.reset(); }

    unsigned most_batch_frames() const override { return kMaxBatchFrames; }
    unsigned batch_frames(const PictureFormat &format) const override;
    Result<bool> may_run(const SessionFeature &feature, const PictureFormat &format) const override;
    Result<std::unique_ptr<DeviceBackend>> make_backend(const SessionFeature &feature,
                                                        const PictureFormat &format) override;

    Status open() override;
    Result<std::unique_ptr<DeviceWork>> make_work() override;
    void settle() override;

    Status prepare_for(const ForeignPicture &picture) override;
    Status wait_for_client(void *stream) override;
    Result<PlanesOnDevice> upload(const PictureHandle &picture, PlaneMask planes) override
    {
        return copies_.upload(picture, planes);
    }
    Status finish_uploads(unsigned bpc) override { return copies_.send_jobs(bpc); }
    void forget_uploads() override { copies_.forget_jobs(); }
    Result<PlaneOnHost> download(const PlaneView &plane, const DevicePlane &from) override
    {
        return copies_.download(plane, from);
    }
    Result<const void *> mark_transfers() override;
    Status wait_for(const void *mark) override;

    Result<std::unique_ptr<PictureMemory>> picture_memory(const PictureFormat &format, MemoryKind kind,
                                                          std::uint64_t session_id) override;

    void finish() override;
    /// In the order of spec cuda 2.
    Status close() override;

  private:
    Status check_memory(const ForeignPicture &picture) const;
    Status reserve_scratch(CudaStreams::Kernels &kernels, std::size_t bytes);
    std::array<CUstream, 4> streams() const
    {
        return {streams_.transfers_in.get(), streams_.kernels.stream.get(), streams_.beside.stream.get(),
                streams_.results_out.get()};
    }

    CudaContextPtr context_; ///< null once closed
    std::optional<CudaContextGuard> guard_;
    CudaStreams streams_;
    CudaEvent client_work_;  ///< made last: with it everything is there
    CudaEvent shared_ready_; ///< behind the copy of a reference that other sessions take
    CudaCopies copies_;
};

} // namespace vmaf
