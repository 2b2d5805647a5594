#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "libvmaf/libvmaf_ext.h"

/// Helpers that fuzz targets share. A target is a program around LLVMFuzzerTestOneInput(), which
/// libFuzzer, AFL++ or replay.cpp calls with one input after another.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t count);

namespace vmaf::fuzz {

/// An input as a source of decisions. Zeros follow its end, so every input means something.
class Bytes {
  public:
    Bytes(const std::uint8_t *bytes, std::size_t count) : next_(bytes), end_(bytes + count) {}

    bool at_end() const { return next_ == end_; }
    unsigned byte() { return at_end() ? 0 : *next_++; }
    /// A number from 0 to limit - 1; limit is at most 65536.
    unsigned below(unsigned limit) { return limit <= 256 ? byte() % limit : (byte() | byte() << 8) % limit; }
    template <class Value, std::size_t N> Value &one_of(Value (&values)[N])
    {
        return values[below(static_cast<unsigned>(N))];
    }
    /// Any double, including infinities and NaN.
    double number()
    {
        double value = 0;
        unsigned char raw[sizeof value];
        for (unsigned char &part : raw)
            part = static_cast<unsigned char>(byte());
        std::memcpy(&value, raw, sizeof value);
        return value;
    }
    /// The text up to a newline or the end.
    std::string line()
    {
        const std::uint8_t *const newline = std::find(next_, end_, '\n');
        const std::string text(next_, newline);
        next_ = newline == end_ ? end_ : newline + 1;
        return text;
    }
    std::string_view rest() const
    {
        return {reinterpret_cast<const char *>(next_), static_cast<std::size_t>(end_ - next_)};
    }

  private:
    const std::uint8_t *next_;
    const std::uint8_t *end_;
};

/// Ends the program like a crash if a promise is broken.
inline void require(bool kept, const char *promise)
{
    if (kept)
        return;
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
}

/// A file in memory with a path.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view content) : fd_(memfd_create("fuzz", MFD_CLOEXEC))
    {
        require(fd_ >= 0, "memfd_create");
        require(write(fd_, content.data(), content.size()) == static_cast<ssize_t>(content.size()), "write");
        path_ = "/proc/self/fd/" + std::to_string(fd_);
    }
    ~MemoryFile() { close(fd_); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;

    const std::string &path() const { return path_; }

  private:
    int fd_;
    std::string path_;
};

/// Discards messages: thousands of refused inputs a second would log thousands of lines.
inline void drop_log_lines()
{
    static const int dropped = vmaf_set_log_callback([](void *, VmafLogLevel, const char *) {}, nullptr);
    require(dropped == 0, "vmaf_set_log_callback");
}

} // namespace vmaf::fuzz
