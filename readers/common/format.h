#pragma once

#include <string>

#include <fmt/core.h>

namespace vmaf::tool {

/// What fmt::vformat() does. Its own file holds all of fmt that takes long to compile; the rest includes the smallest header.
std::string formatted_arguments(fmt::string_view format, fmt::format_args arguments);

/// fmt::format(), whose format is checked when it is compiled.
template <class... Args> std::string formatted(fmt::format_string<Args...> format, const Args &...arguments)
{
    return formatted_arguments(format, fmt::make_format_args(arguments...));
}

} // namespace vmaf::tool
