#include "feature/options.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "base/log.h"
#include "base/number_text.h"

namespace vmaf {
namespace {

constexpr std::size_t kOutputNameBytes = 255; // spec abi 5.3

bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// spec abi 5.2: a number that comes out as 0 must have been written as one.
bool zero_is_meant(const std::string &text)
{
    return !text.empty() && text.front() == '0';
}

bool parse_bool(const std::string &text, bool &value)
{
    value = text == "true";
    return value || text == "false";
}

bool parse_int(const std::string &text, const OptionSpec &spec, int &value)
{
    const long wide = std::strtol(text.c_str(), nullptr, 10);
    value = static_cast<int>(std::clamp<long>(wide, INT_MIN, INT_MAX));
    if (value == 0 && !zero_is_meant(text))
        return false;
    return value >= static_cast<int>(spec.min) && value <= static_cast<int>(spec.max);
}

bool parse_real(const std::string &text, const OptionSpec &spec, double &value)
{
    value = parse_double(text.c_str(), nullptr);
    if (value == 0 && !zero_is_meant(text))
        return false;
    if (std::isnan(value))
        return !spec.refuses_nan; // NaN passes in the reference
    return value >= spec.min && value <= spec.max;
}

std::string value_text(const std::variant<bool, int, double, std::string> &value)
{
    if (const int *number = std::get_if<int>(&value))
        return std::to_string(*number);
    if (const double *number = std::get_if<double>(&value))
        return format_general(*number);
    return std::get<std::string>(value);
}

std::variant<bool, int, double, std::string> stored_default(const OptionSpec &spec)
{
    if (const auto *text = std::get_if<std::string_view>(&spec.default_value))
        return std::string(*text);
    if (const auto *flag = std::get_if<bool>(&spec.default_value))
        return *flag;
    if (const auto *number = std::get_if<int>(&spec.default_value))
        return *number;
    return std::get<double>(spec.default_value);
}

struct Alias {
    std::string_view stored;
    std::string_view shown;
};
constexpr std::array kAliases{
    Alias{"VMAF_feature_adm2_score", "adm2"},
    Alias{"VMAF_feature_aim_score", "aim"},
    Alias{"VMAF_feature_adm3_score", "adm3"},
    Alias{"VMAF_feature_adm_scale0_score", "adm_scale0"},
    Alias{"VMAF_feature_adm_scale1_score", "adm_scale1"},
    Alias{"VMAF_feature_adm_scale2_score", "adm_scale2"},
    Alias{"VMAF_feature_adm_scale3_score", "adm_scale3"},
    Alias{"VMAF_feature_motion_score", "motion"},
    Alias{"VMAF_feature_motion2_score", "motion2"},
    Alias{"VMAF_feature_motion3_score", "motion3"},
    Alias{"VMAF_feature_vif_scale0_score", "vif_scale0"},
    Alias{"VMAF_feature_vif_scale1_score", "vif_scale1"},
    Alias{"VMAF_feature_vif_scale2_score", "vif_scale2"},
    Alias{"VMAF_feature_vif_scale3_score", "vif_scale3"},
    Alias{"VMAF_integer_feature_adm2_score", "integer_adm2"},
    Alias{"VMAF_integer_feature_aim_score", "integer_aim"},
    Alias{"VMAF_integer_feature_adm3_score", "integer_adm3"},
    Alias{"VMAF_integer_feature_motion_score", "integer_motion"},
    Alias{"VMAF_integer_feature_motion2_score", "integer_motion2"},
    Alias{"VMAF_integer_feature_motion3_score", "integer_motion3"},
    Alias{"VMAF_integer_feature_vif_scale0_score", "integer_vif_scale0"},
    Alias{"VMAF_integer_feature_vif_scale1_score", "integer_vif_scale1"},
    Alias{"VMAF_integer_feature_vif_scale2_score", "integer_vif_scale2"},
    Alias{"VMAF_integer_feature_vif_scale3_score", "integer_vif_scale3"},
    Alias{"Cambi_feature_cambi_score", "cambi"},
    Alias{"Speed_chroma_feature_speed_chroma_u_score", "speed_chroma_u"},
    Alias{"Speed_chroma_feature_speed_chroma_v_score", "speed_chroma_v"},
    Alias{"Speed_chroma_feature_speed_chroma_uv_score", "speed_chroma_uv"},
    Alias{"Speed_temporal_feature_speed_temporal_score", "speed_temporal"},
};

} // namespace

void OptionDict::set(std::string_view key, std::string_view value)
{
    for (Entry &entry : entries_)
        if (entry.first == key) {
            entry.second = value;
            return;
        }
    entries_.emplace_back(key, value);
}

const std::string *OptionDict::find(std::string_view key) const
{
    for (const Entry &entry : entries_)
        if (entry.first == key)
            return &entry.second;
    return nullptr;
}

std::string normalized_option_text(const char *value)
{
    char *end = nullptr;
    const float number = parse_float(value, &end);
    if (end == value)
        return value;
    while (is_space(*end))
        ++end;
    return *end == '\0' ? format_general(static_cast<double>(number)) : std::string(value);
}

Result<OptionValues> OptionValues::parse(const char *feature_name, std::span<const OptionSpec> specs,
                                         const OptionDict &dict)
{
    OptionValues values;
    values.specs_ = specs;
    values.values_.reserve(specs.size());
    for (const OptionSpec &spec : specs) {
        const std::string *text = dict.find(spec.name);
        Stored value = stored_default(spec);
        bool ok = true;
        if (text != nullptr) {
            if (auto *flag = std::get_if<bool>(&value))
                ok = parse_bool(*text, *flag);
            else if (auto *integer = std::get_if<int>(&value))
                ok = parse_int(*text, spec, *integer);
            else if (auto *real = std::get_if<double>(&value))
                ok = parse_real(*text, spec, *real);
            else
                value = *text;
        }
        values.values_.push_back(std::move(value));
        if (!ok) {
            if (std::holds_alternative<bool>(spec.default_value))
                log(LogLevel::error, "%s: option %s is \"%s\", should be true or false", feature_name, spec.name,
                    text->c_str());
            else
                log(LogLevel::error, "%s: option %s is \"%s\", should be a number from %g to %g", feature_name,
                    spec.name, text->c_str(), spec.min, spec.max);
            return Status::error(EINVAL);
        }
    }
    return values;
}

const OptionValues::Stored &OptionValues::at(std::string_view name) const
{
    std::size_t i = 0;
    while (specs_[i].name != name) // every feature asks for rows of its own table only
        ++i;
    return values_[i];
}

bool OptionValues::boolean(std::string_view name) const
{
    return std::get<bool>(at(name));
}
int OptionValues::integer(std::string_view name) const
{
    return std::get<int>(at(name));
}
double OptionValues::real(std::string_view name) const
{
    return std::get<double>(at(name));
}
const std::string &OptionValues::text(std::string_view name) const
{
    return std::get<std::string>(at(name));
}

std::string OptionValues::identity() const
{
    std::string identity;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        identity += specs_[i].name;
        identity += '=';
        std::visit(
            [&](const auto &value) {
                if constexpr (std::is_same_v<decltype(value), const std::string &>)
                    identity += value;
                else
                    identity += std::to_string(std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0)); // -0: 0
            },
            values_[i]);
        identity += '\0'; // which no text has in it
    }
    return identity;
}

std::string OptionValues::output_name(std::string_view base) const
{
    std::map<std::string_view, std::string> suffixes; // in byte order of the option names
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        const OptionSpec &spec = specs_[i];
        const bool is_default = values_[i] == stored_default(spec);
        if (spec.in_name == InName::no || is_default)
            continue;
        std::string suffix = std::string("_") + (spec.alias != nullptr ? spec.alias : spec.name);
        if (!std::holds_alternative<bool>(values_[i]))
            suffix += "_" + value_text(values_[i]);
        suffixes.emplace(spec.name, std::move(suffix));
    }
    if (suffixes.empty())
        return std::string(base);
    std::string name(output_alias(base));
    for (const auto &[option, suffix] : suffixes)
        name += suffix;
    name.resize(std::min(name.size(), kOutputNameBytes));
    return name;
}

std::string_view output_alias(std::string_view stored_name)
{
    for (const Alias &alias : kAliases)
        if (alias.stored == stored_name)
            return alias.shown;
    return stored_name;
}

} // namespace vmaf
