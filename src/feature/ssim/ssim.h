#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

extern const FeatureSpec kFloatSsim;
extern const FeatureSpec kFloatMsSsim;

/// @param factor by which the pictures are reduced, 1: not at all.
std::unique_ptr<CpuExtractor> make_float_ssim_cpu(const PictureFormat &format, unsigned factor, CpuTarget target);
std::unique_ptr<CpuExtractor> make_float_ms_ssim_cpu(const PictureFormat &format, CpuTarget target);

} // namespace vmaf
