#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/frame.h"

namespace vmaf {

/// Sums of one feature of the frames of a call that feeds several sessions with one reference
/// (FrameGroup). The first frame that needs its sums computes all of them, and what depends on the
/// reference alone once; the others take theirs. Used by one thread until they are done.
class SharedSums {
  public:
    using List = std::vector<std::unique_ptr<SharedSums>>;

    /// Lets features of the frames share their sums where that saves work: those with equal options
    /// that see the same reference. The pictures live until the sums are done, and the list that is
    /// returned until the frames have ended. Throws std::bad_alloc, and then nothing has changed.
    static List share(std::span<Frame *const> frames);

    explicit SharedSums(const SessionFeature &feature) : feature_(feature) {}

    /// Computes them, unless they are done. Throws std::bad_alloc, and then the next one tries
    /// again.
    /// @param feature of one of the frames. @param worker of its session.
    void compute(const SessionFeature &feature, unsigned worker);
    /// Writes the sums of a frame's work that shares these; computes them first where that is to be
    /// done, and throws as compute() does.
    Status take(const Frame::Work &work, unsigned worker, void *sums);
    /// Whether taking them computes nothing.
    bool is_done() const { return is_done_; }

  private:
    bool is_for(const SessionFeature &feature, const FramePlanes &seen) const;

    const SessionFeature &feature_;   ///< of the first frame
    std::vector<FramePlanes> planes_; ///< that the feature sees of each frame
    bool is_done_ = false;
    Status status_;
    AlignedBuffer<std::byte> sums_;
};

} // namespace vmaf
