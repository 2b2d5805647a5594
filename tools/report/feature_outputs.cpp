#include "report/feature_outputs.h"

#include <algorithm>

#include "listing/feature_table.h"

namespace vmaf::tool {
namespace {

std::string_view without_device(std::string_view extractor)
{
    constexpr std::string_view kOnGpu = "_cuda";
    if (extractor.ends_with(kOnGpu))
        extractor.remove_suffix(kOnGpu.size());
    return extractor;
}

/// Options append "_NAME_VALUE" or "_NAME" (spec abi 5.3).
bool is_named_after(std::string_view column, std::string_view output)
{
    return column.starts_with(output) && (column.size() == output.size() || column[output.size()] == '_');
}

} // namespace

bool may_write(std::string_view extractor, std::string_view column)
{
    const auto table = feature_table();
    const auto row = std::ranges::find(table, without_device(extractor),
                                       [](const FeatureRow &feature) { return std::string_view(feature.name); });
    return row != table.end() &&
           std::ranges::any_of(row->outputs, [column](const char *output) { return is_named_after(column, output); });
}

} // namespace vmaf::tool
