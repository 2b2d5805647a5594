#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace vmaf::tool {

/// One message on stderr, in one piece. A stderr that cannot be written to is no reason to fail.
template <class... Args> void say(fmt::format_string<Args...> format, Args &&...args)
{
    const std::string text = fmt::format(format, std::forward<Args>(args)...);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace vmaf::tool
