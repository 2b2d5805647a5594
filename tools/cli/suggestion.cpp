#include "cli/suggestion.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "cli/specs.h"
#include "common/format.h"
#include "library/lists.h"
#include "model_choice.h"

namespace vmaf::tool {
namespace {

/// Insertions, deletions, replacements and exchanges of neighbours that turn one text into the
/// other.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1), above, second_above;
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        second_above = std::exchange(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], second_above[j - 2] + 1);
        }
    }
    return row.back();
}

/// The feature that writes it.
const VmafFeatureInfo *feature_of_output(std::string_view name)
{
    for (const VmafFeatureInfo *feature : library_features())
        for (const VmafOutputInfo *output : listed(feature->outputs))
            if (name == output->log_name)
                return feature;
    return nullptr;
}

std::string in_lower_case(std::string_view text)
{
    std::string lower(text);
    for (char &letter : lower)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return lower;
}

/// The feature that is meant; empty: none is. Other tools say SSIM for what is float_ssim here.
std::string feature_called(std::string_view typed)
{
    const std::string lower = in_lower_case(typed);
    for (const std::string &name : {lower, "float_" + lower})
        if (find_feature_info(name))
            return name;
    return {};
}

} // namespace

std::string_view nearest_name(std::string_view typed, const std::vector<std::string_view> &names)
{
    const auto begins_so = [typed](std::string_view name) { return typed.size() > 1 && name.starts_with(typed); };
    if (const auto longer = std::ranges::find_if(names, begins_so); longer != names.end())
        return *longer;
    std::string_view nearest;
    std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
    for (const std::string_view name : names) {
        // Texts are at least as far apart as their lengths, which costs a long one nothing to see.
        const auto [shorter, longer] = std::minmax({typed.size(), name.size()});
        const std::size_t distance = longer - shorter < least ? edit_distance(typed, name) : least;
        if (distance < least) {
            nearest = name;
            least = distance;
        }
    }
    return nearest;
}

std::string suggestion(std::string_view typed, const std::vector<std::string_view> &names, std::string_view prefix)
{
    const std::string_view nearest = nearest_name(typed, names);
    return nearest.empty() || nearest == typed ? "" : formatted("; did you mean {}{}?", prefix, nearest);
}

std::string suggested_feature(std::string_view typed)
{
    if (find_feature_info(typed))
        return {};
    if (in_lower_case(typed) == "vmaf")
        return "; VMAF is a model: -m, vmaf_v0.6.1 by default";
    if (const std::string name = feature_called(typed); !name.empty())
        return formatted("; did you mean {}?", name);
    std::vector<std::string_view> names;
    for (const VmafFeatureInfo *feature : library_features())
        names.emplace_back(feature->name);
    if (const VmafFeatureInfo *const writer = feature_of_output(typed))
        return formatted("; did you mean {}?", writer->name);
    return suggestion(typed, names);
}

std::string suggested_option(std::string_view feature, std::string_view typed)
{
    std::vector<std::string_view> names;
    if (const VmafFeatureInfo *const info = find_feature_info(feature))
        for (const VmafOptionInfo *option : listed(info->options))
            names.emplace_back(option->name);
    return suggestion(typed, names);
}

std::string suggested_model(std::string_view typed)
{
    if (const std::string feature = feature_called(typed); !feature.empty())
        return formatted("; {} is a feature: --feature {}", typed, feature);
    std::vector<std::string_view> names(std::begin(kChosenVersions), std::end(kChosenVersions));
    for (const VmafModelInfo *model : library_models())
        names.emplace_back(model->version);
    return suggestion(typed, names);
}

} // namespace vmaf::tool
