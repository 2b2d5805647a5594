#pragma once

#include <array>
#include <memory>
#include <vector>

#include "feature/cvvdp/cvvdp_model.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kCvvdp;

/// pw(D, 2) of each pixel (spec cvvdp 3.7): by band, the base band last, by channel, row by row.
using CvvdpPlaces = std::vector<std::array<std::vector<float>, kCvvdpChannels>>;

/// The picture is at least 8 x 8. @param places gets those of the pair; null: nobody wants them.
std::unique_ptr<CpuExtractor> make_cvvdp_cpu(const PictureFormat &format, const CvvdpOptions &options, CpuTarget target,
                                             CvvdpPlaces *places = nullptr);

/// The map of a pair that is scored as a still picture.
Result<MetricMap> cvvdp_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                            CpuTarget target);

} // namespace vmaf
