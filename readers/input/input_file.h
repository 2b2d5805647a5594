#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/checked_io.h"
#include "input/system_types.h"

namespace vmaf::tool {

/// Thrown by a read that cancel() ended. Not a failure: nobody waits for the data any more.
struct ReadCancelled {};

/// A file, FIFO or device that is read strictly forward.
class InputFile {
  public:
    /// Throws Failure (spec cli 7: 255) if it cannot be opened. Waits for the writer of a FIFO.
    explicit InputFile(const std::string &path);
    /// Throws Failure.
    static InputFile standard_input();
    /// Stands for what somebody else opens, a URL: there is nothing to read here.
    static InputFile unopened(std::string path);

    /// Opens the file again, at its start. Throws Failure if it is no regular file, or has changed.
    InputFile reopened() const;

    const std::string &path() const { return path_; }
    const FileStatus &status() const { return status_; }
    bool is_open() const { return fd_.valid(); }
    /// Size of a regular file.
    std::optional<std::uint64_t> size_bytes() const;

    /// Read until `destination` is full or the data end; returns the bytes read. Throws
    /// ScoringStopped on a read error.
    std::size_t read(void *destination, std::size_t bytes);
    /// As read(), into several buffers in order. The call changes `parts`.
    std::size_t read(std::span<iovec> parts);
    /// As read(), but waits for one byte only. Fewer bytes than asked for do not mean the end; 0
    /// does.
    std::size_t read_available(void *destination, std::size_t bytes);
    /// What read will deliver next, so many bytes or what there is before the end; at most as many
    /// as a small read takes. Until the next read.
    std::string_view peek(std::size_t bytes);
    /// As read(), but drops the data. In a regular file it seeks over many bytes.
    std::size_t skip(std::size_t bytes);

    /// Whether seek_to() may be called: a regular file that was opened at its start.
    bool is_seekable() const { return size_bytes() && seekable_; }
    /// Read on from there. False and errno on failure.
    bool seek_to(std::uint64_t position);

    /// End reads that wait for data, now and later. From any thread.
    void cancel();

  private:
    static constexpr std::size_t kBufferBytes = std::size_t{64} * 1024;

    InputFile(std::string path, UniqueFd fd);
    void look_at_file();
    std::size_t read_some(std::span<const iovec> parts);
    void wait_for_data();
    bool fill_buffer();
    bool seek_over(std::size_t bytes);
    std::size_t take_buffered(void *destination, std::size_t bytes);

    std::string path_;
    UniqueFd fd_;
    CancelEvent cancel_event_;
    FileStatus status_{};
    bool seekable_ = true;
    std::vector<std::byte> buffer_; ///< small reads are served from here, large ones go past it
    std::size_t buffer_begin_ = 0;
    std::size_t buffer_end_ = 0;
};

} // namespace vmaf::tool
