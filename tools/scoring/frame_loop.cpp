#include "scoring/frame_loop.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "common/format.h"
#include "frames/library.h"
#include "frames/reader_thread.h"
#include "libvmaf/libvmaf_ext.h"
#include "scoring/lent_pictures.h"

namespace vmaf::tool {
namespace {

/// Who may end the loop: a signal, or somebody who needs no more frames.
struct Interruption {
    const SignalWatcher &signals;
    const std::stop_token &stop;

    [[noreturn]] void end_loop() const
    {
        const int exit_code = signals.token().stop_requested() ? signals.exit_code() : kExitBadData;
        throw ScoringStopped(StopReason::interrupted, exit_code, "interrupted");
    }
};

/// The next frame of one side; empty at the end of the video.
std::optional<Picture> next_picture(ReaderThread &reader, const Interruption &interruption)
{
    auto item = reader.next(interruption.stop);
    if (!item)
        interruption.end_loop();
    if (const auto *failure = std::get_if<std::exception_ptr>(&*item))
        std::rethrow_exception(*failure);
    if (auto *picture = std::get_if<Picture>(&*item))
        return std::move(*picture);
    return std::nullopt;
}

/// The next frame of each video; empty where there is none.
using Frames = std::vector<std::optional<Picture>>;

Frames next_frames(std::span<const std::unique_ptr<ReaderThread>> readers, const Interruption &interruption)
{
    Frames frames;
    for (const auto &reader : readers)
        frames.push_back(next_picture(*reader, interruption));
    return frames;
}

bool has_picture(const std::optional<Picture> &frame)
{
    return frame.has_value();
}

/// Empty if all have ended.
std::optional<EarlyEnd> early_end(const Frames &frames)
{
    const auto ended = std::ranges::find(frames, false, has_picture);
    const auto longer = std::ranges::find(frames, true, has_picture);
    if (longer == frames.end())
        return std::nullopt;
    return EarlyEnd{static_cast<std::size_t>(ended - frames.begin()),
                    static_cast<std::size_t>(longer - frames.begin())};
}

/// Encodes of one GPU, or of none: their sessions share the reference.
struct Group {
    std::vector<VmafContext *> contexts;
    std::vector<std::size_t> encodes; ///< their places among all
};

std::vector<Group> groups_of(std::span<const Scoring> encodes)
{
    std::vector<Group> groups;
    for (std::size_t i = 0; i < encodes.size(); ++i) {
        const auto beside = std::ranges::find_if(groups, [&](const Group &group) {
            return encodes[group.encodes.front()].context.is_beside(encodes[i].context);
        });
        Group &group = beside == groups.end() ? groups.emplace_back() : *beside;
        group.contexts.push_back(encodes[i].context.get());
        group.encodes.push_back(i);
    }
    return groups;
}

/// What the library does not take stays in `ref` and `frames`.
int give(const Group &group, Picture &ref, Frames &frames, unsigned index)
{
    const auto picture = [&](std::size_t encode) -> VmafPicture & { return frames[encode + 1]->raw(); };
    if (group.contexts.size() == 1)
        return vmaf_read_pictures(group.contexts[0], &ref.raw(), &picture(group.encodes[0]), index);
    std::vector<VmafPicture> dis;
    for (const std::size_t encode : group.encodes)
        dis.push_back(picture(encode));
    const int error = vmaf_read_pictures_shared(group.contexts.data(), static_cast<unsigned>(group.contexts.size()),
                                                &ref.raw(), dis.data(), index);
    for (std::size_t i = 0; i < dis.size(); ++i)
        picture(group.encodes[i]) = dis[i];
    return error;
}

/// Each group has a view of the one reference.
int give(std::span<const Group> groups, const LentPictures &pictures, Frames &frames, unsigned index)
{
    if (groups.size() == 1)
        return give(groups[0], *frames[0], frames, index);
    const auto ref = pictures.lend(std::move(*frames[0]));
    int first_error = 0;
    for (const Group &group : groups) {
        Picture view;
        int error = LentPictures::wrap(group.contexts.front(), ref, view);
        if (error == 0)
            error = give(group, view, frames, index);
        if (first_error == 0)
            first_error = error;
    }
    return first_error;
}

/// What only the clip's first frame can tell, a size or an option that a feature refuses, is a mistake in the set-up.
void check(int error, unsigned frame)
{
    if (error == 0)
        return;
    const std::string text = formatted("problem reading pictures: frame {}", frame);
    if (frame == 0 && error == -EINVAL)
        throw Failure(kExitSetup, text);
    throw ScoringStopped(StopReason::engine_error, exit_code_of(error), text);
}

} // namespace

Stretch whole_clip(const Options &options)
{
    return {.count = options.frame_cnt};
}

void flush(VmafContext *context, FrameLoopResult &result)
{
    const int error = vmaf_read_pictures(context, nullptr, nullptr, 0);
    if (error && !result.stop)
        result.stop.emplace(StopReason::engine_error, exit_code_of(error), "problem flushing context");
}

FrameLoopResult read_frames(const Stretch &stretch, const FrameSource &ref, std::span<const Scoring> encodes,
                            const SignalWatcher &signals, const std::stop_token &stop, Progress &progress)
{
    FrameLoopResult result;
    const Interruption interruption{signals, stop};
    const std::vector<Group> groups = groups_of(encodes);
    const LentPictures lent(ref.video.format());
    const PictureSource &ref_pictures =
        groups.size() > 1 ? static_cast<const PictureSource &>(lent) : encodes.front().context;
    std::vector<std::unique_ptr<ReaderThread>> readers;
    const auto start_reading = [&](const PictureSource &pictures, const FrameSource &source) {
        readers.push_back(
            std::make_unique<ReaderThread>(pictures, source.video, FrameRange{source.skip, stretch.count}));
    };
    start_reading(ref_pictures, ref);
    for (const Scoring &encode : encodes)
        start_reading(encode.context, encode.source);
    try {
        while (stretch.count == 0 || result.frames < stretch.count) {
            Frames frames = next_frames(readers, interruption);
            if (!std::ranges::all_of(frames, has_picture)) {
                result.ended_first = early_end(frames);
                break;
            }
            check(give(groups, lent, frames, result.frames), stretch.first + result.frames);
            if (result.frames >= stretch.before &&
                (stretch.count == 0 || result.frames < stretch.count - stretch.behind))
                progress.frame_read();
            ++result.frames;
        }
    } catch (const ScoringStopped &stopped) {
        result.stop = stopped;
    }
    return result;
}

} // namespace vmaf::tool
