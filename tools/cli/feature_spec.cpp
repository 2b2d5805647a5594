#include "cli/feature_spec.h"

#include <cstddef>
#include <span>

#include "cli/item_list.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {
namespace {

[[noreturn]] void bad_option_string(std::string_view text)
{
    throw UsageError(
        formatted("bad option string in feature \"{}\"; should be NAME=OPTION=VALUE:...", printable(text)));
}

/// @param items the options, a text each. @param text all of it, as it was typed.
FeatureSpec feature_of(std::string_view name, std::span<const std::string> items, std::string_view text)
{
    FeatureSpec spec{std::string(name), {}};
    for (const std::string &item : items) {
        const KeyValue option = split_key_value(item);
        if (option.key.empty() || !option.has_value)
            bad_option_string(text);
        spec.options.emplace_back(option.key, option.value);
    }
    return spec;
}

/// The names before the last one have no options.
std::vector<FeatureSpec> several(std::string_view names, std::span<const std::string> items, std::string_view text)
{
    std::vector<FeatureSpec> specs;
    for (std::size_t comma; (comma = names.find(',')) != names.npos; names.remove_prefix(comma + 1))
        specs.push_back({std::string(names.substr(0, comma)), {}});
    specs.push_back(feature_of(names, items, text));
    for (const FeatureSpec &spec : specs)
        if (spec.name.empty() && specs.size() > 1)
            throw UsageError(formatted("an empty name in features \"{}\"", printable(text)));
    return specs;
}

} // namespace

FeatureSpec parse_feature_spec(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == text.npos)
        return {std::string(text), {}};
    return feature_of(text.substr(0, equals), split_items(text.substr(equals + 1)), text);
}

std::vector<FeatureSpec> parse_feature_specs(std::string_view text)
{
    constexpr std::string_view kName = "name=";
    const std::size_t equals = text.find('=');
    if (equals == text.npos)
        return several(text, {}, text);
    const std::vector<std::string> items = split_items(text.substr(equals + 1));
    if (!text.starts_with(kName))
        return several(text.substr(0, equals), items, text);
    if (items.front().empty() || items.front().find('=') != std::string::npos)
        bad_option_string(text);
    return several(items.front(), std::span(items).subspan(1), text);
}

} // namespace vmaf::tool
