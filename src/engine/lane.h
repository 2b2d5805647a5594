#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "engine/frame_ledger.h"
#include "engine/picture_pool.h"

namespace vmaf {

class FrameToken;
class SessionFeature;

/// The reference of one call that feeds several sessions of one device. It goes to the device once,
/// with the session that is admitted first.
struct SharedReference {
    PlaneMask planes = kNoPlanes;     ///< that any of the sessions may have to copy, for this frame or later ones
    std::shared_ptr<const void> copy; ///< the device's own; null until a session was admitted that needed one
};

/// Scores the frames of a session: inside the call, by workers, or on a device above one of these
/// two. The lower lane gets frames from the device if features are left for the CPU. A frame's way
/// is a FrameToken: it is admitted, it goes, and in the end it has its scores in the table or is
/// noted as lost. What only devices do has a default here, for lanes without one. Frames are
/// admitted by one thread at a time; collect() comes from any.
class Lane {
  public:
    virtual ~Lane() = default;

    /// Frames that hold the client's memory: frames that were read, and the next one, in a number
    /// of runs of successive frames.
    struct Holding {
        unsigned frames, runs;
    };
    /// @param slots of the ledger. @param subsample as in SessionConfig.
    virtual Holding holding(unsigned slots, unsigned subsample) const = 0;
    /// Frames may have the slots 0..count-1 from now on. Throws std::bad_alloc.
    virtual void reserve_slots(unsigned count) = 0;
    /// How many frames are computed on the CPU at a time: each has backends of its own.
    virtual unsigned cpu_backends() const = 0;

    /// The lane that the frame is admitted to: this one, or the one below.
    virtual Lane &lane_of(const Frame &) { return *this; }
    /// Keeps everybody else from the device until the token has gone or is given up: what they
    /// gather must not go without its frame.
    virtual std::unique_lock<std::mutex> hold() { return {}; }
    /// Planes for SharedReference::planes. The lane is held.
    virtual PlaneMask reference_planes(const Frame &) const { return kNoPlanes; }
    /// Of a lane that computes whole frames on the CPU: its workers, and the frames and groups of
    /// frames that they have or that wait for them. No workers: go() computes the frame before it
    /// returns.
    struct CpuLoad {
        unsigned workers, jobs;
    };
    virtual std::optional<CpuLoad> cpu_load() const { return std::nullopt; }
    /// Takes whatever the frame needs, so that it cannot fail for lack of it once it goes. The lane
    /// is held until go() or give_up(). On failure nothing was taken. @param shared null: the
    /// reference is this session's alone.
    virtual Status admit(unsigned /*slot*/, Frame &, SharedReference * /*shared*/) { return {}; }
    /// Gives back what admit() took.
    virtual void give_up() {}
    /// The frame is in flight: takes the slot from the token, or has computed the frame when it
    /// returns. A worker gets it with its group, when all of that are in flight. A failure is the
    /// call's.
    virtual Status go(FrameToken &token) = 0;
    /// Scores what is left of a frame in flight that a lane above, or another session's worker, has
    /// done its part of, and ends it. Any thread.
    virtual void finish(unsigned slot) = 0;

    enum class Wait { no, for_oldest };
    /// Takes in what has been done elsewhere; with `for_oldest`, sends what was gathered and waits
    /// for the oldest of it. False if there is nothing to wait for: frames in flight then need no
    /// help.
    virtual bool collect(Wait) { return false; }
    /// The first failure that ends reading (spec cuda 3).
    virtual Status failure() { return {}; }
    /// No later frame looks back at those that have gone.
    virtual void forget_pictures() {}
    /// Lets queued frames end and releases everything. The first release of the device that failed.
    virtual Status close() = 0;

    /// The context that memory belongs to which the device can read. Null: there is no device.
    virtual const void *device_context() const { return nullptr; }
    /// Name for log lines, such as "CUDA device".
    virtual const char *device_name() const { return nullptr; }
    /// Whether a feature runs on the device. If not, it has no backend for that format, or the
    /// device computes it wrongly and a log line says so.
    enum class Start { done, no_backend, refused };
    /// Makes the feature's backend on the device. Frames that have gone are not affected. On
    /// failure nothing has changed.
    /// @return -EINVAL, with a log line, for a picture that the device is too small for.
    virtual Result<Start> start(const SessionFeature &, const PictureFormat &) { return Start::no_backend; }
    /// Takes what foreign pictures like this one need, so that no read of them waits for it.
    /// -EINVAL, with a log line, if the driver knows planes in device memory to belong to another
    /// context.
    virtual Status prepare_for(const ForeignPicture &) { return {}; }
    /// The session reads pictures of a pool that another session of the same context preallocated:
    /// their memory stays for as long as this one, too, may use it. Throws std::bad_alloc.
    virtual void borrow(const std::shared_ptr<PicturePool> &) {}
    /// Memory for pictures on the host that any session takes. Throws std::bad_alloc.
    virtual Result<std::unique_ptr<PictureMemory>> host_picture_memory(const PictureFormat &format)
    {
        return plain_picture_memory(format);
    }
    /// Replaces the device's pool of pictures. -ENOMEM if not even the first ones fit; -EINVAL
    /// without a device.
    virtual Status preallocate(const PictureFormat &, MemoryKind) { return Status::error(EINVAL); }
    /// Format of the device's pool, if its pictures are in device memory.
    virtual std::optional<PictureFormat> device_pool_format() { return std::nullopt; }
    /// A picture of that pool; its `ref` is null if there is none to spare. `grow` allows more than
    /// the usual number.
    virtual Result<VmafPicture> fetch(bool /*grow*/) { return Status::error(EINVAL); }
};

/// A frame on its way into a lane: its slot, and once it is admitted what the lane took for it. All
/// is given back unless the frame goes.
class FrameToken {
  public:
    FrameToken(FrameLedger &ledger, unsigned slot) : ledger_(ledger), slot_(slot) {}
    ~FrameToken();
    FrameToken(const FrameToken &) = delete;
    FrameToken &operator=(const FrameToken &) = delete;

    Frame &frame() const { return ledger_.frame(slot_); }

    /// Chooses the lane, once the frame has its pictures and says what is due of it.
    void enter(Lane &session_lane) { lane_ = &session_lane.lane_of(frame()); }
    /// Hold the lane. Call it once before admit() and reference_planes().
    void hold() { hold_ = lane_->hold(); }
    bool holds_device() const { return hold_.owns_lock(); }
    PlaneMask reference_planes() const { return lane_->reference_planes(frame()); }
    std::optional<Lane::CpuLoad> cpu_load() const { return lane_->cpu_load(); }
    Status admit(SharedReference *shared);
    /// A failure is the call's: the frame was not taken.
    Status go();
    /// After go(): takes in what the lane has done meanwhile.
    void collect() { lane_->collect(Lane::Wait::no); }

    /// Hand the slot over to the lane. The lane calls this in go().
    unsigned hand_over();

  private:
    FrameLedger &ledger_;
    const unsigned slot_;
    Lane *lane_ = nullptr;
    std::unique_lock<std::mutex> hold_;
    bool admitted_ = false;
    bool handed_over_ = false;
};

} // namespace vmaf
