#include "scoring/frame_loop.h"

#include <cerrno>

#include "common/format.h"
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

/// What only the first frame can tell, a size or an option that a feature refuses, is a mistake in the set-up.
void score_pair(VmafContext *context, Picture &ref, Picture &dis, unsigned index)
{
    const int error = vmaf_read_pictures(context, &ref.raw(), &dis.raw(), index);
    if (error == 0)
        return;
    const std::string text = formatted("problem reading pictures: frame {}", index);
    if (index == 0 && error == -EINVAL)
        throw Failure(kExitSetup, text);
    throw ScoringStopped(StopReason::engine_error, exit_code_of(error), text);
}

} // namespace

FrameLoopResult read_frames(const ScoringContext &context, const Options &options, VideoReader &ref, VideoReader &dis,
                            const SignalWatcher &signals, Progress &progress)
{
    FrameLoopResult result;
    ReaderThread ref_reader(context, ref, {options.frame_skip_ref, options.frame_cnt});
    ReaderThread dis_reader(context, dis, {options.frame_skip_dist, options.frame_cnt});
    try {
        while (options.frame_cnt == 0 || result.frames < options.frame_cnt) {
            auto ref_picture = next_picture(ref_reader, signals);
            auto dis_picture = next_picture(dis_reader, signals);
            if (!ref_picture || !dis_picture) {
                if (ref_picture || dis_picture)
                    result.ended_first = ref_picture ? Side::dis : Side::ref;
                break;
            }
            score_pair(context.get(), *ref_picture, *dis_picture, result.frames);
            ++result.frames;
            progress.frame_read();
        }
    } catch (const ScoringStopped &stop) {
        result.stop = stop;
    }
    return result;
}

} // namespace vmaf::tool
