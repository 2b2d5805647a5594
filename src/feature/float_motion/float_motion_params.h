#pragma once

namespace vmaf {

constexpr unsigned kFloatMotionPlanes = 3;
constexpr unsigned kFloatMotionScales = 2;
constexpr unsigned kFloatMotionTaps = 5;

/// What is computed for one frame: sums of absolute differences by plane and scale, in the order of
/// spec motion 7. 0 for what is not measured, and for a frame that is compared with nothing.
struct FloatMotionSums {
    float difference[kFloatMotionPlanes][kFloatMotionScales];
    unsigned frame_index; ///< the scores of a frame depend on its neighbours
};
static_assert(sizeof(FloatMotionSums) == 28);

} // namespace vmaf
