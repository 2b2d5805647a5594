#pragma once

#include "base/frame_of.h"

namespace vmaf {

/// Bit p set: plane p.
using PlaneMask = unsigned;
constexpr PlaneMask kNoPlanes = 0;
constexpr PlaneMask kLuma = 1;
constexpr PlaneMask kChroma = 6;
constexpr PlaneMask kAllPlanes = kLuma | kChroma;

/// Planes of a picture pair.
struct PairMask {
    PlaneMask ref = kNoPlanes;
    PlaneMask dis = kNoPlanes;

    bool operator==(const PairMask &) const = default;
    bool any() const { return (ref | dis) != kNoPlanes; }
    PairMask &operator|=(const PairMask &other)
    {
        ref |= other.ref;
        dis |= other.dis;
        return *this;
    }
};

/// The frames and planes that a feature needs to score one frame, counted in calls of
/// vmaf_read_pictures. The one declaration from which the engine knows what to keep, to upload and
/// to download, how long a score may take to come, and which neighbours a part of a clip needs.
struct ReadingWindow {
    /// Planes of the frame's own pair.
    PairMask pair{kLuma, kLuma};
    /// Planes of the pairs that were read one ([0]), two, ... calls before. A frame whose index is
    /// below look_back() is compared with nothing, but where `missing` counts calls.
    Earlier<PairMask> earlier{};
    /// How to handle a frame if the feature never saw its earlier pairs: refuse it with -EINVAL, or
    /// score it with those that it saw. The last is so whatever the frame's index is: it is the
    /// calls that count.
    enum class Missing { is_refused, is_accepted, is_counted_by_calls } missing = Missing::is_refused;
    /// How many frames after a frame its delayed outputs wait for.
    unsigned frames_after = 0;
    /// How many earlier frames' sums its delayed outputs take besides the frame's own.
    unsigned sums_before = 0;

    /// The age of the oldest pair that is read; 0: the frame's own.
    unsigned look_back() const
    {
        unsigned age = earlier.count();
        while (age > 0 && !earlier[age - 1].any())
            --age;
        return age;
    }
    /// How many frames before a frame its scores depend on.
    unsigned frames_before() const { return sums_before + look_back(); }
};

/// Adds the planes that `window` reads of earlier pairs.
inline void add_earlier(const ReadingWindow &window, Earlier<PairMask> &read)
{
    for (unsigned i = 0; i < window.earlier.count(); ++i)
        read[i] |= window.earlier[i];
}

/// Planes that later frames read of a pair that was read `age` calls before this one (0: its own),
/// if they read `earlier` of earlier pairs.
inline PairMask read_later(const Earlier<PairMask> &earlier, unsigned age)
{
    PairMask mask;
    for (unsigned later = age; later < earlier.count(); ++later)
        mask |= earlier[later];
    return mask;
}

/// Makes `seen` the part of `frame` that the window declares, without pairs older than `look_back`.
/// Whoever calls it for frame after frame uses one `seen` again, which takes memory only for a
/// window deeper than those before.
template <class Plane>
void see_through(const ReadingWindow &window, const FrameOf<Plane> &frame, unsigned look_back, FrameOf<Plane> &seen)
{
    const auto take = [](const PairMask &mask, const PairOf<Plane> &from, PairOf<Plane> &to) {
        for (unsigned plane = 0; plane < 3; ++plane) {
            if ((mask.ref >> plane & 1) != 0)
                to.ref[plane] = from.ref[plane];
            if ((mask.dis >> plane & 1) != 0)
                to.dis[plane] = from.dis[plane];
        }
    };
    seen.begin(frame.frame_index);
    take(window.pair, frame, seen);
    for (unsigned i = 0; i < look_back; ++i)
        take(window.earlier[i], frame.earlier[i], seen.earlier[i]);
}

} // namespace vmaf
