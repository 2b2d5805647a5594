#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cuda/handles.h"
#include "engine/cuda/pictures.h"
#include "engine/device_pipeline.h"
#include "feature/cuda_extractor.h"

namespace vmaf {

/// The session's work on one CUDA device. Frames are gathered into batches: one goes out when it is full, or as soon as the
/// device has nothing to do, so an idle device costs no latency and a busy one is fed full batches. One stream carries transfers
/// in, one the kernels, one the results out; events order them (spec cuda 6). Kernels of different features do not run side by
/// side: with blocks of two kernels waiting for room, the client's copies of the next frames would wait for both (adr/0006).
class CudaPipeline final : public DevicePipeline {
  public:
    /// Acquires nothing from the driver: that waits for the first use.
    CudaPipeline(CudaContextPtr context, std::uint64_t session_id)
        : context_(std::move(context)), session_id_(session_id)
    {
    }
    /// Waits for this pipeline's own streams, then releases everything in the order of spec cuda 2.
    ~CudaPipeline() override;

    Result<bool> start(const Registration &registration, const Feature &feature, const PictureFormat &format) override;
    Status stage(unsigned slot, Frame &frame) override;
    void enqueue() override;
    void submit() override;
    unsigned in_flight() const override;
    void collect(Wait wait, std::vector<Finished> &finished) override;
    Result<VmafPicture> fetch(Grow grow) override;

    /// Replaces the pool (spec cuda 5). -ENOMEM if not even the first pictures fit.
    Status preallocate(const PictureFormat &format, MemoryKind kind);

  private:
    using UploadLease = CudaReuse<CudaUpload>::Lease;

    /// A feature on the device.
    struct Backend {
        const Registration *registration;
        const Feature *feature;
        std::unique_ptr<CudaExtractor> extractor;
        std::size_t sums_offset; ///< of its POD in a frame's sums on the device
    };
    /// What the pipeline keeps for one frame.
    struct Staged {
        unsigned slot = 0;
        Frame *frame = nullptr;
        std::vector<UploadLease> uploads;
        CudaFrame planes{}; ///< without previous_ref and sums, which differ from feature to feature
        std::array<CudaPlane, kHistory> previous_ref_luma{};
    };
    struct Batch {
        std::vector<Staged> frames;
        CudaDeviceMemory device_sums;
        CudaPinnedMemory host_sums;
        std::size_t sums_capacity = 0; ///< bytes of each
        CudaEvent inputs_ready;
        CudaEvent kernels_done;
        CudaEvent done;
        Status status; ///< why it never reached the device
    };
    /// An uploaded reference picture that later frames may be compared with. Holding the host picture keeps its identity.
    struct Remembered {
        PictureHandle picture;
        UploadLease upload;
    };

    /// A plane in host memory of a picture that the session looks back at. Holding the picture keeps its identity.
    struct Downloaded {
        PictureHandle picture;
        unsigned plane = 0;
        PlaneView view;
        CudaReuse<CudaHostCopy>::Lease copy;
    };

    Status open();
    Status stage_device_picture(Staged &staged, const Frame &frame);
    Status stage_host_picture(Staged &staged, const Frame &frame);
    Result<UploadLease> upload(const PictureHandle &picture, PlaneMask planes);
    Result<UploadLease> uploaded_ref(const PictureHandle &picture);
    Status download_for_cpu(Frame &frame);
    Result<PlaneView> download(Frame &frame, const PictureHandle &picture, unsigned plane);
    void forget_downloads(const Frame &frame);

    Status launch(Batch &batch);
    Status launch_backend(const Batch &batch, Backend &backend);
    Status reserve_sums(Batch &batch);
    Status reserve_scratch(std::size_t bytes);
    void finish(Batch &batch, Status status, std::vector<Finished> &finished);
    void send_if_idle();
    Status synchronize();
    std::unique_ptr<Batch> new_batch();

    CudaContextPtr context_;
    const std::uint64_t session_id_;

    std::shared_ptr<CudaPicturePool> pool_;
    std::vector<std::shared_ptr<CudaPicturePool>> old_pools_; ///< replaced, with pictures that may still be in use

    CudaStream transfers_in_;
    CudaStream kernels_;
    CudaStream results_out_;
    CudaEvent client_work_;
    std::vector<std::unique_ptr<Backend>> backends_;
    CudaDeviceMemory scratch_; ///< of the extractors in turn: their kernels are in one stream
    std::size_t scratch_bytes_ = 0;
    std::size_t frame_sums_bytes_ = 0;
    PictureFormat format_;
    PlaneMask planes_on_device_ = 0;

    CudaReuse<CudaUpload> uploads_;
    CudaReuse<CudaHostCopy> host_copies_;
    std::array<Remembered, kHistory> remembered_; ///< latest first
    std::vector<Downloaded> downloaded_;
    std::unique_ptr<Staged> staged_; ///< by stage(), until enqueue()
    std::unique_ptr<Batch> filling_;
    std::vector<std::unique_ptr<Batch>> running_; ///< oldest first
    std::vector<std::unique_ptr<Batch>> spare_;
};

} // namespace vmaf
