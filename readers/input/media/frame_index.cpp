#include "input/media/frame_index.h"

#include <algorithm>
#include <utility>

#include "common/failure.h"

namespace vmaf::tool {
std::unique_ptr<FrameIndex> FrameIndex::of(const InputFile &file, Network network, std::int64_t first_pts)
{
    if (!file.is_seekable())
        return nullptr;
    try {
        std::unique_ptr<FrameIndex> made(new FrameIndex(file, network));
        return made->read(first_pts) ? std::move(made) : nullptr;
    } catch (const Failure &) {
        return nullptr; // whoever decodes the video will say why
    }
}

/// False: a packet is not a frame that is shown at a time of its own.
bool FrameIndex::read(std::int64_t first_pts)
{
    const AvPacket packet(allocated(av_packet_alloc()));
    std::vector<std::pair<std::int64_t, CodedFrame>> frames;
    Demuxer::Next what = demuxer_.read(*packet);
    for (; what == Demuxer::Next::packet; what = demuxer_.read(*packet)) {
        if (packet->pts == AV_NOPTS_VALUE || (packet->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) != 0)
            return false;
        if (packet->pts < first_pts)
            continue;
        const bool is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
        frames.push_back({packet->pts, {static_cast<std::uint64_t>(packet->size), is_key ? 'K' : '?'}});
    }
    std::ranges::sort(frames, {}, &decltype(frames)::value_type::first);
    for (const auto &[pts, coded] : frames) {
        time_stamps_.push_back(pts);
        coded_frames_.push_back(coded);
        if (coded.type == 'K')
            key_frames_.push_back(pts);
    }
    return what == Demuxer::Next::end && std::ranges::adjacent_find(time_stamps_) == time_stamps_.end();
}

std::optional<std::uint64_t> FrameIndex::number_of(std::int64_t pts) const
{
    const auto found = std::ranges::lower_bound(time_stamps_, pts);
    if (found == time_stamps_.end() || *found != pts)
        return std::nullopt;
    return static_cast<std::uint64_t>(found - time_stamps_.begin());
}

SegmentStart FrameIndex::segment_start(std::uint64_t first, std::uint64_t end)
{
    constexpr int kTries = 4; // a container's seeking may lead to a later key frame than the one that is meant
    SegmentStart segment;
    std::uint64_t start = 0;
    end = std::min(end, frames());
    first = std::min(first, end);
    if (first > 0 && first < frames()) {
        auto behind = std::ranges::upper_bound(key_frames_, time_stamps_[first]);
        for (int tries = 0; tries < kTries && behind != key_frames_.begin() && !segment.from; ++tries) {
            const auto found = demuxer_.key_frame_from(*--behind);
            const auto number = found ? number_of(found->pts) : std::nullopt;
            if (!number || *number > first || *number == 0)
                continue;
            segment.from = found;
            start = *number;
        }
    }
    segment.start = start;
    segment.dropped = first - start;
    TimeStampDigest digest;
    for (std::uint64_t frame = start; frame < end; ++frame)
        digest.add(time_stamps_[frame]);
    segment.checked = digest.count();
    segment.time_stamps = digest.value();
    return segment;
}

/// Time stamps that were rounded are off by a unit each.
bool has_variable_rate(const InputFile &file, Network network)
{
    if (!file.is_seekable())
        return false;
    try {
        Demuxer demuxer(file.reopened(), network);
        const AvPacket packet(allocated(av_packet_alloc()));
        std::vector<std::int64_t> times;
        while (demuxer.read(*packet) == Demuxer::Next::packet)
            if (packet->pts != AV_NOPTS_VALUE && (packet->flags & AV_PKT_FLAG_DISCARD) == 0)
                times.push_back(packet->pts);
        std::ranges::sort(times);
        std::vector<std::int64_t> intervals;
        for (std::size_t i = 1; i < times.size(); ++i)
            intervals.push_back(times[i] - times[i - 1]);
        if (intervals.empty())
            return false;
        std::ranges::sort(intervals);
        constexpr std::int64_t kRounding = 2, kLeastShare = 5; // a fifth
        const std::int64_t spread = intervals.back() - intervals.front() - kRounding;
        return spread * kLeastShare > intervals[intervals.size() / 2];
    } catch (const Failure &) {
        return false; // whoever decodes the video will say why
    }
}

} // namespace vmaf::tool
