#include <algorithm>

#include "listing/feature_table.h"

namespace vmaf::tool {

std::string_view without_device(std::string_view name)
{
    constexpr std::string_view kOnGpu = "_cuda";
    if (name.ends_with(kOnGpu))
        name.remove_suffix(kOnGpu.size());
    return name;
}

const FeatureRow *find_feature_row(std::string_view name)
{
    const auto table = feature_table();
    const auto name_of = [](const FeatureRow &row) { return std::string_view(row.name); };
    const auto found = std::ranges::find(table, without_device(name), name_of);
    return found != table.end() ? &*found : nullptr;
}

std::optional<FrameRateOption> frame_rate_option(std::string_view feature)
{
    constexpr std::string_view kNoRate = "0";
    if (const FeatureRow *const row = find_feature_row(feature))
        for (const FeatureOptionRow &option : row->options)
            if (option.is_frame_rate)
                return FrameRateOption{option.name, option.least, option.most,
                                       option.default_value == kNoRate ? "" : option.default_value};
    return std::nullopt;
}

} // namespace vmaf::tool
