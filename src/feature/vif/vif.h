#pragma once

#include <array>
#include <memory>
#include <vector>

#include "feature/feature.h"
#include "feature/vif/vif_params.h"

namespace vmaf {

extern const FeatureSpec kVif;

struct VifOptions {
    double gain_limit;
    bool skip_scale0;
};

VifOptions vif_options(const OptionValues &options);

/// Numerator and denominator of pixels of one scale, rounded to float (spec vif 3.6).
struct VifRatio {
    float num;
    float den;
};
VifRatio vif_ratio(const VifScaleSums &sums);

/// By how much the denominator of each pixel exceeds its numerator, by scale, row by row. Empty for
/// a scale not scored.
using VifLosses = std::array<std::vector<float>, kVifScales>;

/// The picture is at least 8 x 8. @param losses gets them, in the size of each scale; null: nobody
/// wants them.
std::unique_ptr<CpuExtractor> make_vif_cpu(const VifOptions &options, const PictureFormat &format, CpuTarget target,
                                           VifLosses *losses = nullptr);

Result<MetricMap> vif_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                          CpuTarget target);

} // namespace vmaf
