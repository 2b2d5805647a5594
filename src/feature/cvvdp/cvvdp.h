#pragma once

#include <memory>

#include "feature/cvvdp/cvvdp_model.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kCvvdp;

/// The picture is at least 8 x 8.
std::unique_ptr<CpuExtractor> make_cvvdp_cpu(const PictureFormat &format, const CvvdpOptions &options,
                                             CpuTarget target);

} // namespace vmaf
