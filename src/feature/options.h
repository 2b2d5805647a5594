#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/null_terminated.h"
#include "base/result.h"
#include "libvmaf/libvmaf_ext.h"

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

/// The text that a client's option value is kept as (spec abi 3.5): a number goes through float and
/// "%g".
std::string normalized_option_text(const char *value);

/// Whether an option changes scores and so takes part in output names (spec abi 5.3).
enum class InName { no, yes };

/// One row of a feature's option table: the only place where the option exists.
struct OptionSpec : VmafOptionInfo {
    using Info = VmafOptionInfo;

    constexpr OptionSpec with(VmafOptionRole its_role) const
    {
        OptionSpec changed = *this;
        changed.role = its_role;
        return changed;
    }
};

constexpr OptionSpec number_option(VmafOptionType type, const char *name, const char *alias, double value, double min,
                                   double max, InName in_name, const char *help)
{
    return {{name, alias, type, value, nullptr, min, max, type == VMAF_OPTION_DOUBLE, in_name == InName::yes,
             VMAF_ROLE_NONE, help}};
}
constexpr OptionSpec bool_option(const char *name, const char *alias, bool value, InName in_name, const char *help)
{
    return number_option(VMAF_OPTION_BOOL, name, alias, value ? 1 : 0, 0, 1, in_name, help);
}
constexpr OptionSpec int_option(const char *name, const char *alias, int value, int min, int max, InName in_name,
                                const char *help)
{
    return number_option(VMAF_OPTION_INT, name, alias, value, min, max, in_name, help);
}
constexpr OptionSpec double_option(const char *name, const char *alias, double value, double min, double max,
                                   InName in_name, const char *help)
{
    return number_option(VMAF_OPTION_DOUBLE, name, alias, value, min, max, in_name, help);
}
/// A double option of a feature that the reference does not have: there NaN passes (spec abi 5.2).
constexpr OptionSpec finite_option(const char *name, const char *alias, double value, double min, double max,
                                   InName in_name, const char *help)
{
    OptionSpec option = double_option(name, alias, value, min, max, in_name, help);
    option.takes_nan = 0;
    return option;
}
constexpr OptionSpec text_option(const char *name, const char *alias, const char *value, InName in_name,
                                 const char *help)
{
    OptionSpec option = number_option(VMAF_OPTION_TEXT, name, alias, 0, 0, 0, in_name, help);
    option.default_text = value;
    return option;
}

/// A feature's option values after parsing, one per row of its table.
class OptionValues {
  public:
    /// Parses what `dict` holds for each option of `feature` (spec abi 5.2); unknown keys are
    /// ignored. -EINVAL with one log line that names feature, option and value when a value is no
    /// number, out of range, or no bool.
    static Result<OptionValues> parse(const VmafFeatureInfo &feature, const OptionDict &dict);

    /// Whether all values of two sets from one table are equal.
    bool operator==(const OptionValues &other) const { return values_ == other.values_; }

    /// Equal for equal values of one table.
    std::string identity() const;

    /// `base` itself if every option that takes part in names is at its default, else alias plus
    /// suffixes (spec abi 5.3).
    std::string output_name(std::string_view base) const;

  private:
    template <const auto &kTable> friend class OptionsOf;
    using Stored = std::variant<bool, int, double, std::string>;

    static Stored default_of(const VmafOptionInfo &option);
    static std::string suffix_of(const VmafOptionInfo &option, const Stored &value);

    std::span<const VmafOptionInfo *const> options_;
    std::vector<Stored> values_;
};

/// The option values of a feature whose table is `kTable`, by name. A name that is not in the
/// table, or has another type there, does not compile. Not for templates in headers: GCC 14 takes
/// tables of one name in several files for the same, and the linker keeps one file's row numbers.
template <const auto &kTable> class OptionsOf {
    template <VmafOptionType kType> struct Row {
        consteval Row(const char *name)
        {
            while (kTable[index].name != std::string_view(name))
                ++index;
            if (kTable[index].type != kType)
                throw "the option has another type";
        }
        std::size_t index = 0;
    };

  public:
    OptionsOf(const OptionValues &values) : values_(values) {}

    bool boolean(Row<VMAF_OPTION_BOOL> row) const { return std::get<bool>(values_.values_[row.index]); }
    int integer(Row<VMAF_OPTION_INT> row) const { return std::get<int>(values_.values_[row.index]); }
    double real(Row<VMAF_OPTION_DOUBLE> row) const { return std::get<double>(values_.values_[row.index]); }
    const std::string &text(Row<VMAF_OPTION_TEXT> row) const
    {
        return std::get<std::string>(values_.values_[row.index]);
    }

  private:
    const OptionValues &values_;
};

} // namespace vmaf
