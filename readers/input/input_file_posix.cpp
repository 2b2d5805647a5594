#include "input/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr std::size_t kMostParts = 1024; ///< limit of readv(2) on Linux

} // namespace

InputFile::InputFile(std::string path, UniqueFd fd)
    : path_(std::move(path)), fd_(std::move(fd)), cancel_event_(::eventfd(0, EFD_CLOEXEC)), buffer_(kBufferBytes)
{
}

InputFile::InputFile(const std::string &path) : InputFile(path, UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)))
{
    look_at_file();
}

InputFile InputFile::standard_input()
{
    InputFile file("standard input", UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)));
    file.look_at_file();
    file.seekable_ = ::lseek(file.fd_.get(), 0, SEEK_CUR) == 0;
    return file;
}

void InputFile::look_at_file()
{
    if (!fd_.valid() || ::fstat(fd_.get(), &status_) != 0 || !cancel_event_.valid())
        throw Failure(kExitSetup, could_not_open(path_));
    if (S_ISDIR(status_.st_mode))
        throw Failure(kExitSetup, formatted("could not open file: {} (it is a directory)", printable(path_)));
}

InputFile InputFile::reopened() const
{
    if (!S_ISREG(status_.st_mode))
        throw Failure(kExitSetup, formatted("{} is no regular file and can be read only once", printable(path_)));
    InputFile again(path_);
    const auto same_time = [](const timespec &a, const timespec &b) {
        return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    const struct stat &now = again.status_;
    if (now.st_dev != status_.st_dev || now.st_ino != status_.st_ino || now.st_size != status_.st_size ||
        !same_time(now.st_mtim, status_.st_mtim))
        throw Failure(kExitSetup, formatted("{} has changed since it was scored", printable(path_)));
    return again;
}

std::optional<std::uint64_t> InputFile::size_bytes() const
{
    if (!S_ISREG(status_.st_mode))
        return std::nullopt;
    return static_cast<std::uint64_t>(status_.st_size);
}

void InputFile::cancel()
{
    const std::uint64_t one = 1;
    // An event counter takes any number of ones; there is nothing to do about a failure and nothing
    // is lost by it.
    [[maybe_unused]] const ssize_t written = ::write(cancel_event_.get(), &one, sizeof one);
}

/// A regular file always has data, or ends.
void InputFile::wait_for_data()
{
    pollfd fds[] = {{cancel_event_.get(), POLLIN, 0}, {fd_.get(), POLLIN, 0}};
    const int timeout_ms = S_ISREG(status_.st_mode) ? 0 : -1;
    while (::poll(fds, std::size(fds), timeout_ms) < 0 && errno == EINTR) {
    }
    if (fds[0].revents != 0)
        throw ReadCancelled{};
}

/// One readv(2): what is there now, 0 at the end.
std::size_t InputFile::read_some(std::span<const iovec> parts)
{
    wait_for_data();
    for (;;) {
        const ssize_t got = ::readv(fd_.get(), parts.data(), static_cast<int>(std::min(parts.size(), kMostParts)));
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EINTR)
            throw ScoringStopped(StopReason::decode_error, exit_code_of(-errno),
                                 formatted("{}: read error: {}", printable(path_), std::strerror(errno)));
    }
}

bool InputFile::seek_to(std::uint64_t position)
{
    buffer_begin_ = buffer_end_ = 0;
    return ::lseek(fd_.get(), static_cast<off_t>(position), SEEK_SET) >= 0;
}

/// Seek only within the file's size. Reads find the end of truncated files, and of files without a
/// size.
bool InputFile::seek_over(std::size_t bytes)
{
    struct stat now {};
    if (!S_ISREG(status_.st_mode) || bytes < buffer_.size() || ::fstat(fd_.get(), &now) != 0)
        return false;
    const off_t position = ::lseek(fd_.get(), 0, SEEK_CUR);
    return position >= 0 && now.st_size >= position && static_cast<std::size_t>(now.st_size - position) >= bytes &&
           ::lseek(fd_.get(), static_cast<off_t>(bytes), SEEK_CUR) >= 0;
}

} // namespace vmaf::tool
