#include "frames/reader_thread.h"

#include <exception>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "common/threads.h"

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

ReaderThread::ReaderThread(const PictureSource &pictures, VideoReader &video, FrameRange range, WatchedFrames watched)
    : pictures_(pictures), video_(video), range_(std::move(range)), watched_(watched),
      queue_(pictures.queued_pictures()),
      thread_(start_thread("to read a video", [this](const std::stop_token &stop) { run(stop); }))
{
}

ReaderThread::~ReaderThread() = default;

void ReaderThread::run(const std::stop_token &stop)
{
    const std::stop_callback cancel_read(stop, [this] { video_.cancel(); });
    bool has_ended = false;
    std::exception_ptr failure;
    try {
        has_ended = deliver(stop);
    } catch (const ReadCancelled &) {
        // The scoring thread wants no more frames and has not been waiting for this one.
    } catch (...) {
        failure = std::current_exception();
    }
    try {
        if (lent_luma_)
            lent_luma_->finish();
    } catch (...) {
        failure = failure ? failure : std::current_exception();
    }
    // Outside of the handlers, which would hold on to the exception: the other thread alone has it
    // now, and frees it.
    if (failure)
        queue_.push(std::move(failure));
    else if (has_ended)
        queue_.push(EndOfVideo{});
}

/// @return whether the video has ended; else nobody waits for more.
bool ReaderThread::deliver(const std::stop_token &stop)
{
    if (watched_.chroma == ChromaUse::unread || (watched_.chroma == ChromaUse::probed && watched_.probe == nullptr))
        leave_out_chroma();
    if (watched_.luma == nullptr && watched_.probe != nullptr && video_.lends_frames()) {
        const FrameWindow probed[] = {{watched_.first, FrameProbe::kUsualFrames}};
        watched_.luma = &probed_luma_.emplace(video_.form(), probed);
    }
    const std::vector<unsigned> &numbers = range_.numbers;
    std::vector<std::uint64_t> read;
    read.reserve(numbers.size());
    for (const unsigned number : numbers)
        read.push_back(std::uint64_t{range_.skip} + number);
    video_.read_only(read);
    if (!skip_frames(range_.skip))
        return true;
    for (unsigned frame = 0; range_.count == 0 || frame < range_.count; ++frame) {
        if (!queue_.wait_for_room(stop))
            return false;
        if (!numbers.empty() && frame == numbers.size())
            return true;
        const unsigned left_out = numbers.empty() ? 0 : numbers[frame] - (frame == 0 ? 0 : numbers[frame - 1] + 1);
        std::optional<Picture> picture = skip_frames(left_out) ? next_frame(frame) : std::nullopt;
        if (!picture)
            return true;
        queue_.push(std::move(*picture));
    }
    return false;
}

/// False if the video ends among them.
bool ReaderThread::skip_frames(unsigned count)
{
    for (unsigned frame = 0; frame < count; ++frame)
        if (!video_.skip_frame())
            return false;
    return true;
}

/// Empty at the end of the video.
std::optional<Picture> ReaderThread::next_frame(unsigned number)
{
    Picture picture;
    const bool is_lent = video_.lends_frames();
    const bool is_there =
        is_lent ? video_.lend_frame(pictures_.get(), picture.raw()) : video_.read_frame((picture = fetch()).raw());
    if (is_there && watched_.luma != nullptr)
        watch(watched_.first + number, picture);
    if (is_there && !is_lent && watched_.probe != nullptr)
        watched_.probe->look(picture.raw(), video_.form().range, watched_.chroma != ChromaUse::unread);
    if (is_there && watched_.chroma == ChromaUse::probed && !watched_.probe->wants_chroma())
        leave_out_chroma();
    return is_there ? std::optional(std::move(picture)) : std::nullopt;
}

void ReaderThread::watch(unsigned number, const Picture &picture)
{
    if (!video_.lends_frames())
        return watched_.luma->take(number, picture.raw());
    if (!lent_luma_)
        lent_luma_.emplace(*watched_.luma, watched_.probe);
    lent_luma_->take(number, pictures_.get(), picture.raw(), watched_.chroma != ChromaUse::unread);
}

void ReaderThread::leave_out_chroma()
{
    watched_.chroma = ChromaUse::unread;
    video_.leave_out_chroma();
}

Picture ReaderThread::fetch()
{
    Picture picture;
    const int error = pictures_.fetch(picture.raw());
    if (error)
        throw ScoringStopped(StopReason::engine_error, exit_code_of(error), "problem fetching a picture from the pool");
    return picture;
}

} // namespace vmaf::tool
