#include "input/media/demuxer.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "input/media.h"
#include "input/media/nal_units.h"
#include "input/open_video.h"

namespace vmaf::tool {
namespace {

constexpr const char *kLocalProtocols = "file,pipe,fd";

int is_cancelled(void *input)
{
    return static_cast<const AvInput *>(input)->is_cancelled() ? 1 : 0;
}

bool is_video(const AVStream &stream)
{
    return stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO && (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
}

/// The default stream before others, the larger picture before the smaller.
bool is_better(const AVStream &a, const AVStream &b)
{
    const auto rank = [](const AVStream &stream) {
        return std::pair((stream.disposition & AV_DISPOSITION_DEFAULT) != 0,
                         std::int64_t{stream.codecpar->width} * stream.codecpar->height);
    };
    return rank(a) > rank(b);
}

bool is_known(const AVRational &rate)
{
    return rate.num > 0 && rate.den > 0;
}

/// Numbers of files may begin anywhere.
const AVInputFormat *prepare_sequence(AvDictionary &settings, const AVRational &rate)
{
    constexpr const char *kMostNumbersTried = "100000";
    settings.set("pattern_type", "sequence");
    settings.set("start_number_range", kMostNumbersTried);
    if (is_known(rate))
        settings.set("framerate", formatted("{}/{}", rate.num, rate.den).c_str());
    return av_find_input_format("image2");
}

/// A file that ends within a part whose length it gives is for some containers the end like any
/// other, but for these words.
bool says_cut(const std::string &complaint)
{
    return complaint.find("prematurely") != complaint.npos || complaint.find("partial file") != complaint.npos;
}

} // namespace

Demuxer::Demuxer(InputFile file, const DemuxerOptions &options)
    : is_playlist_(file.is_open() && file.peek(kPlaylistMagic.size()) == kPlaylistMagic), input_(std::move(file)),
      playlists_(options.network), read_ahead_(allocated(av_packet_alloc())), held_back_(allocated(av_packet_alloc()))
{
    keep_libav_messages();
    take_libav_complaint();
    open(options);
    is_cut_ = says_cut(take_libav_complaint());
    if (!choose_stream())
        throw Failure(kExitSetup, "there is no video in the file");
    for (unsigned i = 0; i < format_->nb_streams; ++i)
        format_->streams[i]->discard = i == stream_ ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
}

void Demuxer::open(const DemuxerOptions &options)
{
    AVFormatContext *raw = allocated(avformat_alloc_context());
    raw->interrupt_callback = {is_cancelled, &input_};
    playlists_.watch(*raw);
    AvDictionary settings;
    const AVInputFormat *kind = nullptr;
    is_sequence_ = is_image_sequence(input_.file());
    if (is_sequence_)
        kind = prepare_sequence(settings, options.sequence_rate);
    else if (input_.file().is_open())
        raw->pb = is_playlist_ ? playlists_.ended(input_.context()) : input_.context();
    sequence_rate_ = options.sequence_rate;
    settings.set("http_persistent", "0"); // playlists in memory have no connection to keep
    if (options.network == Network::off)
        settings.set("protocol_whitelist", kLocalProtocols);
    int error = avformat_open_input(&raw, input_.file().path().c_str(), kind, settings.get());
    format_.reset(raw);
    if (error >= 0) {
        for (unsigned i = 0; i < format_->nb_streams; ++i)
            has_declared_rate_.push_back(is_known(format_->streams[i]->avg_frame_rate));
        error = avformat_find_stream_info(format_.get(), nullptr);
    }
    if (error < 0)
        fail(error);
}

void Demuxer::fail(int error)
{
    input_.rethrow();
    const std::string reason = libav_reason(error);
    if (const std::string &url = playlists_.refused(); !url.empty())
        throw Failure(kExitSetup, formatted("it refers to {}: give --allow_network to read from the network", url));
    if (reason.find("moov atom not found") != reason.npos)
        throw Failure(kExitSetup,
                      "incomplete mp4 (no moov): it was cut, or its recording did not end; copy or record it again");
    throw NotMedia(formatted("a media file that can be read ({})", reason));
}

bool Demuxer::choose_stream()
{
    const AVStream *best = nullptr;
    for (unsigned i = 0; i < format_->nb_streams; ++i) {
        const AVStream &stream = *format_->streams[i];
        if (!is_video(stream) || (best && !is_better(stream, *best)))
            continue;
        best = &stream;
        stream_ = i;
    }
    return best != nullptr;
}

unsigned Demuxer::videos() const
{
    const std::span streams(format_->streams, format_->nb_streams);
    return static_cast<unsigned>(std::ranges::count_if(streams, [](const auto *stream) { return is_video(*stream); }));
}

bool Demuxer::is_still() const
{
    const std::string_view kind = format_->iformat->name;
    return !is_sequence_ && (kind.ends_with("_pipe") || kind.starts_with("image2") || stream().nb_frames == 1);
}

/// One that was estimated from the first time stamps is off by what these are rounded by, and the
/// libraries' guess of the real rate is then better. Where the two are far apart the guess is that
/// of fields, or of frames that are repeated.
AVRational Demuxer::average_rate() const
{
    constexpr double kFarApart = 0.2;
    const AVRational average = stream().avg_frame_rate;
    const AVRational real = stream().r_frame_rate;
    const bool is_declared = stream_ < has_declared_rate_.size() && has_declared_rate_[stream_];
    if (is_declared || !is_known(average) || !is_known(real))
        return average;
    return std::abs(av_q2d(real) / av_q2d(average) - 1) < kFarApart ? real : average;
}

std::optional<AVRational> Demuxer::frame_rate() const
{
    if (is_sequence_)
        return is_known(sequence_rate_) ? std::optional(sequence_rate_) : std::nullopt;
    const AVRational rate = average_rate();
    if (!is_known(rate) || is_still() || (format_->iformat->flags & AVFMT_NOTIMESTAMPS) != 0)
        return std::nullopt;
    return rate;
}

FrameTiming Demuxer::timing() const
{
    AVStream *const stream = format_->streams[stream_];
    const std::int64_t start = format_->start_time;
    return {stream->time_base, av_guess_frame_rate(format_.get(), stream, nullptr),
            start == AV_NOPTS_VALUE ? 0 : av_rescale_q(start, av_make_q(1, AV_TIME_BASE), stream->time_base)};
}

std::optional<std::uint64_t> Demuxer::frame_count() const
{
    if (stream().nb_frames > 0)
        return static_cast<std::uint64_t>(stream().nb_frames);
    const AVRational rate = average_rate();
    if (!is_known(rate) || (format_->iformat->flags & AVFMT_NOTIMESTAMPS) != 0)
        return std::nullopt;
    double seconds = 0;
    if (stream().duration > 0)
        seconds = static_cast<double>(stream().duration) * av_q2d(stream().time_base);
    else if (format_->duration > 0)
        seconds = static_cast<double>(format_->duration) / AV_TIME_BASE;
    if (seconds <= 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(std::llround(seconds * av_q2d(rate)));
}

std::optional<double> Demuxer::bits_per_packet() const
{
    if (packets_ == 0)
        return std::nullopt;
    return 8 * static_cast<double>(packet_bytes_) / static_cast<double>(packets_);
}

bool Demuxer::seek(std::int64_t timestamp)
{
    constexpr int kForward = 0;
    next_.reset();
    return av_seek_frame(format_.get(), static_cast<int>(stream_), timestamp, kForward) >= 0;
}

std::optional<KeyFrame> Demuxer::key_frame_from(std::int64_t timestamp)
{
    segment_.reset();
    if (!seek(timestamp) || read_any(*held_back_) != Next::packet)
        return std::nullopt;
    const AVPacket &first = *held_back_;
    const bool is_usable = (first.flags & AV_PKT_FLAG_KEY) != 0 && (first.flags & AV_PKT_FLAG_DISCARD) == 0;
    if (!is_usable || first.pts == AV_NOPTS_VALUE)
        return std::nullopt;
    return KeyFrame{timestamp, first.pts, may_be_open(first, *stream().codecpar)};
}

void Demuxer::start_segment(const VideoSegment &segment)
{
    segment_.reset();
    if (segment.from) {
        const auto found = key_frame_from(segment.from->asked);
        if (!found || found->pts != segment.from->pts)
            throw SegmentsDoNotFit{"a key frame is not found again"};
        next_ = Next::packet;
        av_packet_unref(read_ahead_.get());
        av_packet_move_ref(read_ahead_.get(), held_back_.get());
    }
    segment_ = segment;
    held_back_is_ = HeldBack::nothing;
    behind_is_reached_ = false;
    frames_in_segment_ = 0;
}

bool Demuxer::end_segment_at(const KeyFrame &to, std::int64_t first_pts)
{
    if (least_pts_ < first_pts || largest_pts_ >= to.pts)
        return false;
    if (!segment_)
        segment_.emplace();
    segment_->to = to;
    segment_->first_pts = first_pts;
    return true;
}

Demuxer::Next Demuxer::read(AVPacket &packet)
{
    if (segment_)
        return read_of_segment(packet);
    const Next what = read_any(packet);
    if (what == Next::packet)
        count(packet);
    return what;
}

void Demuxer::count(const AVPacket &packet)
{
    least_pts_ = std::min(least_pts_, packet.pts);
    largest_pts_ = std::max(largest_pts_, packet.pts);
    if ((packet.flags & AV_PKT_FLAG_DISCARD) == 0 && (!segment_ || packet.pts >= segment_->first_pts))
        ++frames_in_segment_;
}

/// Frames that are shown before a key frame and stored behind it belong to the segment before, and
/// need that key frame; it is read for them only.
Demuxer::Next Demuxer::read_of_segment(AVPacket &packet)
{
    if (held_back_is_ == HeldBack::next) {
        std::swap(packet, *held_back_);
        held_back_is_ = HeldBack::nothing;
        return Next::packet;
    }
    for (;;) {
        const Next what = read_any(packet);
        if (what == Next::end && segment_->to && !behind_is_reached_)
            throw SegmentsDoNotFit{"the file ends too early"};
        if (what != Next::packet)
            return what;
        if (packet.pts == AV_NOPTS_VALUE)
            throw SegmentsDoNotFit{"a packet has no time stamp"};
        if (segment_->from && packet.pts < segment_->from->pts)
            continue;
        if (segment_->to && packet.pts >= segment_->to->pts) {
            if (std::exchange(behind_is_reached_, true))
                return Next::end;
            std::swap(packet, *held_back_);
            held_back_is_ = HeldBack::key_frame_behind;
            continue;
        }
        count(packet);
        if (held_back_is_ == HeldBack::key_frame_behind) {
            std::swap(packet, *held_back_);
            held_back_is_ = HeldBack::next;
        }
        return Next::packet;
    }
}

Demuxer::Next Demuxer::read_any(AVPacket &packet)
{
    if (const auto next = std::exchange(next_, std::nullopt)) {
        av_packet_unref(&packet);
        av_packet_move_ref(&packet, read_ahead_.get());
        return *next;
    }
    const Next what = read_packet(packet);
    if (what != Next::packet || (packet.flags & AV_PKT_FLAG_CORRUPT) == 0)
        return what;
    // Damaged, or the last packet of a file that was cut.
    next_ = read_packet(*read_ahead_);
    return *next_ != Next::packet && input_.has_ended() ? Next::truncated : Next::packet;
}

Demuxer::Next Demuxer::read_packet(AVPacket &packet)
{
    take_libav_complaint();
    for (;;) {
        av_packet_unref(&packet);
        const int error = av_read_frame(format_.get(), &packet);
        if (error < 0 && error != AVERROR(EAGAIN))
            return end_of_packets(error);
        if (error < 0 || packet.stream_index != static_cast<int>(stream_))
            continue;
        ++packets_;
        packet_bytes_ += static_cast<unsigned>(packet.size);
        return Next::packet;
    }
}

Demuxer::Next Demuxer::end_of_packets(int error)
{
    input_.rethrow();
    if (error != AVERROR_EOF)
        return input_.has_ended() ? Next::truncated : Next::damaged;
    return is_cut_ || says_cut(take_libav_complaint()) ? Next::truncated : Next::end;
}

} // namespace vmaf::tool
