#pragma once

#include <vector>

#include "support/clips.h"

/// Scaling by the formulas of spec device_pictures 3: slow, one sample at a time.
namespace vmaf::test {

/// Weights of all `from_px` samples in sample `x` of `to_px`, in 1/16384.
std::vector<int> scale_weights(unsigned from_px, unsigned to_px, unsigned x);

/// Samples of the plane in another size, row after row.
std::vector<unsigned> scaled_plane(const PlaneView &plane, unsigned width_px, unsigned height_px);

/// A clip with all frames scaled to the size of `spec`. `spec` must live as long. Depth and format
/// are the clip's.
Clip scaled_clip(const Clip &clip, const ClipSpec &spec);

} // namespace vmaf::test
