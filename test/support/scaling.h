#pragma once

#include <vector>

#include "support/clips.h"

/// Scaling as spec device_pictures 3 says it, in its own words: slow, a sample at a time.
namespace vmaf::test {

/// The weight that each of `from_px` samples has in sample `x` of `to_px`, in 1/16384.
std::vector<int> scale_weights(unsigned from_px, unsigned to_px, unsigned x);

/// The plane's samples, row after row, in another size.
std::vector<unsigned> scaled_plane(const PlaneView &plane, unsigned width_px, unsigned height_px);

/// A clip of all frames scaled to the size of `spec`, which lives as long; its depth and format are
/// the clip's.
Clip scaled_clip(const Clip &clip, const ClipSpec &spec);

} // namespace vmaf::test
