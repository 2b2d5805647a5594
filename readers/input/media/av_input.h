#pragma once

#include <atomic>
#include <exception>

#include "input/input_file.h"
#include "input/media/libav.h"

namespace vmaf::tool {

/// An InputFile as libavformat reads one. Does not move: that library keeps its address.
class AvInput {
  public:
    explicit AvInput(InputFile file);
    AvInput(const AvInput &) = delete;

    const InputFile &file() const { return file_; }
    AVIOContext *context() const { return context_.get(); }
    bool is_cancelled() const { return cancelled_; }
    /// The file's bytes are at their end.
    bool has_ended() const { return has_ended_; }

    /// Stop reading. May be called from any thread.
    void cancel();
    /// Throws what a read threw in the midst of the library.
    void rethrow();

  private:
    struct FreeContext {
        void operator()(AVIOContext *context) const;
    };
    static int read(void *self, std::uint8_t *destination, int bytes);
    static std::int64_t seek(void *self, std::int64_t offset, int whence);
    int read_some(std::uint8_t *destination, int bytes);
    std::int64_t seek_to(std::int64_t offset, int whence);

    InputFile file_;
    std::atomic<bool> cancelled_ = false;
    bool has_ended_ = false;
    std::int64_t position_ = 0;
    std::exception_ptr thrown_;
    std::unique_ptr<AVIOContext, FreeContext> context_;
};

} // namespace vmaf::tool
