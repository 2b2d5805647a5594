#include "listing/lists.h"

#include <algorithm>
#include <string_view>

#include "common/failure.h"
#include "common/format.h"
#include "listing/feature_table.h"

namespace vmaf::tool {
namespace {

template <class Rows> Rows not_empty(Rows rows)
{
    if (rows.empty())
        throw Failure(kExitSetup, "this vmaf was built where programs could not be run: it has no such list");
    return rows;
}

constexpr std::size_t kRangeColumns = 10;

std::size_t longest_option_name(std::span<const FeatureRow> features)
{
    std::size_t longest = 0;
    for (const FeatureRow &feature : features)
        for (const FeatureOptionRow &option : feature.options)
            longest = std::max(longest, std::string_view(option.name).size());
    return longest;
}

} // namespace

std::string list_of_models()
{
    std::string text;
    for (const ModelRow &model : not_empty(model_table()))
        text += formatted("{}\n", model.version);
    return text;
}

std::string list_of_features()
{
    const auto features = not_empty(feature_table());
    const std::size_t name_columns = longest_option_name(features);
    std::string text;
    for (const FeatureRow &feature : features) {
        text += formatted("{}\n", feature.name);
        for (const FeatureOptionRow &option : feature.options)
            text +=
                formatted("  {:<{}}  {:4}  {:<8}  {:<{}}  {}\n", option.name, name_columns, option.type,
                          *option.default_value ? option.default_value : "-", option.range, kRangeColumns, option.help);
    }
    return text;
}

} // namespace vmaf::tool
