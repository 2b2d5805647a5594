#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vmaf::tool {

/// Messages with errno's text.
std::string could_not_open(const std::string &path);
std::string cannot_write(const std::string &path);

/// Everything that is left to read, but not much more than `limit_bytes`. False and errno set on failure.
bool read_all(int fd, std::string &text, std::size_t limit_bytes = std::string::npos);
/// False and errno set on failure.
bool write_all(int fd, std::string_view text);

} // namespace vmaf::tool
