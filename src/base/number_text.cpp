#include "base/number_text.h"

#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <array>
#include <charconv>
#include <new>

#include <locale.h>

namespace vmaf {
namespace {

constexpr int kGeneralDigits = 6;
// The longest double in fixed notation: 309 digits, sign, point and the decimals.
constexpr std::size_t kFixedBytes = 400;

locale_t c_locale()
{
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
    return locale;
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
    std::array<char, kFixedBytes> text{};
    const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed, decimals).ptr;
    return {text.begin(), end};
}

std::string format_with(const std::string &conversion, double value)
{
    std::array<char, kFixedBytes + kMaxFieldSize> text{};
    const locale_t clients = uselocale(c_locale()); // of this thread alone
    const int length = std::snprintf(text.data(), text.size(), conversion.c_str(), value);
    uselocale(clients);
    if (length < 0) // many digits take memory
        throw std::bad_alloc();
    return {text.data(), static_cast<std::size_t>(length)};
}

double parse_double(const char *text, char **end)
{
    return strtod_l(text, end, c_locale());
}
float parse_float(const char *text, char **end)
{
    return strtof_l(text, end, c_locale());
}

} // namespace vmaf
