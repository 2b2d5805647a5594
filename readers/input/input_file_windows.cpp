#include "input/input_file.h"

#include <fcntl.h>
#include <io.h>
#include <share.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/wide_text.h"
#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/platform.h"

namespace vmaf::tool {
namespace {

UniqueFd opened(const std::string &path)
{
    int fd = -1;
    _wsopen_s(&fd, wide_text(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT, _SH_DENYNO, 0);
    return UniqueFd(fd);
}

} // namespace

InputFile::InputFile(std::string path, UniqueFd fd)
    : path_(std::move(path)), fd_(std::move(fd)), cancel_event_(std::make_unique<std::atomic<bool>>(false)),
      buffer_(kBufferBytes)
{
}

InputFile::InputFile(const std::string &path) : InputFile(path, opened(path))
{
    look_at_file();
}

InputFile InputFile::standard_input()
{
    InputFile file("standard input", UniqueFd(_dup(_fileno(stdin))));
    file.look_at_file();
    file.seekable_ = _lseeki64(file.fd_.get(), 0, SEEK_CUR) == 0;
    return file;
}

void InputFile::look_at_file()
{
    // The C library does not open folders, and says EACCES.
    const std::optional<FileStatus> named = fd_.valid() ? status_of(fd_.get()) : status_of(path_);
    if (named && named->folder)
        throw Failure(kExitSetup, formatted("could not open file: {} (it is a directory)", printable(path_)));
    if (!fd_.valid() || !named)
        throw Failure(kExitSetup, could_not_open(path_));
    status_ = *named;
}

InputFile InputFile::reopened() const
{
    if (!status_.regular)
        throw Failure(kExitSetup, formatted("{} is no regular file and can be read only once", printable(path_)));
    InputFile again(path_);
    if (again.status_ != status_)
        throw Failure(kExitSetup, formatted("{} has changed since it was scored", printable(path_)));
    return again;
}

std::optional<std::uint64_t> InputFile::size_bytes() const
{
    if (!status_.regular)
        return std::nullopt;
    return status_.bytes;
}

/// A read that already waits for a pipe's data goes on waiting.
void InputFile::cancel()
{
    *cancel_event_ = true;
}

void InputFile::wait_for_data()
{
    if (*cancel_event_)
        throw ReadCancelled{};
}

/// Read into the first buffer only, because Windows has no call for several.
std::size_t InputFile::read_some(std::span<const iovec> parts)
{
    wait_for_data();
    const iovec &part = parts.front();
    const std::ptrdiff_t got = tool::read_some(fd_.get(), part.iov_base, part.iov_len);
    if (got < 0)
        throw ScoringStopped(StopReason::decode_error, exit_code_of(-errno),
                             formatted("{}: read error: {}", printable(path_), std::strerror(errno)));
    return static_cast<std::size_t>(got);
}

bool InputFile::seek_to(std::uint64_t position)
{
    buffer_begin_ = buffer_end_ = 0;
    return _lseeki64(fd_.get(), static_cast<std::int64_t>(position), SEEK_SET) >= 0;
}

/// Seek only within the file's size. Reads find the end of truncated files.
bool InputFile::seek_over(std::size_t bytes)
{
    if (!status_.regular || bytes < buffer_.size())
        return false;
    const std::int64_t position = _telli64(fd_.get());
    const std::int64_t size = _filelengthi64(fd_.get());
    return position >= 0 && size >= position && static_cast<std::size_t>(size - position) >= bytes &&
           _lseeki64(fd_.get(), static_cast<std::int64_t>(bytes), SEEK_CUR) >= 0;
}

} // namespace vmaf::tool
