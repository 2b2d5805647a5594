#include "scoring/frame_loop.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "common/format.h"
#include "libvmaf/libvmaf_ext.h"
#include "scoring/library.h"
#include "scoring/reader_thread.h"

namespace vmaf::tool {
namespace {

/// The next frame of one side; empty at the end of the video.
std::optional<Picture> next_picture(ReaderThread &reader, const SignalWatcher &signals)
{
    auto item = reader.next(signals.token());
    if (!item)
        throw ScoringStopped(StopReason::interrupted, signals.exit_code(), "interrupted");
    if (const auto *failure = std::get_if<std::exception_ptr>(&*item))
        std::rethrow_exception(*failure);
    if (auto *picture = std::get_if<Picture>(&*item))
        return std::move(*picture);
    return std::nullopt;
}

/// The next frame of each video; empty where there is none.
using Frames = std::vector<std::optional<Picture>>;

Frames next_frames(std::span<const std::unique_ptr<ReaderThread>> readers, const SignalWatcher &signals)
{
    Frames frames;
    for (const auto &reader : readers)
        frames.push_back(next_picture(*reader, signals));
    return frames;
}

/// Empty if all have ended.
std::optional<EarlyEnd> early_end(const Frames &frames)
{
    const auto ended = std::ranges::find(frames, false, &std::optional<Picture>::has_value);
    const auto longer = std::ranges::find(frames, true, &std::optional<Picture>::has_value);
    if (longer == frames.end())
        return std::nullopt;
    return EarlyEnd{static_cast<std::size_t>(ended - frames.begin()),
                    static_cast<std::size_t>(longer - frames.begin())};
}

/// What the library does not take stays in `frames`.
int give(std::span<VmafContext *const> contexts, Frames &frames, unsigned index)
{
    VmafPicture &ref = frames[0]->raw();
    if (contexts.size() == 1)
        return vmaf_read_pictures(contexts[0], &ref, &frames[1]->raw(), index);
    std::vector<VmafPicture> dis;
    for (std::size_t i = 1; i < frames.size(); ++i)
        dis.push_back(frames[i]->raw());
    const int error =
        vmaf_read_pictures_shared(contexts.data(), static_cast<unsigned>(contexts.size()), &ref, dis.data(), index);
    for (std::size_t i = 1; i < frames.size(); ++i)
        frames[i]->raw() = dis[i - 1];
    return error;
}

/// What only the first frame can tell, a size or an option that a feature refuses, is a mistake in the set-up.
void score_frame(std::span<VmafContext *const> contexts, Frames &frames, unsigned index)
{
    const int error = give(contexts, frames, index);
    if (error == 0)
        return;
    const std::string text = formatted("problem reading pictures: frame {}", index);
    if (index == 0 && error == -EINVAL)
        throw Failure(kExitSetup, text);
    throw ScoringStopped(StopReason::engine_error, exit_code_of(error), text);
}

} // namespace

FrameLoopResult read_frames(const Options &options, VideoReader &ref, std::span<const Scoring> encodes,
                            const SignalWatcher &signals, Progress &progress)
{
    FrameLoopResult result;
    std::vector<VmafContext *> contexts;
    std::vector<std::unique_ptr<ReaderThread>> readers;
    const auto start_reading = [&](const ScoringContext &context, VideoReader &video, unsigned skip) {
        readers.push_back(std::make_unique<ReaderThread>(context, video, FrameRange{skip, options.frame_cnt}));
    };
    start_reading(encodes.front().context, ref, options.frame_skip_ref);
    for (const Scoring &encode : encodes) {
        contexts.push_back(encode.context.get());
        start_reading(encode.context, encode.video, options.frame_skip_dist);
    }
    try {
        while (options.frame_cnt == 0 || result.frames < options.frame_cnt) {
            Frames frames = next_frames(readers, signals);
            if (!std::ranges::all_of(frames, &std::optional<Picture>::has_value)) {
                result.ended_first = early_end(frames);
                break;
            }
            score_frame(contexts, frames, result.frames);
            ++result.frames;
            progress.frame_read();
        }
    } catch (const ScoringStopped &stop) {
        result.stop = stop;
    }
    return result;
}

} // namespace vmaf::tool
