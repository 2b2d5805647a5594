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

Result<SavedSegment> Session::save_segment(unsigned skip, unsigned count)
{
    if (!flushed_)
        return refused("its context was not flushed");
    const unsigned read = pictures_.pair_count(), subsample = std::max(config_.subsample, 1U);
    if (count == 0 || skip > read || count > read - skip) {
        log(LogLevel::error, "segment: %u frames from frame %u on are asked for, and its context has read %u", count,
            skip, read);
        return Status::error(EINVAL);
    }
    // The frames behind count too: a score that takes a hole for the clip's end is not the clip's.
    const unsigned needed = count + std::min(segment_overlap().after, read - skip - count);
    SavedSegment saved{*pictures_.format(), subsample, read, skip, count, {}, ledger_.time()};
    const auto missing = table_.with([&](const ScoreTable &) {
        const auto found = features_.missing_score(skip, needed, subsample);
        if (!found)
            saved.features = features_.save(skip, count, subsample);
        return found;
    });
    if (missing)
        return ledger_.why_missing({missing->index, missing->wait});
    return saved;
}

// Its frames have the clip's scores if it has read what its features look at, as far as the clip
// has it.
Status Session::check_neighbours(const SavedSegment &segment) const
{
    const FrameNeighbours overlap = segment_overlap(segment.format);
    if (segment.skip > appended_.frames || segment.skip < std::min(appended_.frames, overlap.before)) {
        log(LogLevel::error, "segment: %u frames were read before it, %u are needed and the clip has %u", segment.skip,
            overlap.before, appended_.frames);
        return Status::error(EINVAL);
    }
    if ((appended_.frames - segment.skip) % segment.subsample != 0)
        return refused("it begins where subsampling meets other frames than in the whole clip");
    const unsigned left = segment.read - segment.skip; // frames of the clip that this segment knows of
    if (appended_.frames > 0 && appended_.read_behind < overlap.after && left > appended_.read_behind) {
        log(LogLevel::error, "segment: %u frames were read behind the one before it, %u are needed and the clip has %u",
            appended_.read_behind, overlap.after, left);
        return Status::error(EINVAL);
    }
    return {};
}

Status Session::check_appended(const SavedSegment &segment) const
{
    if (flushed_ || pictures_.pair_count() != appended_.frames)
        return refused("the context that it is appended to was flushed, or has read pictures");
    if (!features_.has_saved(segment.features) || std::max(config_.subsample, 1U) != segment.subsample)
        return refused("its context has other features, options or n_subsample");
    if (segment.count > UINT_MAX - appended_.frames)
        return refused("the clip would have more frames than an index can count");
    if (appended_.frames > 0 && pictures_.format() != segment.format)
        return refused("its pictures have another format than those before");
    return {};
}

Status Session::take_over(const SavedSegment &segment)
{
    VMAF_TRY(features_.append(table_, segment, {appended_.frames, segment.count, next_call(segment.count)}));
    pictures_.count(segment.format, segment.count);
    if (segment.time)
        ledger_.include(*segment.time);
    appended_ = {appended_.frames + segment.count, segment.read - segment.skip - segment.count};
    return {};
}

Status Session::append(const SavedSegment &segment)
{
    VMAF_TRY(check_appended(segment));
    VMAF_TRY(check_neighbours(segment));
    return take_over(segment);
}

Status Session::append_sampled(const SavedSegment &segment)
{
    VMAF_TRY(check_appended(segment));
    if (segment.subsample > 1)
        return refused("a sample of frames is scored with n_subsample 0 or 1");
    return take_over(segment);
}

} // namespace vmaf
