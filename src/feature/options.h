#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace vmaf {

/// Key-value option texts in the order in which they were set (VmafFeatureDictionary of the C API).
class OptionDict {
  public:
    using Entry = std::pair<std::string, std::string>;

    /// Adds or overwrites (keeping the position). The value is stored as it is.
    void set(std::string_view key, std::string_view value);
    const std::string *find(std::string_view key) const;

    std::span<const Entry> entries() const { return entries_; }

  private:
    std::vector<Entry> entries_;
};

/// The text that a client's option value is kept as (spec abi 3.5): a number goes through float and "%g".
std::string normalized_option_text(const char *value);

using OptionValue = std::variant<bool, int, double, std::string_view>;

/// Whether an option changes scores and so takes part in output names (spec abi 5.3).
enum class InName { no, yes };

/// A number of this name is the clip's frame rate in whatever feature has it: who knows the rate sets it where the client does not.
inline constexpr std::string_view kFrameRateOption = "fps";

/// One row of a feature's option table: the only place where the option exists.
struct OptionSpec {
    const char *name;
    const char *alias; ///< short name in output names, or null
    OptionValue default_value;
    double min;
    double max; ///< range of int and double options, ends included
    InName in_name;
    const char *help; ///< half a sentence for listings
    bool refuses_nan = false;
};

constexpr OptionSpec bool_option(const char *name, const char *alias, bool value, InName in_name, const char *help)
{
    return {name, alias, value, 0, 1, in_name, help};
}
constexpr OptionSpec int_option(const char *name, const char *alias, int value, int min, int max, InName in_name,
                                const char *help)
{
    return {name, alias, value, static_cast<double>(min), static_cast<double>(max), in_name, help};
}
constexpr OptionSpec double_option(const char *name, const char *alias, double value, double min, double max,
                                   InName in_name, const char *help)
{
    return {name, alias, value, min, max, in_name, help};
}
/// A double option of a feature that the reference does not have: there NaN passes (spec abi 5.2).
constexpr OptionSpec finite_option(const char *name, const char *alias, double value, double min, double max,
                                   InName in_name, const char *help)
{
    return {name, alias, value, min, max, in_name, help, true};
}
constexpr OptionSpec text_option(const char *name, const char *alias, const char *value, InName in_name,
                                 const char *help)
{
    return {name, alias, std::string_view(value), 0, 0, in_name, help};
}

/// A feature's option values after parsing, one per row of its table.
class OptionValues {
  public:
    /// Parses what `dict` holds for each row of `specs` (spec abi 5.2); unknown keys are ignored. -EINVAL with one log
    /// line that names feature, option and value when a value is no number, out of range, or no bool.
    static Result<OptionValues> parse(const char *feature_name, std::span<const OptionSpec> specs,
                                      const OptionDict &dict);

    /// Of one table: whether all values are equal.
    bool operator==(const OptionValues &other) const { return values_ == other.values_; }

    bool boolean(std::string_view name) const;
    int integer(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string &text(std::string_view name) const;

    /// Equal for equal values of one table.
    std::string identity() const;

    /// `base` itself if every option that takes part in names is at its default, else alias plus suffixes (spec abi 5.3).
    std::string output_name(std::string_view base) const;

  private:
    using Stored = std::variant<bool, int, double, std::string>;
    const Stored &at(std::string_view name) const;

    std::span<const OptionSpec> specs_;
    std::vector<Stored> values_;
};

/// The short form of an output's name (spec abi 5.5), or the name itself.
std::string_view output_alias(std::string_view stored_name);

} // namespace vmaf
