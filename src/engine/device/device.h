#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/device/staged_frame.h"
#include "engine/picture_pool.h"

namespace vmaf {

/// A feature's kernels on a device, as its driver has them.
class DeviceBackend {
  public:
    virtual ~DeviceBackend() = default;
};

/// Which features run on the device, and where each one's sums lie within a frame's block. Never
/// changes: a feature that is added makes a new one, and batches that began before keep theirs.
class SumsLayout {
  public:
    struct Part {
        const SessionFeature *feature;
        DeviceBackend *backend;
        std::size_t offset; ///< of its POD in a frame's block
    };

    const std::vector<Part> &parts() const { return parts_; }
    /// Size of a frame's block.
    std::size_t frame_bytes() const { return frame_bytes_; }
    /// This one and one more feature, or another backend of one that it has. Throws std::bad_alloc.
    std::shared_ptr<const SumsLayout> with(const SessionFeature &feature, DeviceBackend &backend) const;

  private:
    std::vector<Part> parts_;
    std::size_t frame_bytes_ = 0;
};

/// The work of one batch on a device, used again for later ones. Its end drops it: the device is
/// idle, or the work never got there.
class DeviceWork {
  public:
    virtual ~DeviceWork() = default;

    /// Takes the memory that a full batch of that layout needs: launch() cannot fail for lack of
    /// it. Throws std::bad_alloc.
    virtual Status reserve(const SumsLayout &layout) = 0;
    /// Queues everything behind the transfers of the frames: their sums are cleared, made, and
    /// brought to the host.
    virtual Status launch(const SumsLayout &layout, std::span<const StagedFrame> frames) = 0;
    /// Whether that is done.
    virtual Result<bool> is_done() = 0;
    virtual Status wait() = 0;
    /// What came back: as many blocks of the layout as there were frames.
    virtual const std::byte *sums() const = 0;
};

/// A device as its driver does it: everything that differs between kinds of devices, for one
/// session. The lane above (DeviceLane) decides which planes go where, which frames make a batch
/// and when it goes. Calls come from one thread at a time, and within a DeviceUse but for those
/// that say otherwise.
class Device {
  public:
    virtual ~Device() = default;

    /// For log lines: "CUDA device". Anywhere.
    virtual const char *name() const = 0;
    /// What device memory belongs to that the kernels can read. Anywhere.
    virtual const void *context() const = 0;

    /// For DeviceUse: makes the device the calling thread's current one. leave() comes after a
    /// failure too.
    virtual Status enter() = 0;
    virtual void leave() = 0;

    /// Frames of one batch at most, of pictures of any format. Anywhere.
    virtual unsigned most_batch_frames() const = 0;
    /// How many frames of such pictures fill the device for long enough. Anywhere.
    virtual unsigned batch_frames(const PictureFormat &format) const = 0;

    /// Whether there may be a backend. -EINVAL, with a log line, for a picture that the device is
    /// too small for. Anywhere.
    virtual Result<bool> may_run(const SessionFeature &feature, const PictureFormat &format) const = 0;
    /// Null if there is none for that format.
    virtual Result<std::unique_ptr<DeviceBackend>> make_backend(const SessionFeature &feature,
                                                                const PictureFormat &format) = 0;

    /// Whether it computes the feature, of which it has a backend for that format, as the CPU does,
    /// as far as that is asked (spec vulkan 5). A device that does not says so in a log line.
    virtual Result<bool> is_right(const SessionFeature &, const PictureFormat &) const { return true; }

    /// Takes what every frame needs; once, and again after a failure.
    virtual Status open() = 0;
    virtual Result<std::unique_ptr<DeviceWork>> make_work() = 0;
    /// After a failure that was said: waits for what did get queued. It still uses memory that is
    /// about to be used otherwise.
    virtual void settle() = 0;

    /// As Lane::prepare_for().
    virtual Status prepare_for(const ForeignPicture &picture) = 0;
    /// Lets the transfers come after the work that a client has queued in its stream; null: its
    /// default one.
    virtual Status wait_for_client(void *stream) = 0;
    /// Queues the copy of a picture's planes to the device, as they are scored. Some may wait for
    /// finish_uploads().
    virtual Result<PlanesOnDevice> upload(const PictureHandle &picture, PlaneMask planes) = 0;
    /// Queues what waits, all of that depth.
    virtual Status finish_uploads(unsigned bpc) = 0;
    /// Forgets what waits. Anywhere.
    virtual void forget_uploads() = 0;
    /// Queues the copy of a device plane to the host. @param plane the size; its memory is given.
    virtual Result<PlaneOnHost> download(const PlaneView &plane, const DevicePlane &from) = 0;
    /// A place behind the transfers queued so far that other sessions of the context may wait for.
    /// One at a time.
    virtual Result<const void *> mark_transfers() = 0;
    virtual Status wait_for(const void *mark) = 0;

    /// Memory for a pool of pictures; on the device or pinned, only that session takes them.
    /// -ENOMEM, with a log line, if they are larger than any. Anywhere.
    virtual Result<std::unique_ptr<PictureMemory>> picture_memory(const PictureFormat &format, MemoryKind kind,
                                                                  std::uint64_t session_id) = 0;

    /// Before anything is released: waits for the session's work. Not within a DeviceUse.
    virtual void finish() = 0;
    /// Releases everything; whatever else was made by the device is gone by now. The first release
    /// that failed since the last report. Not within a DeviceUse.
    virtual Status close() = 0;
};

/// The device is the calling thread's current one for a scope.
class DeviceUse {
  public:
    explicit DeviceUse(Device &device) : device_(device), status_(device.enter()) {}
    ~DeviceUse() { device_.leave(); }
    DeviceUse(const DeviceUse &) = delete;
    DeviceUse &operator=(const DeviceUse &) = delete;

    Status status() const { return status_; }

  private:
    Device &device_;
    Status status_;
};

} // namespace vmaf
