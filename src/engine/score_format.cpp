#include "engine/score_format.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/log.h"
#include "base/number_text.h"

namespace vmaf {
namespace {

constexpr int kShortDecimals = 6;
constexpr int kLongDecimals = 16;

// spec abi 6, "Number text": k.
int leading_decimals(double value)
{
    const double magnitude = std::fabs(value);
    double fraction = magnitude - std::trunc(magnitude);
    int count = 0;
    for (; fraction > 0 && fraction < 1; fraction *= 10)
        ++count;
    return count;
}

/// Cuts the characters of `set` off the front.
std::string_view take(std::string_view &text, std::string_view set)
{
    const std::string_view taken = text.substr(0, std::min(text.find_first_not_of(set), text.size()));
    text.remove_prefix(taken.size());
    return taken;
}

/// A width or precision; none is 0, more than kMaxFieldSize one more.
unsigned field_size(std::string_view digits)
{
    unsigned size = 0;
    for (const char digit : digits)
        size = std::min(size * 10 + static_cast<unsigned>(digit - '0'), kMaxFieldSize + 1);
    return size;
}

struct Conversion {
    std::string_view flags;
    unsigned width, precision;
    char letter;
};
std::optional<Conversion> parse_conversion(std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789", kLetters = "efgaEFGA";
    if (!text.starts_with('%'))
        return std::nullopt;
    text.remove_prefix(1);
    const std::string_view flags = take(text, "-+ #0");
    const unsigned width = field_size(take(text, kDigits));
    unsigned precision = kGeneralDigits;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        precision = field_size(take(text, kDigits));
    }
    if (width > kMaxFieldSize || precision > kMaxFieldSize || text.size() != 1 || kLetters.find(text[0]) == text.npos)
        return std::nullopt;
    return Conversion{flags, width, precision, text[0]};
}

std::optional<std::chars_format> notation_of(char letter)
{
    switch (letter) {
    case 'e':
        return std::chars_format::scientific;
    case 'f':
        return std::chars_format::fixed;
    case 'g':
        return std::chars_format::general;
    default:
        return std::nullopt;
    }
}

/// A number of JSON begins with no plus sign or needless zero, ends with no point and is decimal.
bool writes_json_numbers(const Conversion &conversion)
{
    return conversion.flags.find_first_of("+#0") == std::string_view::npos && conversion.letter != 'a' &&
           conversion.letter != 'A';
}

} // namespace

std::string score_text(double value)
{
    constexpr double kLargestWithLongText = 2147483648.0;
    const bool may_be_long = std::fabs(value) < kLargestWithLongText; // false for NaN
    return format_fixed(value,
                        may_be_long && leading_decimals(value) > kShortDecimals ? kLongDecimals : kShortDecimals);
}

Result<ScoreFormat> ScoreFormat::create(std::string_view conversion, OutputFormat file_format)
{
    const std::optional<Conversion> parsed = parse_conversion(conversion);
    if (!parsed) {
        log(LogLevel::error, "score format '%.*s' is not one printf conversion of a double, such as %%.17g",
            static_cast<int>(conversion.size()), conversion.data());
        return Status::error(EINVAL);
    }
    if (file_format == OutputFormat::json && !writes_json_numbers(*parsed)) {
        log(LogLevel::error, "score format '%.*s' does not write numbers of JSON: no flags + # 0, no %%a",
            static_cast<int>(conversion.size()), conversion.data());
        return Status::error(EINVAL);
    }
    const auto notation = notation_of(parsed->letter);
    std::optional<Digits> digits;
    if (notation && parsed->flags.empty() && parsed->width == 0 && parsed->precision <= kMostDigits)
        digits = {*notation, static_cast<int>(parsed->precision)};
    return ScoreFormat(conversion, digits);
}

std::string ScoreFormat::text(double value) const
{
    if (conversion_.empty() || !std::isfinite(value))
        return score_text(value);
    return digits_ ? format_digits(value, digits_->notation, digits_->precision) : format_with(conversion_, value);
}

} // namespace vmaf
