#include "model_choice.h"

#include <algorithm>
#include <array>

#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kLargestHdHeightPx = 1440;

constexpr std::array<std::string_view, 13> kLumaFeatures{
    "vif",        "adm",       "motion",    "cambi",        "speed_temporal", "float_ssim",  "float_ms_ssim",
    "float_psnr", "float_vif", "float_adm", "float_motion", "float_moment",   "float_ansnr",
};

constexpr std::array<std::string_view, 10> kLumaModels{
    "vmaf_v0.6.1",       "vmaf_v0.6.1neg",       "vmaf_4k_v0.6.1",       "vmaf_4k_v0.6.1neg",   "vmaf_b_v0.6.3",
    "vmaf_float_v0.6.1", "vmaf_float_v0.6.1neg", "vmaf_float_4k_v0.6.1", "vmaf_float_b_v0.6.3", kAutoVersion,
};

} // namespace

std::string version_for_height(unsigned height_px)
{
    return height_px > kLargestHdHeightPx ? "vmaf_4k_v0.6.1" : "vmaf_v0.6.1";
}

std::optional<std::string> doubt_about_height(const std::string &version, unsigned height_px)
{
    constexpr std::string_view kV1 = "vmaf_v1.";
    if (version == kAutoVersion || !version.starts_with("vmaf_"))
        return std::nullopt;
    const bool is_large = height_px > kLargestHdHeightPx;
    const bool is_for_large = version.find("_4k_") != version.npos || version.find("_2160") != version.npos;
    if (is_large == is_for_large)
        return std::nullopt;
    // VMAF v1 has models for 2160p at 1.5 and 3 screen heights.
    const std::string cure = !version.starts_with(kV1) ? "-m auto takes the model for the height"
                             : is_large                ? "its models for 2160p end in _2160"
                                                       : "its models for 1080p do not end in _2160";
    return formatted("model {} is made for {} and the videos have {} lines: {}", version,
                     is_for_large ? "2160p" : "1080p", height_px, cure);
}

bool feature_reads_luma_alone(std::string_view name)
{
    constexpr std::string_view kDevice = "_cuda";
    if (name.ends_with(kDevice))
        name.remove_suffix(kDevice.size());
    return std::ranges::find(kLumaFeatures, name) != kLumaFeatures.end();
}

bool model_reads_luma_alone(std::string_view version)
{
    return std::ranges::find(kLumaModels, version) != kLumaModels.end();
}

} // namespace vmaf::tool
