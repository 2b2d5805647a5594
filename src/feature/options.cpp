#include "feature/options.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <type_traits>

#include "base/log.h"
#include "base/number_text.h"
#include "feature/registry.h"

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

bool parse_int(const std::string &text, const VmafOptionInfo &option, int &value)
{
    const long wide = std::strtol(text.c_str(), nullptr, 10);
    value = static_cast<int>(std::clamp<long>(wide, INT_MIN, INT_MAX));
    if (value == 0 && !zero_is_meant(text))
        return false;
    return value >= static_cast<int>(option.least) && value <= static_cast<int>(option.most);
}

bool parse_real(const std::string &text, const VmafOptionInfo &option, double &value)
{
    value = parse_double(text.c_str(), nullptr);
    if (value == 0 && !zero_is_meant(text))
        return false;
    if (std::isnan(value))
        return option.takes_nan != 0; // NaN passes in the reference
    return value >= option.least && value <= option.most;
}

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

OptionValues::Stored OptionValues::default_of(const VmafOptionInfo &option)
{
    switch (option.type) {
    case VMAF_OPTION_BOOL:
        return option.default_number != 0;
    case VMAF_OPTION_INT:
        return static_cast<int>(option.default_number);
    case VMAF_OPTION_DOUBLE:
        return option.default_number;
    default:
        return std::string(option.default_text);
    }
}

Result<OptionValues> OptionValues::parse(const VmafFeatureInfo &feature, const OptionDict &dict)
{
    OptionValues values;
    values.options_ = listed(feature.options);
    values.values_.reserve(values.options_.size());
    for (const VmafOptionInfo *option : values.options_) {
        const std::string *text = dict.find(option->name);
        Stored value = default_of(*option);
        bool ok = true;
        if (text != nullptr) {
            if (auto *flag = std::get_if<bool>(&value))
                ok = parse_bool(*text, *flag);
            else if (auto *integer = std::get_if<int>(&value))
                ok = parse_int(*text, *option, *integer);
            else if (auto *real = std::get_if<double>(&value))
                ok = parse_real(*text, *option, *real);
            else
                value = *text;
        }
        values.values_.push_back(std::move(value));
        if (!ok) {
            if (option->type == VMAF_OPTION_BOOL)
                log(LogLevel::error, "%s: option %s is \"%s\", should be true or false", feature.name, option->name,
                    text->c_str());
            else
                log(LogLevel::error, "%s: option %s is \"%s\", should be a number from %g to %g", feature.name,
                    option->name, text->c_str(), option->least, option->most);
            return Status::error(EINVAL);
        }
    }
    return values;
}

std::string OptionValues::suffix_of(const VmafOptionInfo &option, const Stored &value)
{
    const std::string suffix = std::string("_") + (option.alias != nullptr ? option.alias : option.name);
    if (const int *number = std::get_if<int>(&value))
        return suffix + "_" + std::to_string(*number);
    if (const double *number = std::get_if<double>(&value))
        return suffix + "_" + format_general(*number);
    const std::string *text = std::get_if<std::string>(&value);
    return text != nullptr ? suffix + "_" + *text : suffix;
}

std::string OptionValues::identity() const
{
    std::string identity;
    for (std::size_t i = 0; i < options_.size(); ++i) {
        identity += options_[i]->name;
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
    for (std::size_t i = 0; i < options_.size(); ++i)
        if (options_[i]->in_names != 0 && values_[i] != default_of(*options_[i]))
            suffixes.emplace(options_[i]->name, suffix_of(*options_[i], values_[i]));
    if (suffixes.empty())
        return std::string(base);
    std::string name(output_alias(base));
    for (const auto &[option, suffix] : suffixes)
        name += suffix;
    name.resize(std::min(name.size(), kOutputNameBytes));
    return name;
}

} // namespace vmaf
