#include <cerrno>
#include <numbers>

#include "base/log.h"
#include "feature/pu21/pu21.h"

namespace vmaf {
namespace {

constexpr float kLeastLight = 0.005F; // cd/m2, of PQ and linear signals

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
