#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/psnr/psnr_params.h"

namespace vmaf {

extern const FeatureSpec kPsnr;

/// How many planes are measured: 1, or all of the format.
unsigned psnr_plane_count(const OptionValues &options, const PictureFormat &format);

/// @param plane_count 1: luma only, 3: all planes.
std::unique_ptr<CpuExtractor> make_psnr_cpu(unsigned plane_count, CpuTarget target);

Result<MetricMap> psnr_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                           CpuTarget target);

} // namespace vmaf
