#pragma once

#include <unistd.h>

#include <string>
#include <string_view>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {

/// On stderr, in one piece and as it is. A stderr that cannot be written to is no reason to fail.
void put(std::string_view text);

/// What put() does from now on, in a program that has a log of its own; called by any thread. To be set before there are others.
/// Null: stderr again.
void redirect_console(void (*sink)(std::string_view text));

/// One message on stderr. Whatever it quotes, the terminal obeys nothing in it.
template <class... Args> void say(fmt::format_string<Args...> format, const Args &...arguments)
{
    put(printable_lines(formatted(format, arguments...)));
}

/// All there is to say on stdout, which is closed then. Throws Failure.
inline void print(std::string_view text)
{
    if (!write_all(STDOUT_FILENO, text) || ::close(STDOUT_FILENO) != 0)
        throw Failure(kExitSetup, cannot_write("standard output"));
}

} // namespace vmaf::tool
