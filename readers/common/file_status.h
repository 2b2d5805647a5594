#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

namespace vmaf::tool {

/// What there is to know of a file, and which one it is.
#ifdef _WIN32
struct FileStatus {
    bool regular = false; ///< else a pipe, a console or another device
    bool folder = false;
    std::uint64_t bytes = 0;
    std::uint64_t written = 0; ///< when
    std::uint64_t volume = 0, index = 0;

    bool operator==(const FileStatus &) const = default;
    bool is_same_file(const FileStatus &other) const { return volume == other.volume && index == other.index; }
};
std::optional<FileStatus> status_of(int fd);
#else
using FileStatus = struct stat;
#endif

/// None and errno on failure.
std::optional<FileStatus> status_of(const std::string &path);

} // namespace vmaf::tool
