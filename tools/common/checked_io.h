#pragma once

#include <string>
#include <string_view>

namespace vmaf::tool {

/// Messages with errno's text.
std::string could_not_open(const std::string &path);
std::string cannot_write(const std::string &path);

/// Everything that is left to read. False and errno set on failure.
bool read_all(int fd, std::string &text);
/// False and errno set on failure.
bool write_all(int fd, std::string_view text);

} // namespace vmaf::tool
