#pragma once

#include <charconv>
#include <string>

/// Numbers as the C locale writes and reads them, whatever locale the client has set.
namespace vmaf {

/// The precision of %e, %f and %g where they name none.
constexpr int kGeneralDigits = 6;
/// The largest precision of format_digits().
constexpr unsigned kMostDigits = 17;
/// printf() of %.*e, %.*f or %.*g, and seven times as fast as format_with().
std::string format_digits(double value, std::chars_format notation, int precision);
/// printf("%g", value).
std::string format_general(double value);
/// printf("%.*f", decimals, value).
std::string format_fixed(double value, int decimals);

/// The largest width and precision of format_with().
constexpr unsigned kMaxFieldSize = 999;
/// printf(conversion, value). `conversion` is one conversion of a double, with nothing before or
/// behind it.
std::string format_with(const std::string &conversion, double value);

/// strtod and strtof; `end` as there.
double parse_double(const char *text, char **end);
float parse_float(const char *text, char **end);

} // namespace vmaf
