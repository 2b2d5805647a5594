#include "cli/specs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>

#include "base/native.h"
#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/model.h"
#include "model_choice.h"
#include "scores/statistics.h"

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

constexpr std::size_t kMaxOverloads = 32;

struct FlagItem {
    std::string_view key;
    VmafModelFlags flag;
};

constexpr FlagItem kFlagItems[] = {
    {"disable_clip", VMAF_MODEL_FLAG_DISABLE_CLIP},
    {"enable_transform", VMAF_MODEL_FLAG_ENABLE_TRANSFORM},
};

/// A flag with any value but "true" is legal and has no effect.
bool apply_flag(ModelSpec &spec, const KeyValue &item)
{
    for (const auto &[key, flag] : kFlagItems) {
        if (item.key != key)
            continue;
        if (!item.has_value || item.value == "true")
            spec.flags |= flag;
        return true;
    }
    return false;
}

bool apply_string(ModelSpec &spec, const KeyValue &item)
{
    std::string *const target = item.key == "version" ? &spec.version
                                : item.key == "path"  ? &spec.path
                                : item.key == "name"  ? &spec.name
                                                      : nullptr;
    if (!target || !item.has_value)
        return false;
    *target = item.value;
    return true;
}

/// Text after a second '.' in the key is dropped.
bool apply_overload(ModelSpec &spec, const KeyValue &item)
{
    const std::size_t dot = item.key.find('.');
    if (!item.has_value || dot == item.key.npos)
        return false;
    const std::string after = item.key.substr(dot + 1);
    const FeatureOverload overload{item.key.substr(0, dot), after.substr(0, after.find('.')), item.value};
    if (overload.extractor.empty() || overload.option.empty())
        return false;
    if (spec.overloads.size() == kMaxOverloads)
        throw UsageError(formatted("a maximum of {} feature overloads is supported for a model", kMaxOverloads));
    spec.overloads.push_back(overload);
    return true;
}

bool apply_bare_version(ModelSpec &spec, const KeyValue &item, const IsBuiltinModel &is_builtin)
{
    if (item.has_value || item.key.empty() || (!is_chosen_by_videos(item.key) && !is_builtin(item.key)))
        return false;
    spec.version = item.key;
    return true;
}

/// One with a folder or the suffix of a model's file, or the name of a file that is there.
bool looks_like_path(const std::string &text)
{
    std::error_code error;
    return text.find('/') != text.npos || text.ends_with(".json") || text.ends_with(".pkl") ||
           std::filesystem::is_regular_file(native_path(text), error);
}

bool apply_bare_path(ModelSpec &spec, const KeyValue &item)
{
    if (item.has_value || !looks_like_path(item.key))
        return false;
    spec.path = item.key;
    return true;
}

std::string suggested_item(const KeyValue &item, bool first)
{
    if (first && !item.has_value)
        return suggested_model(item.key);
    return suggestion(item.key, {"version", "path", "name", "disable_clip", "enable_transform"});
}

/// "mean, min or max": what a gate may look at.
std::string gate_statistics()
{
    std::string text;
    for (const StatisticName &statistic : kStatisticNames)
        if (statistic.is_score)
            text += formatted("{}{}", text.empty() ? "" : ", ", statistic.name);
    const std::size_t last = text.rfind(", ");
    return text.replace(last, 2, " or ");
}

} // namespace

std::vector<std::string> split_items(std::string_view text)
{
    std::vector<std::string> items(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ':' || text[i + 1] == '\\');
        if (escaped)
            items.back() += text[++i];
        else if (text[i] == ':')
            items.emplace_back();
        else
            items.back() += text[i];
    }
    return items;
}

KeyValue split_key_value(std::string_view item)
{
    const std::size_t equals = item.find('=');
    if (equals == item.npos)
        return {std::string(item), {}, false};
    return {std::string(item.substr(0, equals)), std::string(item.substr(equals + 1)), true};
}

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

ModelSpec parse_model_spec(std::string_view text, const IsBuiltinModel &is_builtin)
{
    ModelSpec spec;
    bool first = true;
    for (const std::string &item_text : split_items(text)) {
        const KeyValue item = split_key_value(item_text);
        const bool known = apply_flag(spec, item) || apply_string(spec, item) || apply_overload(spec, item) ||
                           (first && (apply_bare_version(spec, item, is_builtin) || apply_bare_path(spec, item)));
        if (!known)
            throw UsageError(formatted("problem parsing model \"{}\": bad option string \"{}\"{}", printable(text),
                                       printable(item_text), suggested_item(item, first)));
        first = false;
    }
    if (spec.label().empty())
        throw UsageError(formatted("problem parsing model \"{}\": neither version nor path is given", printable(text)));
    return spec;
}

std::string GateSpec::text() const
{
    const std::string of = statistic == "mean" ? "" : "@" + statistic;
    return formatted("{} {}{}{}{}", option(), printable(metric), of, metric.empty() ? "" : "=", limit);
}

/// A metric may be a model's name, which may be anything: the last '=' and '@' are those that
/// count.
GateSpec parse_gate_spec(std::string_view text, GateKind kind)
{
    GateSpec gate;
    gate.kind = kind;
    const auto refuse = [&](const std::string &reason) {
        throw UsageError(
            formatted("invalid argument \"{}\" for option {}; {}", printable(text), gate.option(), reason));
    };
    const std::size_t equals = text.rfind('=');
    const std::string_view number = equals == text.npos ? text : text.substr(equals + 1);
    const auto [end, error] = std::from_chars(number.begin(), number.end(), gate.limit);
    if (error != std::errc() || end != number.end() || !std::isfinite(gate.limit))
        refuse("should be [METRIC[@STATISTIC]=]NUMBER");
    if (equals == text.npos)
        return gate;
    std::string_view metric = text.substr(0, equals);
    if (const std::size_t at = metric.rfind('@'); at != metric.npos) {
        gate.statistic = metric.substr(at + 1);
        metric = metric.substr(0, at);
        if (const StatisticName *known = find_statistic(gate.statistic); known == nullptr || !known->is_score)
            refuse("the statistic should be " + gate_statistics());
    }
    if (metric.empty())
        refuse("the metric is missing before \"=\" or \"@\"");
    gate.metric = metric;
    return gate;
}

} // namespace vmaf::tool
