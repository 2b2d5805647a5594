#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/printable.h"

namespace vmaf::tool {

/// On stderr, in one piece and as it is. A stderr that cannot be written to is no reason to fail.
inline void put(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stderr);
}

/// One message on stderr. Whatever it quotes, the terminal obeys nothing in it.
template <class... Args> void say(fmt::format_string<Args...> format, Args &&...args)
{
    put(printable_lines(fmt::format(format, std::forward<Args>(args)...)));
}

} // namespace vmaf::tool
