#include "input/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "common/failure.h"
#include "common/printable.h"

namespace vmaf::tool {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

} // namespace

InputFile::InputFile(std::string path)
    : path_(std::move(path)), fd_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)),
      cancel_event_(::eventfd(0, EFD_CLOEXEC)), buffer_(kBufferBytes)
{
    const int open_error = errno;
    if (!fd_.valid())
        throw Failure(kExitSetup,
                      fmt::format("could not open file: {} ({})", printable(path_), std::strerror(open_error)));
    if (!cancel_event_.valid() || ::fstat(fd_.get(), &status_) != 0)
        throw Failure(kExitSetup, fmt::format("could not open file: {} ({})", printable(path_), std::strerror(errno)));
    if (S_ISDIR(status_.st_mode))
        throw Failure(kExitSetup, fmt::format("could not open file: {} (it is a directory)", printable(path_)));
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
    // An event counter takes any number of ones; there is nothing to do about a failure and nothing is lost by it.
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

/// One read(2): what is there now, 0 at the end.
std::size_t InputFile::read_some(void *destination, std::size_t bytes)
{
    wait_for_data();
    for (;;) {
        const ssize_t got = ::read(fd_.get(), destination, bytes);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EINTR)
            throw ScoringStopped(StopReason::decode_error, exit_code_of(-errno),
                                 fmt::format("{}: read error: {}", printable(path_), std::strerror(errno)));
    }
}

std::size_t InputFile::take_buffered(void *destination, std::size_t bytes)
{
    const std::size_t taken = std::min(bytes, buffer_end_ - buffer_begin_);
    if (destination)
        std::memcpy(destination, buffer_.data() + buffer_begin_, taken);
    buffer_begin_ += taken;
    return taken;
}

std::size_t InputFile::read(void *destination, std::size_t bytes)
{
    auto *const out = static_cast<std::byte *>(destination);
    std::size_t done = take_buffered(out, bytes);
    while (done < bytes) {
        if (bytes - done >= buffer_.size()) {
            const std::size_t got = read_some(out + done, bytes - done);
            if (got == 0)
                break;
            done += got;
            continue;
        }
        buffer_begin_ = 0;
        buffer_end_ = read_some(buffer_.data(), buffer_.size());
        if (buffer_end_ == 0)
            break;
        done += take_buffered(out + done, bytes - done);
    }
    return done;
}

std::size_t InputFile::skip(std::size_t bytes)
{
    std::size_t done = take_buffered(nullptr, bytes);
    while (done < bytes) {
        buffer_begin_ = 0;
        buffer_end_ = read_some(buffer_.data(), buffer_.size());
        if (buffer_end_ == 0)
            break;
        done += take_buffered(nullptr, bytes - done);
    }
    return done;
}

} // namespace vmaf::tool
