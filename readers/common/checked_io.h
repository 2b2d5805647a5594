#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace vmaf::tool {

/// Messages with errno's text.
std::string could_not_open(const std::string &path);
std::string cannot_write(const std::string &path);

/// Everything that is left to read, but not much more than `limit_bytes`. False and errno set on
/// failure.
bool read_all(int fd, std::string &text, std::size_t limit_bytes = std::string::npos);
/// False and errno set on failure.
bool write_all(int fd, std::string_view text);

/// Facts about a file, and its identity.
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

/// Status of the file; empty, with errno set, on failure.
std::optional<FileStatus> status_of(const std::string &path);

/// Owns a file descriptor; -1 is none.
class UniqueFd {
  public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd &operator=(UniqueFd &&other) noexcept
    {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~UniqueFd()
    {
        if (fd_ >= 0)
            ::close(fd_);
    }

    int get() const { return fd_; }
    bool valid() const { return fd_ >= 0; }
    /// Close now; false and errno if that fails (a write error may be reported only here).
    bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

  private:
    int fd_ = -1;
};

} // namespace vmaf::tool
