#pragma once

#include <array>
#include <memory>

#include "feature/common/colour_options.h"
#include "feature/common/light.h"
#include "feature/common/light_curve_table.h"
#include "feature/feature.h"
#include "feature/pu21/pu21_params.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

extern const FeatureSpec kPu21Psnr;
extern const FeatureSpec kPu21Ssim;

/// The options of both features.
inline constexpr std::array kPu21Options{
    kYuvMatrixOption,
    kTransferOption,
    kPrimariesOption,
    finite_option("display_peak", nullptr, 0, 0, 10000, InName::no,
                  "cd/m2 of the display's white, at least 1; 0: 100 for SDR, 1000 for HLG, no limit for PQ"),
    finite_option("display_ambient", nullptr, 0, 0, 100000, InName::no, "ambient light in lux"),
};

/// spec hdr 3: what samples stand for.
struct Pu21Options {
    explicit Pu21Options(const OptionValues &options);

    int yuv_matrix;
    LightSignal signal; ///< of the picture's primaries, in cd/m2
    Pu21Light light;
};

/// pu() of light in cd/m2. Throws std::bad_alloc.
const LightCurveTable &pu21_curve();

/// Checks option values that ranges of single options cannot exclude: -EINVAL with one log line.
Status check_pu21_options(const char *feature, const OptionValues &options);

std::unique_ptr<CpuExtractor> make_pu21_psnr_cpu(const PictureFormat &format, const Pu21Options &options,
                                                 CpuTarget target);
std::unique_ptr<CpuExtractor> make_pu21_ssim_cpu(const PictureFormat &format, const Pu21Options &options,
                                                 CpuTarget target);

} // namespace vmaf
