#pragma once

#include <string>

/// Numbers as the C locale writes and reads them, whatever locale the client has set.
namespace vmaf {

/// printf("%g", value).
std::string format_general(double value);
/// printf("%.*f", decimals, value).
std::string format_fixed(double value, int decimals);

/// The largest width and precision of format_with().
constexpr unsigned kMaxFieldSize = 999;
/// printf(conversion, value). `conversion` is one conversion of a double, with nothing before or behind it.
std::string format_with(const std::string &conversion, double value);

/// strtod and strtof; `end` as there.
double parse_double(const char *text, char **end);
float parse_float(const char *text, char **end);

} // namespace vmaf
