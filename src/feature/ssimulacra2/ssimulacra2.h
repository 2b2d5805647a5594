#pragma once

#include <memory>

#include "feature/common/light.h"
#include "feature/feature.h"
#include "feature/ssimulacra2/ssimulacra2_params.h"

namespace vmaf {

extern const FeatureSpec kSsimulacra2;

/// spec ssimulacra2 2: what samples stand for.
struct Ssimulacra2Options {
    explicit Ssimulacra2Options(const OptionValues &options);

    int yuv_matrix;
    LightSignal light;
};

/// The picture is at least 8 x 8.
std::unique_ptr<CpuExtractor> make_ssimulacra2_cpu(const PictureFormat &format, const Ssimulacra2Options &options,
                                                   CpuTarget target);

Result<MetricMap> ssimulacra2_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                                  CpuTarget target);

/// By what the weighted sum q of spec ssimulacra2 3.7 is multiplied at its end.
constexpr double kSsimulacra2SumFactor = 0.9562382616834844;

/// spec ssimulacra2 3.7: the score of a picture of that size.
double ssimulacra2_score(const Ssimulacra2Sums &sums, unsigned width_px, unsigned height_px);

} // namespace vmaf
