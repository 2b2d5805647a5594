#include "base/number_text.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <array>
#include <charconv>
#include <new>
#include <optional>
#include <string_view>

#include "base/platform.h"

namespace vmaf {
namespace {

constexpr int kGeneralDigits = 6;
// The longest double in fixed notation: 309 digits, sign, point and the decimals.
constexpr std::size_t kFixedBytes = 400;

struct PlainConversion {
    std::chars_format notation;
    int precision;
};

/// Of a conversion without flags and width, such as %g or %.17g, and of few digits: what has no number is none.
std::optional<PlainConversion> plain_conversion(std::string_view conversion)
{
    constexpr unsigned kMostDigits = 17;
    unsigned precision = kGeneralDigits;
    conversion.remove_prefix(1);
    if (conversion.starts_with('.')) {
        const char *const begin = conversion.data() + 1, *const end = conversion.data() + conversion.size();
        const auto [rest, error] = std::from_chars(begin, end, precision);
        if (error != std::errc() || precision > kMostDigits)
            return std::nullopt;
        conversion.remove_prefix(static_cast<std::size_t>(rest - conversion.data()));
    }
    if (conversion == "e")
        return PlainConversion{std::chars_format::scientific, static_cast<int>(precision)};
    if (conversion == "f")
        return PlainConversion{std::chars_format::fixed, static_cast<int>(precision)};
    if (conversion == "g")
        return PlainConversion{std::chars_format::general, static_cast<int>(precision)};
    return std::nullopt;
}

} // namespace

std::string format_general(double value)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::general, kGeneralDigits).ptr;
    return {text.begin(), end};
}

std::string format_fixed(double value, int decimals)
{
    if (std::isnan(value)) // libc++'s to_chars calls some of them nan(ind)
        return std::signbit(value) ? "-nan" : "nan";
    std::array<char, kFixedBytes> text{};
    const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed, decimals).ptr;
    return {text.begin(), end};
}

std::string format_with(const std::string &conversion, double value)
{
    // As printf, and seven times as fast.
    if (const auto plain = plain_conversion(conversion)) {
        std::array<char, kFixedBytes> text;
        const auto end = std::to_chars(text.begin(), text.end(), value, plain->notation, plain->precision).ptr;
        return {text.begin(), end};
    }
    std::array<char, kFixedBytes + kMaxFieldSize> text{};
    const CLocale numbers;
    const int length = std::snprintf(text.data(), text.size(), conversion.c_str(), value);
    if (length < 0) // many digits take memory
        throw std::bad_alloc();
    return {text.data(), static_cast<std::size_t>(length)};
}

double parse_double(const char *text, char **end)
{
    const CLocale numbers;
    return std::strtod(text, end);
}
float parse_float(const char *text, char **end)
{
    const CLocale numbers;
    return std::strtof(text, end);
}

} // namespace vmaf
