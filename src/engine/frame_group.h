#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "engine/shared_sums.h"

namespace vmaf {

class Lane;

/// Encodes of a ladder that a worker computes together at most. More would save little, and each
/// needs scratch memory of every worker.
constexpr unsigned kMostGroupedEncodes = 8;

/// Frames of one call that feeds several sessions with one reference, and that share sums
/// (adr/0012). Inside the call the first of them computes the sums of all. Workers get the group as
/// one job: that of one session computes all sums, and then ends the other sessions' frames.
class FrameGroup {
  public:
    /// Makes a group of those of the frames that share sums, if there are any. It lives as long as
    /// one of them is in flight. Throws std::bad_alloc, and then nothing has changed.
    static void make(std::span<Frame *const> frames);

    /// One of its frames is in flight. A lane of workers calls it instead of giving them the frame:
    /// the last frame brings the job.
    void join(Lane &lane, unsigned slot, Frame &frame);
    /// A frame has failed to join: each of the others is computed by itself.
    void dissolve();

    /// For the worker that has one of its frames: whether it has the job of the group.
    bool take_job() { return !is_taken_.exchange(true); }
    /// The job: computes the sums with the backends that the frame's session has for that worker.
    /// If memory runs out, each frame is computed by itself later.
    void compute_sums(unsigned worker, const Frame &frame) noexcept;
    /// After that: ends the other sessions' frames, or lets them be computed by themselves where
    /// sums are missing.
    void end_others(const Lane &own);

  private:
    struct Member {
        Lane *lane;
        unsigned slot;
        Frame *frame;
    };
    void start();

    SharedSums::List sums_;
    std::size_t expected_ = 0;
    std::vector<Member> members_; ///< which have joined
    bool is_dissolved_ = false;
    std::atomic<bool> is_taken_{false};
};

} // namespace vmaf
