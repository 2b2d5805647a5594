#include "cli/model_spec.h"

#include <filesystem>

#include "base/native.h"
#include "cli/item_list.h"
#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/model.h"
#include "model_choice.h"

namespace vmaf::tool {
namespace {

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

/// What follows a second '.' in the key is dropped.
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
    if (item.has_value || item.key.empty() || (item.key != kAutoVersion && !is_builtin(item.key)))
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

} // namespace

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

} // namespace vmaf::tool
