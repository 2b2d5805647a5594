#pragma once

#include <string>

/// Numbers as the C locale writes and reads them, whatever locale the client has set.
namespace vmaf {

/// printf("%g", value).
std::string format_general(double value);
/// printf("%.*f", decimals, value).
std::string format_fixed(double value, int decimals);

/// strtod and strtof; `end` as there.
double parse_double(const char *text, char **end);
float parse_float(const char *text, char **end);

} // namespace vmaf
