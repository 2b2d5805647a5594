#include "input/input_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vmaf::tool {
namespace {

std::size_t total_bytes(std::span<const iovec> parts)
{
    std::size_t bytes = 0;
    for (const iovec &part : parts)
        bytes += part.iov_len;
    return bytes;
}

/// The rest of the buffers after their first `bytes` are full. The first one left is not empty.
std::span<iovec> behind(std::span<iovec> parts, std::size_t bytes)
{
    while (!parts.empty() && bytes >= parts.front().iov_len) {
        bytes -= parts.front().iov_len;
        parts = parts.subspan(1);
    }
    if (!parts.empty()) {
        parts.front().iov_base = static_cast<std::byte *>(parts.front().iov_base) + bytes;
        parts.front().iov_len -= bytes;
    }
    return parts;
}

} // namespace

InputFile InputFile::unopened(std::string path)
{
    return {std::move(path), UniqueFd()};
}

/// False at the end.
bool InputFile::fill_buffer()
{
    const iovec whole{buffer_.data(), buffer_.size()};
    buffer_begin_ = 0;
    buffer_end_ = read_some({&whole, 1});
    return buffer_end_ > 0;
}

std::string_view InputFile::peek(std::size_t bytes)
{
    std::memmove(buffer_.data(), buffer_.data() + buffer_begin_, buffer_end_ - buffer_begin_);
    buffer_end_ -= std::exchange(buffer_begin_, 0);
    bytes = std::min(bytes, buffer_.size());
    while (buffer_end_ < bytes) {
        const iovec free{buffer_.data() + buffer_end_, buffer_.size() - buffer_end_};
        const std::size_t got = read_some({&free, 1});
        if (got == 0)
            break;
        buffer_end_ += got;
    }
    return {reinterpret_cast<const char *>(buffer_.data()), std::min(bytes, buffer_end_)};
}

std::size_t InputFile::take_buffered(void *destination, std::size_t bytes)
{
    const std::size_t taken = std::min(bytes, buffer_end_ - buffer_begin_);
    if (destination)
        std::memcpy(destination, buffer_.data() + buffer_begin_, taken);
    buffer_begin_ += taken;
    return taken;
}

std::size_t InputFile::read_available(void *destination, std::size_t bytes)
{
    if (buffer_begin_ == buffer_end_ && bytes >= buffer_.size()) {
        const iovec part{destination, bytes};
        return read_some({&part, 1});
    }
    if (buffer_begin_ == buffer_end_)
        fill_buffer();
    return take_buffered(destination, bytes);
}

std::size_t InputFile::read(void *destination, std::size_t bytes)
{
    iovec part{destination, bytes};
    return read({&part, 1});
}

std::size_t InputFile::read(std::span<iovec> parts)
{
    std::size_t missing = total_bytes(parts);
    std::size_t done = 0;
    parts = behind(parts, 0);
    while (missing > 0) {
        std::size_t got = take_buffered(parts.front().iov_base, parts.front().iov_len);
        if (got == 0 && missing >= buffer_.size())
            got = read_some(parts);
        else if (got == 0 && fill_buffer())
            continue;
        if (got == 0)
            break;
        parts = behind(parts, got);
        done += got;
        missing -= got;
    }
    return done;
}

std::size_t InputFile::skip(std::size_t bytes)
{
    std::size_t done = take_buffered(nullptr, bytes);
    if (seek_over(bytes - done))
        return bytes;
    while (done < bytes && fill_buffer())
        done += take_buffered(nullptr, bytes - done);
    return done;
}

} // namespace vmaf::tool
