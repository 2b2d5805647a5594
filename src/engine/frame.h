#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/reuse_pool.h"
#include "engine/picture.h"
#include "feature/feature.h"

namespace vmaf {

class FrameGroup;
class SessionFeature;
class SharedSums;

struct PicturePair {
    PictureHandle ref;
    PictureHandle dis;
};

/// One frame in flight, with memory for everything its features produce. Used again for later
/// frames.
struct Frame {
    /// One feature's share of the frame.
    struct Work {
        SessionFeature *feature;
        std::size_t sums_offset;      ///< offset of its sums in `sums`
        unsigned look_back;           ///< how many earlier pairs the feature sees
        SharedSums *shared = nullptr; ///< null: the feature is computed for this frame alone
        unsigned place = 0;           ///< the frame's among those that share the sums
    };

    PicturePair pair;
    std::vector<PicturePair> earlier; ///< latest first; empty where no feature looks
    unsigned index = 0;
    std::uint64_t call = 0;
    std::vector<Work> due;               ///< in registration order
    FramePlanes planes;                  ///< host views for the CPU backends
    FramePlanes seen;                    ///< what one of them reads of those
    std::vector<ReuseLease> host_copies; ///< what those views need to live
    AlignedBuffer<std::byte> sums;
    std::vector<double> scores;        ///< scores of all frame outputs, in the order of `due`
    std::shared_ptr<FrameGroup> group; ///< what its shared sums live in; null: there are none

    /// The picture pair that was read `age` calls before this one; 0: its own. Empty where no
    /// feature looks.
    const PicturePair &pair_at(unsigned age) const
    {
        static const PicturePair none;
        if (age > earlier.size())
            return none;
        return age == 0 ? pair : earlier[age - 1];
    }
    /// The age of the oldest pair that a feature which is due sees.
    unsigned look_back() const
    {
        unsigned oldest = 0;
        for (const Work &work : due)
            oldest = std::max(oldest, work.look_back);
        return oldest;
    }
    void drop_pictures()
    {
        pair = {};
        earlier.clear();
        group.reset();
    }
};

/// Whether a feature that is due is still to be computed on the CPU.
bool has_cpu_work(const Frame &frame);

} // namespace vmaf
