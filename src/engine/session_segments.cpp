// How a session gets scores that others computed.

#include <algorithm>
#include <climits>

#include "base/log.h"
#include "engine/session.h"

namespace vmaf {
namespace {

Status refused(const char *why)
{
    log(LogLevel::error, "segment: %s", why);
    return Status::error(EINVAL);
}

} // namespace

Status Session::check_segment(const Session &segment, unsigned skip, unsigned count) const
{
    if (&segment == this)
        return refused("a context cannot be a segment of itself");
    if (flushed_ || pictures_.pair_count() != appended_.frames)
        return refused("the context that it is appended to was flushed, or has read pictures");
    if (!segment.flushed_)
        return refused("its context was not flushed");
    if (!features_.equals(segment.features_) ||
        std::max(config_.subsample, 1U) != std::max(segment.config_.subsample, 1U))
        return refused("its context has other features, options or n_subsample");
    const unsigned read = segment.pictures_.pair_count();
    if (count == 0 || skip > read || count > read - skip || count > UINT_MAX - appended_.frames) {
        log(LogLevel::error, "segment: %u frames from frame %u on are asked for, and its context has read %u", count,
            skip, read);
        return Status::error(EINVAL);
    }
    if (appended_.frames > 0 && pictures_.format() != segment.pictures_.format())
        return refused("its pictures have another format than those before");
    return check_neighbours(segment, skip);
}

// Its frames have the clip's scores if it has read what its features look at, as far as the clip has it.
Status Session::check_neighbours(const Session &segment, unsigned skip) const
{
    const FrameNeighbours overlap = segment.segment_overlap();
    if (skip > appended_.frames || skip < std::min(appended_.frames, overlap.before)) {
        log(LogLevel::error, "segment: %u frames were read before it, %u are needed and the clip has %u", skip,
            overlap.before, appended_.frames);
        return Status::error(EINVAL);
    }
    if ((appended_.frames - skip) % std::max(config_.subsample, 1U) != 0)
        return refused("it begins where subsampling meets other frames than in the whole clip");
    const unsigned left = segment.pictures_.pair_count() - skip; // of the clip, as far as this segment knows
    if (appended_.frames > 0 && appended_.read_behind < overlap.after && left > appended_.read_behind) {
        log(LogLevel::error, "segment: %u frames were read behind the one before it, %u are needed and the clip has %u",
            appended_.read_behind, overlap.after, left);
        return Status::error(EINVAL);
    }
    return {};
}

Status Session::append(Session &segment, unsigned skip, unsigned count)
{
    VMAF_TRY(check_segment(segment, skip, count));
    // The frames behind count too: a score that takes a hole for the clip's end is not the clip's.
    const unsigned behind = segment.pictures_.pair_count() - skip - count;
    const unsigned needed = count + std::min(segment.segment_overlap().after, behind);
    std::vector<SessionFeature::Rows> rows;
    const auto missing = segment.table_.with([&](const ScoreTable &) {
        rows = segment.features_.rows(skip, count);
        return segment.features_.missing_score(skip, needed, config_.subsample);
    });
    if (missing)
        return segment.ledger_.why_missing({missing->index, missing->wait});
    const PictureFormat format = *segment.pictures_.format();
    const AppendedFrames frames{skip, count, appended_.frames, next_call(count)};
    VMAF_TRY(features_.append(table_, segment.features_, format, rows, frames, config_.subsample));
    pictures_.count(format, count);
    if (const auto time = segment.ledger_.time())
        ledger_.include(*time);
    appended_ = {appended_.frames + count, behind};
    return {};
}

} // namespace vmaf
