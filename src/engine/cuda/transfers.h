#pragma once

#include <array>
#include <vector>

#include "base/reuse_pool.h"
#include "cuda/batch.h"
#include "cuda/handles.h"
#include "engine/cuda/batch.h"
#include "engine/cuda/normaliser.h"
#include "engine/cuda/scaler.h"
#include "engine/device_pipeline.h"
#include "engine/frame.h"

namespace vmaf {

/// What goes over the bus for a session: of host pictures the planes that device features read, of device pictures those that CPU
/// features read, each plane once, also if later frames look back at it. Foreign planes that are not plain are normalised on the device, and
/// scaled if they are scored in another size.
class CudaTransfers {
  public:
    explicit CudaTransfers(CudaContextPtr context) : context_(std::move(context)) {}

    /// A feature runs on the device from now on: later frames may look back at what it reads.
    void add(const ReadingWindow &window);

    /// Frames with planes like the picture's may come. The driver waits for all work of the context where this is not done yet. Throws
    /// std::bad_alloc.
    Status prepare_for(const ForeignPicture &picture);

    /// As for DevicePipeline.
    PlaneMask reference_planes(const Frame &frame) const;
    /// Queues the frame's transfers in `stream` and says where the kernels find its planes. After a failure forget_all() is due, once the
    /// stream is idle. @param shared as for DevicePipeline::stage().
    Status stage(CudaStagedFrame &staged, Frame &frame, CUstream stream, SharedReference *shared);
    void forget_all();

    /// The end: the device is idle and nobody looks at a transfer any more.
    void close();

  private:
    /// The device's copy of a host picture: the planes of the mask `key`.
    struct Upload {
        PlaneMask key = kNoPlanes;
        CudaDeviceMemory memory;
        CudaPlane plane[3] = {};
    };
    using UploadLease = ReusePool<Upload>::Lease;
    /// The device's copy of a host plane that waits to be normalised, or rows between the passes of scaling: `key` bytes. Only work of the one
    /// stream uses it.
    struct Raw {
        std::size_t key = 0;
        CudaDeviceMemory memory;
    };
    /// The host's copy of a device plane: `key` bytes.
    struct HostCopy {
        std::size_t key = 0;
        CudaPinnedMemory memory;
    };
    /// An upload that later frames may be compared with. Holding the host picture keeps its identity.
    struct Uploaded {
        PictureHandle picture;
        UploadLease copy;
    };
    /// Likewise a plane in host memory of a device picture.
    struct Downloaded {
        PictureHandle picture;
        unsigned plane = 0;
        PlaneView view;
        ReusePool<HostCopy>::Lease copy;
    };

    /// What SharedReference::copy points at: the copy, and the event of the work that makes it, of the session that has it made.
    struct SharedCopy {
        UploadLease copy;
        CUevent ready;
    };

    Status stage_on_device(CudaStagedFrame &staged, const Frame &frame, CUstream stream, SharedReference *shared);
    PlaneMask planes_to_copy(const PictureHandle &picture, PlaneMask on_device, PlaneMask on_cpu) const;
    Result<UploadLease> uploaded(const PictureHandle &picture, PlaneMask planes, CUstream stream);
    Status take_shared(const PictureHandle &picture, const SharedReference &shared, CUstream stream);
    Status share(const PictureHandle &picture, SharedReference &shared, CUstream stream);
    Result<UploadLease> upload(const PictureHandle &picture, PlaneMask planes, CUstream stream);
    Result<Upload> make_upload(const PictureFormat &format, PlaneMask planes) const;
    Status add_normalising(const PictureHandle &picture, unsigned plane, PlaneMask planes, const Upload &to,
                           CUstream stream);
    Status send_jobs(unsigned bpc, CUstream stream);
    Status add_scaling(const PictureHandle &picture, unsigned plane, const CudaPlane &from, const CudaPlane &to);
    Result<CudaPlane> plane_on_device(const PictureHandle &picture, unsigned plane, CUstream stream);
    Result<CUdeviceptr> take_raw(std::size_t bytes);
    void keep_uploads(const Frame &frame);

    Status stage_downloads(const CudaStagedFrame &staged, Frame &frame, CUstream stream);
    Status download(Frame &frame, const PictureHandle &picture, const CudaPlane (&from)[3], PlaneMask planes,
                    PlaneView (&views)[3], CUstream stream);
    Result<PlaneView> download(Frame &frame, const PictureHandle &picture, const CudaPlane &from, unsigned plane,
                               CUstream stream);
    const Downloaded *find_download(const PictureHandle &picture, unsigned plane) const;
    void keep_downloads(const Frame &frame);

    CudaContextPtr context_;
    Earlier<PairMask> earlier_read_; ///< by device features
    ReusePool<Upload> uploads_;
    ReusePool<Raw> raw_;
    std::array<ReuseLease, 2 * std::size_t{kMaxNormaliseJobs}> raw_in_use_; ///< until their kernel is queued
    std::size_t raw_count_ = 0;
    unsigned jobs_ = 0; ///< gathered by the normaliser and the scaler
    CudaNormaliser normaliser_;
    CudaScaler scaler_;
    ReusePool<HostCopy> host_copies_;
    std::vector<Uploaded> uploaded_;
    CudaEvent shared_ready_; ///< behind the copy of a reference that other sessions take
    std::vector<Downloaded> downloaded_;
};

} // namespace vmaf
