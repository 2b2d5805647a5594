#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <variant>

#include "frames/library.h"

namespace vmaf::tool {

struct EndOfVideo {};

/// A frame, or what came instead of one: a failure travels behind the frames that were read before it.
using QueueItem = std::variant<Picture, EndOfVideo, std::exception_ptr>;

/// From a reader thread to the scoring thread.
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

} // namespace vmaf::tool
