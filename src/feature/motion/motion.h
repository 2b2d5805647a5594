#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/motion/motion_params.h"

namespace vmaf {

extern const FeatureSpec kMotion;

/// How many calls earlier the picture was fed that a frame is compared with; 0: nothing is
/// measured.
unsigned motion_distance(const OptionValues &options);

/// @param distance how many calls earlier the picture was fed that a frame is compared with; 0:
/// nothing is measured.
std::unique_ptr<CpuExtractor> make_motion_cpu(const PictureFormat &format, unsigned distance, CpuTarget target);

} // namespace vmaf
