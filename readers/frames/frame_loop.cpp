#include "frames/frame_loop.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "common/format.h"
#include "frames/reader_thread.h"

namespace vmaf::tool {
namespace {

using Readers = std::vector<std::unique_ptr<ReaderThread>>;

bool has_frame(const Picture &picture)
{
    return picture.raw().ref != nullptr;
}

/// The next frame of one video; empty at its end.
Picture next_picture(ReaderThread &reader, const std::stop_token &stop)
{
    auto item = reader.next(stop);
    if (!item)
        throw ScoringStopped(StopReason::interrupted, kExitBadData, "interrupted");
    if (const auto *failure = std::get_if<std::exception_ptr>(&*item))
        std::rethrow_exception(*failure);
    auto *const picture = std::get_if<Picture>(&*item);
    return picture ? std::move(*picture) : Picture();
}

/// Empty if all have ended.
std::optional<EarlyEnd> early_end(std::span<const Picture> frames)
{
    const auto ended = std::ranges::find(frames, false, has_frame);
    const auto longer = std::ranges::find(frames, true, has_frame);
    if (longer == frames.end())
        return std::nullopt;
    return EarlyEnd{static_cast<std::size_t>(ended - frames.begin()),
                    static_cast<std::size_t>(longer - frames.begin())};
}

/// What only the clip's first frame can tell, a size or an option that a feature refuses, is a mistake in the set-up.
ScoringStopped refused(int error, unsigned frame)
{
    const int exit_code = frame == 0 && error == -EINVAL ? kExitSetup : exit_code_of(error);
    return {StopReason::engine_error, exit_code, formatted("problem reading pictures: frame {}", frame)};
}

void give_frames(const Segment &segment, const Readers &readers, FrameSink &sink, const std::stop_token &stop,
                 const FrameRead &frame_read, FrameLoopResult &result)
{
    while (segment.count == 0 || result.frames < segment.count) {
        std::vector<Picture> frames;
        for (const auto &reader : readers)
            frames.push_back(next_picture(*reader, stop));
        if (!std::ranges::all_of(frames, has_frame)) {
            result.ended_first = early_end(frames);
            return;
        }
        result.error = sink.take(frames, result.frames);
        if (result.error)
            throw refused(result.error, segment.first + result.frames);
        const unsigned index = result.frames++;
        if (index >= segment.before && (segment.count == 0 || index < segment.count - segment.after))
            frame_read(result.frames);
    }
}

} // namespace

FrameLoopResult read_frames(const Segment &segment, std::span<const FrameSource> videos, FrameSink &sink,
                            const std::stop_token &stop, const FrameRead &frame_read)
{
    FrameLoopResult result;
    Readers readers;
    for (const auto &[video, skip] : videos)
        readers.push_back(
            std::make_unique<ReaderThread>(sink.pictures(readers.size()), video, FrameRange{skip, segment.count}));
    try {
        give_frames(segment, readers, sink, stop, frame_read, result);
    } catch (const ScoringStopped &stopped) {
        result.stop = stopped;
    }
    return result;
}

void flush(VmafContext *context, FrameLoopResult &result)
{
    const int error = vmaf_read_pictures(context, nullptr, nullptr, 0);
    if (error && !result.stop)
        result.stop.emplace(StopReason::engine_error, exit_code_of(error), "problem flushing context");
}

} // namespace vmaf::tool
