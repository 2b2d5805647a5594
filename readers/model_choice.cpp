#include "model_choice.h"

#include "common/format.h"
#include "library/lists.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kLargestHdHeightPx = 1440;

} // namespace

std::string version_for_height(unsigned height_px)
{
    return height_px > kLargestHdHeightPx ? "vmaf_4k_v0.6.1" : default_model().version;
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

bool feature_reads_chroma(std::string_view name, std::span<const OptionText> options)
{
    const VmafFeatureInfo *const info = find_feature_info(name);
    if (info == nullptr)
        return true;
    bool reads = info->reads_chroma != 0;
    for (const auto &[option, value] : options)
        if (info->chroma_option != nullptr && option == info->chroma_option)
            reads = value != "false";
    return reads;
}

bool model_reads_chroma(std::string_view version)
{
    // "auto" chooses among models that use the same features.
    const VmafModelInfo *const info = version == kAutoVersion ? &default_model() : find_model_info(version);
    return info == nullptr || info->reads_chroma != 0;
}

} // namespace vmaf::tool
