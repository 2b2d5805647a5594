#pragma once

#include <string>
#include <string_view>

namespace vmaf::tool {

/// Text from outside (a file's name, a header, an option) as messages quote it: control characters, which could move the
/// cursor or forge a line, become \xNN. Letters of any script stay.
std::string printable(std::string_view text);

/// The same for a whole message, whose line breaks are meant.
std::string printable_lines(std::string_view text);

} // namespace vmaf::tool
