#pragma once

#include <memory>
#include <vector>

#include "engine/device/device.h"
#include "engine/lane.h"

namespace vmaf {

/// What goes to and from a device for a session: of host pictures the planes that device features
/// read, of device pictures those that CPU features read, each plane once, also if later frames
/// look back at it. Foreign planes that are not plain are normalised on the device, and scaled if
/// they are scored in another size.
class DeviceTransfers {
  public:
    explicit DeviceTransfers(Device &device) : device_(device) {}

    /// A feature runs on the device from now on: later frames may look back at what it reads.
    /// Throws std::bad_alloc.
    void add(const ReadingWindow &window) { add_earlier(window, earlier_read_); }

    /// As Lane::reference_planes().
    PlaneMask reference_planes(const Frame &frame) const;
    /// Lets the transfers come after what clients have queued on the pictures. For the default
    /// stream that waits until the first transfer, or wait_for_default_stream().
    Status wait_for_clients(const Frame &frame);
    /// Before kernels read pictures in device memory.
    Status wait_for_default_stream();
    /// Queues the frame's transfers and says where the kernels find its planes. After a failure
    /// forget_all() is due, once the device has settled. Throws std::bad_alloc. @param shared as
    /// for Lane::admit().
    Status stage(StagedFrame &staged, Frame &frame, SharedReference *shared);
    void forget_all();

  private:
    /// An upload that later frames may be compared with. Holding the host picture keeps its
    /// identity.
    struct Uploaded {
        PictureHandle picture;
        PlanesOnDevice copy;
    };
    /// A plane of a device picture in host memory that later frames may be compared with.
    struct Downloaded {
        PictureHandle picture;
        unsigned plane = 0;
        PlaneOnHost copy;
    };
    /// What SharedReference::copy points at, and the mark of the session that has it made.
    struct SharedCopy {
        PlanesOnDevice copy;
        const void *made;
    };

    Status stage_on_device(StagedFrame &staged, const Frame &frame, SharedReference *shared);
    Status stage_picture(StagedFrame &staged, const PictureHandle &picture, PlaneMask on_device, PlaneMask on_cpu,
                         DevicePlane (&views)[3]);
    PlaneMask planes_to_copy(const PictureHandle &picture, PlaneMask on_device, PlaneMask on_cpu) const;
    Result<PlanesOnDevice> uploaded(const PictureHandle &picture, PlaneMask planes);
    Status take_shared(const PictureHandle &picture, const SharedReference &shared);
    Status share(const PictureHandle &picture, SharedReference &shared);
    void keep_uploads(const Frame &frame);

    Status stage_downloads(const StagedFrame &staged, Frame &frame);
    Status download(Frame &frame, const PictureHandle &picture, const DevicePlane (&from)[3], PlaneMask planes,
                    PlaneView (&views)[3]);
    Result<PlaneView> download(Frame &frame, const PictureHandle &picture, const DevicePlane &from, unsigned plane);
    const Downloaded *find_download(const PictureHandle &picture, unsigned plane) const;
    void keep_downloads(const Frame &frame);

    Device &device_;
    Earlier<PairMask> earlier_read_;        ///< by device features
    Earlier<PairMask> earlier_read_on_cpu_; ///< of the frame that is staged, by its CPU features
    std::vector<void *> client_streams_;    ///< that the staged frame has waited for
    bool default_stream_is_due_ = false;    ///< a frame that was admitted has yet to wait for it
    std::vector<Uploaded> uploaded_;
    std::vector<Downloaded> downloaded_;
};

} // namespace vmaf
