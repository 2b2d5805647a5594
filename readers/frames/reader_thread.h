#pragma once

#include <optional>
#include <stop_token>
#include <thread>

#include "frames/library.h"
#include "frames/picture_queue.h"
#include "frames/picture_source.h"
#include "input/video_reader.h"

namespace vmaf::tool {

struct FrameRange {
    unsigned skip = 0;  ///< frames dropped before frame 0
    unsigned count = 0; ///< not a frame more is read; 0: no limit
};

/// Reads one video ahead of the scoring.
class ReaderThread {
  public:
    /// Both must outlive the thread.
    ReaderThread(const PictureSource &pictures, VideoReader &video, FrameRange range);
    ~ReaderThread();

    /// The next item of the video; empty if interrupted.
    std::optional<QueueItem> next(const std::stop_token &interrupted) { return queue_.pop(interrupted); }

  private:
    void run(const std::stop_token &stop);
    void deliver(const std::stop_token &stop);
    bool skip_frames();
    std::optional<Picture> next_frame();
    Picture fetch();

    const PictureSource &pictures_;
    VideoReader &video_;
    FrameRange range_;
    PictureQueue queue_;
    std::jthread thread_; ///< the last member: it uses the others
};

} // namespace vmaf::tool
