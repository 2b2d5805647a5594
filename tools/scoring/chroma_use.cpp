#include "scoring/chroma_use.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "listing/feature_table.h"

namespace vmaf::tool {
namespace {

constexpr std::array<std::string_view, 13> kLumaFeatures{
    "vif",        "adm",       "motion",    "cambi",        "speed_temporal", "float_ssim",  "float_ms_ssim",
    "float_psnr", "float_vif", "float_adm", "float_motion", "float_moment",   "float_ansnr",
};
/// The option with which a luma feature, float_motion, reads chroma too.
constexpr std::string_view kChromaOption = "motion_add_uv";

constexpr std::array<std::string_view, 10> kLumaModels{
    "vmaf_v0.6.1",       "vmaf_v0.6.1neg",       "vmaf_4k_v0.6.1",       "vmaf_4k_v0.6.1neg",   "vmaf_b_v0.6.3",
    "vmaf_float_v0.6.1", "vmaf_float_v0.6.1neg", "vmaf_float_4k_v0.6.1", "vmaf_float_b_v0.6.3", kAutoVersion,
};

bool reads_luma_alone(const FeatureSpec &feature)
{
    return std::ranges::find(kLumaFeatures, without_device(feature.name)) != kLumaFeatures.end() &&
           std::ranges::none_of(feature.options, [](const auto &option) { return option.first == kChromaOption; });
}

bool reads_luma_alone(const ModelSpec &model)
{
    return std::ranges::find(kLumaModels, model.version) != kLumaModels.end() &&
           std::ranges::none_of(model.overloads,
                                [](const FeatureOverload &overload) { return overload.option == kChromaOption; });
}

} // namespace

bool may_read_chroma(const Selection &selection)
{
    const auto luma_alone = [](const auto &item) { return reads_luma_alone(item); };
    return !std::ranges::all_of(selection.models, luma_alone) || !std::ranges::all_of(selection.features, luma_alone);
}

} // namespace vmaf::tool
