#include "input/media/shared_source.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "common/failure.h"

namespace vmaf::tool {

struct SharedSource::Frame {
    AvFrame stored;             ///< null: the video has ended, or the frame is skipped
    AvFrame planar;             ///< null: not yet made
    std::exception_ptr failure; ///< in place of the frame
    bool is_there = false;
};

/// State that the readers share. One of them at a time decodes.
struct SharedSource::Decoded {
    struct Reader {
        std::uint64_t next = 0; ///< frame that it reads
        std::atomic<bool> is_cancelled = false;
    };

    /// Frames before that are of no use any more. Needs the mutex.
    void drop_read()
    {
        std::uint64_t least = first + frames.size();
        for (const auto &reader : readers)
            if (!reader->is_cancelled)
                least = std::min(least, reader->next);
        for (; first < least; ++first)
            frames.pop_front();
    }

    std::unique_ptr<PlanarSource> source;
    std::vector<std::unique_ptr<Reader>> readers;
    std::atomic<std::size_t> cancelled = 0; ///< readers

    std::mutex mutex; ///< guards the source while frames are read, and the members below
    std::uint64_t first = 0;
    std::deque<std::shared_ptr<Frame>> frames; ///< from that one on
};

SharedSource::SharedSource(std::unique_ptr<PlanarSource> source) : SharedSource(std::make_shared<Decoded>())
{
    decoded_->source = std::move(source);
}

SharedSource::SharedSource(std::shared_ptr<Decoded> decoded)
    : decoded_(std::move(decoded)), number_(decoded_->readers.size())
{
    decoded_->readers.push_back(std::make_unique<Decoded::Reader>());
}

SharedSource::~SharedSource() = default;

std::unique_ptr<SharedSource> SharedSource::another() const
{
    return std::unique_ptr<SharedSource>(new SharedSource(decoded_));
}

PlanarSource &SharedSource::source() const
{
    return *decoded_->source;
}

/// A frame that the others have left out too may be skipped: they have equal numbers of frames to
/// drop.
std::shared_ptr<SharedSource::Frame> SharedSource::next_frame(bool with_chroma, bool is_skipped)
{
    Decoded &all = *decoded_;
    const std::scoped_lock lock(all.mutex);
    Decoded::Reader &reader = *all.readers[number_];
    if (reader.is_cancelled)
        throw ReadCancelled();
    if (reader.next == all.first + all.frames.size()) {
        const auto frame = std::make_shared<Frame>();
        try {
            if (is_skipped)
                frame->is_there = all.source->skip();
            else
                frame->is_there = (frame->stored = all.source->next_stored(with_chroma)) != nullptr;
        } catch (...) {
            frame->failure = std::current_exception();
        }
        all.frames.push_back(frame);
    }
    std::shared_ptr<Frame> frame = all.frames[static_cast<std::size_t>(reader.next - all.first)];
    if (frame->is_there) { // else it is the last
        ++reader.next;
        all.drop_read();
    }
    if (frame->failure)
        std::rethrow_exception(frame->failure);
    return frame;
}

AvFrame SharedSource::next_stored(bool with_chroma)
{
    frame_ = next_frame(with_chroma, false);
    return frame_->is_there ? AvFrame(allocated(av_frame_clone(frame_->stored.get()))) : nullptr;
}

/// The planar frame, made once for all readers. RGB is converted to each reader's own form.
AvFrame SharedSource::planar(AvFrame stored)
{
    const std::scoped_lock lock(decoded_->mutex);
    if (tags().is_rgb) {
        source().convert_rgb_to(form_);
        return source().planar(std::move(stored));
    }
    if (!frame_->planar)
        frame_->planar = source().planar(std::move(stored));
    return AvFrame(allocated(av_frame_clone(frame_->planar.get())));
}

bool SharedSource::skip()
{
    return next_frame(false, true)->is_there;
}

/// The first reader speaks for all.
void SharedSource::decode_in_segments(unsigned decoders, std::uint64_t bytes)
{
    if (number_ == 0)
        source().decode_in_segments(decoders, bytes);
}

/// The first reader speaks for all here, too.
void SharedSource::start_at(const SegmentStart &segment)
{
    if (number_ == 0)
        source().start_at(segment);
}

void SharedSource::cancel()
{
    if (decoded_->readers[number_]->is_cancelled.exchange(true))
        return;
    if (++decoded_->cancelled == decoded_->readers.size())
        source().cancel();
}

} // namespace vmaf::tool
