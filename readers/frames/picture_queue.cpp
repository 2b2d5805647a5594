#include "frames/picture_queue.h"

#include <utility>

namespace vmaf::tool {

bool PictureQueue::wait_for_room(const std::stop_token &stop)
{
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, stop, [this] { return items_.size() < limit_; }) && !stop.stop_requested();
}

void PictureQueue::push(QueueItem item)
{
    {
        const std::scoped_lock lock(mutex_);
        items_.push_back(std::move(item));
    }
    changed_.notify_all();
}

std::optional<QueueItem> PictureQueue::pop(const std::stop_token &stop)
{
    std::optional<QueueItem> item;
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return !items_.empty(); }) || stop.stop_requested())
            return item;
        item = std::move(items_.front());
        items_.pop_front();
    }
    changed_.notify_all();
    return item;
}

} // namespace vmaf::tool
