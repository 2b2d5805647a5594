#pragma once

#include <memory>

#include "feature/common/rgb_params.h"
#include "feature/feature.h"
#include "feature/ssimulacra2/ssimulacra2_params.h"

namespace vmaf {

extern const FeatureSpec kSsimulacra2;

/// spec ssimulacra2 3.1: how samples become linear light.
YuvMatrix ssimulacra2_matrix(const OptionValues &options, const PictureFormat &format);

/// The picture is at least 8 x 8.
std::unique_ptr<CpuExtractor> make_ssimulacra2_cpu(const PictureFormat &format, const YuvMatrix &matrix,
                                                   CpuTarget target);

/// spec ssimulacra2 3.7: the score of a picture of that size.
double ssimulacra2_score(const Ssimulacra2Sums &sums, unsigned width_px, unsigned height_px);

} // namespace vmaf
