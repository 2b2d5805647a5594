#include "report/frames_again.h"

#include <algorithm>

#include "common/failure.h"

namespace vmaf::tool {

FramesAgain::FramesAgain(const ScoredSide &side)
    : reader_(side.video.reopened()), skipped_(side.skipped), pairs_(side.pairs),
      picture_(new_picture(reader_->format()))
{
}

const VmafPicture &FramesAgain::frame(unsigned number)
{
    const std::uint64_t wanted = std::uint64_t{skipped_} + own_number(number);
    if (next_ == wanted + 1)
        return picture_.raw();
    bool is_there = true;
    for (; is_there && next_ < wanted; ++next_)
        is_there = reader_->skip_frame();
    ++next_;
    if (!is_there || !reader_->read_frame(picture_.raw()))
        throw ScoringStopped(StopReason::truncated_input, kExitBadData, "a video has become shorter");
    return picture_.raw();
}

unsigned FramesAgain::own_number(unsigned distorted) const
{
    const auto pair = std::ranges::lower_bound(pairs_, distorted, {}, &FramePair::dis);
    return pair == pairs_.end() ? distorted : pair->ref;
}

} // namespace vmaf::tool
