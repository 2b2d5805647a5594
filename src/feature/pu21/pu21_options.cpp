#include <cerrno>
#include <numbers>

#include "base/log.h"
#include "feature/pu21/pu21.h"

namespace vmaf {
namespace {

constexpr float kLeastLight = 0.005F; // cd/m2, of PQ and linear signals

/// spec hdr 3, without its limits.
double pu_of_light(double light)
{
    constexpr double kP1 = 0.353487901, kP2 = 0.3734658629, kP3 = 8.277049286e-05, kP4 = 0.9062562627;
    constexpr double kP5 = 0.09150303166, kP6 = 0.9099517204, kP7 = 596.3148142;
    const double power = exact_exp2(kP4 * exact_log2(light));
    const double base = (kP1 + kP2 * power) / (1 + kP3 * power);
    return kP7 * (exact_exp2(kP5 * exact_log2(base)) - kP6);
}

double default_peak(Transfer transfer)
{
    switch (transfer) {
    case Transfer::pq:
        return 10000;
    case Transfer::hlg:
        return 1000;
    default:
        return 100;
    }
}

} // namespace

Pu21Options::Pu21Options(const OptionValues &options)
{
    const OptionsOf<kPu21Options> values(options);
    yuv_matrix = values.integer("yuv_matrix");
    signal.transfer = *find_transfer(values.text("transfer"), Transfer::srgb);
    signal.primaries = signal.wanted = *find_primaries(values.text("primaries"));
    signal.is_tabulated = true;
    const double given_peak = values.real("display_peak"), ambient = values.real("display_ambient");
    const double peak = given_peak > 0 ? given_peak : default_peak(signal.transfer);
    signal.scale = signal.transfer == Transfer::pq ? 1 : peak;
    if (signal.transfer == Transfer::pq || signal.transfer == Transfer::linear)
        signal.least = kLeastLight;
    if (signal.transfer == Transfer::pq)
        signal.most = static_cast<float>(peak);
    if (signal.transfer == Transfer::hlg)
        signal.hlg_gamma = hlg_gamma(peak, ambient);
    const ColourMatrix xyz = rgb_to_xyz(signal.primaries);
    for (std::size_t i = 0; i < 3; ++i)
        light.luminance[i] = static_cast<float>(xyz[1][i]);
    light.reflected = 0.005 * ambient / std::numbers::pi;
}

const LightCurveTable &pu21_curve()
{
    static const LightCurveTable curve(pu_of_light, 0.005, 10000);
    return curve;
}

Status check_pu21_options(const char *feature, const OptionValues &options)
{
    const OptionsOf<kPu21Options> values(options);
    VMAF_TRY(check_transfer(feature, values.text("transfer")));
    VMAF_TRY(check_primaries(feature, values.text("primaries")));
    const double peak = values.real("display_peak");
    if (peak != 0 && peak < 1) {
        log(LogLevel::error, "%s: option display_peak is %g, should be 0 or from 1 to 10000", feature, peak);
        return Status::error(EINVAL);
    }
    if (values.text("transfer") == "hlg" && peak > 1000 && values.real("display_ambient") == 0) {
        log(LogLevel::error, "%s: HLG with a display_peak above 1000 needs display_ambient", feature);
        return Status::error(EINVAL);
    }
    return {};
}

} // namespace vmaf
