#include "base/number_text.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <array>
#include <charconv>
#include <new>

#include "base/platform.h"

namespace vmaf {
namespace {

// The longest double in fixed notation: 309 digits, sign, point and the decimals.
constexpr std::size_t kFixedBytes = 400;

} // namespace

std::string format_digits(double value, std::chars_format notation, int precision)
{
    if (std::isnan(value)) // libc++'s to_chars calls some of them nan(ind)
        return std::signbit(value) ? "-nan" : "nan";
    std::array<char, kFixedBytes> text;
    const auto end = std::to_chars(text.begin(), text.end(), value, notation, precision).ptr;
    return {text.begin(), end};
}

std::string format_general(double value)
{
    return format_digits(value, std::chars_format::general, kGeneralDigits);
}

std::string format_fixed(double value, int decimals)
{
    return format_digits(value, std::chars_format::fixed, decimals);
}

std::string format_with(const std::string &conversion, double value)
{
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
