#pragma once

#include <array>
#include <memory>

#include "feature/feature.h"
#include "feature/float_motion/float_motion_params.h"

namespace vmaf {

extern const FeatureSpec kFloatMotion;

struct FloatMotionMeasures {
    bool force_zero; ///< nothing
    bool chroma;
    bool half_size; ///< the filtered planes at half their size too
    int filter_size;

    unsigned planes() const { return chroma ? kFloatMotionPlanes : 1; }
    unsigned scales() const { return half_size ? kFloatMotionScales : 1; }
};

FloatMotionMeasures float_motion_measures(const OptionValues &options);

using FloatMotionTaps = std::array<float, kFloatMotionTaps>;
/// spec motion 7, step 2. Outer taps of 0 add nothing to the sums of the shorter filters.
FloatMotionTaps float_motion_taps(int size);

std::unique_ptr<CpuExtractor> make_float_motion_cpu(const PictureFormat &format, const FloatMotionMeasures &measures,
                                                    CpuTarget target);

} // namespace vmaf
