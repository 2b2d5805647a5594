#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <variant>
#include <vector>

#include "alignment/collect.h"
#include "alignment/lent_luma.h"
#include "frames/library.h"
#include "frames/picture_source.h"
#include "input/frame_probe.h"
#include "input/video_reader.h"

namespace vmaf::tool {

struct EndOfVideo {};

/// A frame, or what came instead of one. A failure follows the frames that were read before it.
using QueueItem = std::variant<Picture, EndOfVideo, std::exception_ptr>;

/// Queue of pictures from a reader thread to the scoring thread.
class PictureQueue {
  public:
    explicit PictureQueue(unsigned limit) : limit_(limit) {}

    /// Wait until one more picture may be pushed; false if stopped.
    bool wait_for_room(const std::stop_token &stop);
    void push(QueueItem item);
    /// Wait for the next item; empty if stopped.
    std::optional<QueueItem> pop(const std::stop_token &stop);

  private:
    const unsigned limit_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<QueueItem> items_;
};

struct FrameRange {
    unsigned skip = 0;                  ///< frames dropped before frame 0
    unsigned count = 0;                 ///< not a frame more is read; 0: no limit
    std::vector<unsigned> numbers = {}; ///< numbers of the frames to read, ascending; empty: all
};

/// Which users of a picture read chroma.
enum class ChromaUse {
    scored, ///< features
    probed, ///< the probe, as long as it wants it
    unread, ///< nobody
};

/// Observers that see each frame as it is read.
struct WatchedFrames {
    LumaCollector *luma = nullptr; ///< null: nobody does
    unsigned first = 0;            ///< number of the first frame that is read
    FrameProbe *probe = nullptr;   ///< null: nobody looks for bars and grey chroma
    ChromaUse chroma = ChromaUse::scored;
};

/// Reads one video ahead of the scoring.
class ReaderThread {
  public:
    /// Start the thread. All arguments must outlive it.
    ReaderThread(const PictureSource &pictures, VideoReader &video, FrameRange range, WatchedFrames watched = {});
    ~ReaderThread();

    /// Reads no more, and the next item may not come. Does not wait for the thread.
    void request_stop() { thread_.request_stop(); }
    /// The next item of the video; empty if interrupted.
    std::optional<QueueItem> next(const std::stop_token &interrupted) { return queue_.pop(interrupted); }

  private:
    void run(const std::stop_token &stop);
    bool deliver(const std::stop_token &stop);
    bool skip_frames(unsigned count);
    std::optional<Picture> next_frame(unsigned number);
    void watch(unsigned number, const Picture &picture);
    void leave_out_chroma();
    Picture fetch();

    const PictureSource &pictures_;
    VideoReader &video_;
    FrameRange range_;
    WatchedFrames watched_;
    /// Luma of lent frames, if only the probe wants it.
    std::optional<LumaCollector> probed_luma_;
    std::optional<LentLuma> lent_luma_; ///< luma of lent frames, once there are some
    PictureQueue queue_;
    std::jthread thread_; ///< the last member: it uses the others
};

} // namespace vmaf::tool
