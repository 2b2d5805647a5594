#pragma once

#include <array>
#include <memory>
#include <vector>

#include "feature/adm/adm_params.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kAdm;

/// Parameters of a backend. The options have passed Feature::check_format().
AdmParams adm_params(const OptionValues &options, const PictureFormat &format);

/// Cubes of spec adm 3.6 and 3.7 that a place of one scale adds to its row, by band.
struct AdmCubes {
    std::array<std::uint64_t, kAdmBands> num{}, den{};
};
/// Those of each place, by scale, row by row. Empty for a scale not scored. Zero where nothing is
/// summed.
using AdmPlaces = std::array<std::vector<AdmCubes>, kAdmScales>;

/// @param places gets their cubes; null: nobody wants them.
std::unique_ptr<CpuExtractor> make_adm_cpu(const AdmParams &params, CpuTarget target, AdmPlaces *places = nullptr);

/// What bands add to numerator and denominator of adm2, in shares of the denominator.
struct AdmShares {
    double num[kAdmScales][kAdmBands];
    double den[kAdmScales][kAdmBands];
};
/// All 0 where the denominator is.
AdmShares adm_shares(const OptionValues &options, const PictureFormat &format, const AdmSums &sums);

Result<MetricMap> adm_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                          CpuTarget target);

} // namespace vmaf
