#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "input/media.h"
#include "input/media/av_input.h"
#include "input/media/libav.h"
#include "input/media/playlist.h"
#include "input/segment_start.h"

namespace vmaf::tool {

struct DemuxerOptions {
    DemuxerOptions(Network allowed = Network::off, AVRational rate = {0, 1}) : network(allowed), sequence_rate(rate) {}

    Network network;
    AVRational sequence_rate; ///< frames per second of image sequences; 0: unknown
};

/// The frames that are shown from one key frame on and before another one.
struct VideoSegment {
    std::optional<KeyFrame> from; ///< empty: from the video's start
    std::optional<KeyFrame> to;   ///< empty: to its end
    /// Time stamp of the video's first frame: packets before it are not delivered as frames.
    std::int64_t first_pts = std::numeric_limits<std::int64_t>::min();
};

/// A media file's best video stream, as packets. Everything else in the file is dropped.
class Demuxer {
  public:
    /// Reads what stands at the file's beginning. Throws Failure.
    Demuxer(InputFile file, const DemuxerOptions &options);
    Demuxer(const Demuxer &) = delete;

    const InputFile &file() const { return input_.file(); }
    const AVStream &stream() const { return *format_->streams[stream_]; }
    /// Number of videos in the file, without cover pictures.
    unsigned videos() const;
    /// Number of frames by the container, or by its duration and rate. It counts frames that
    /// decoders do not deliver.
    std::optional<std::uint64_t> frame_count() const;
    /// Empty: unknown, as in files without time stamps, or stills.
    std::optional<AVRational> frame_rate() const;
    /// One picture.
    bool is_still() const;
    /// A playlist that may still grow.
    bool is_live() const { return playlists_.is_live(); }

    /// Timing of frames, as in ffmpeg's command.
    FrameTiming timing() const;

    /// Mean size of the packets read so far; a packet is a frame. Empty: none was read.
    std::optional<double> bits_per_packet() const;

    enum class Next { packet, end, truncated, damaged };
    /// Fill the packet. truncated, damaged: nothing can be read behind this place.
    Next read(AVPacket &packet);

    /// The first key frame that is found at or behind a time stamp; empty: there is none, or the
    /// file cannot tell. What is read next is undefined.
    std::optional<KeyFrame> key_frame_from(std::int64_t timestamp);
    /// Make read() deliver the packets that a segment's frames need, and then the end. Throws
    /// SegmentsDoNotFit, also from read().
    void start_segment(const VideoSegment &segment);
    /// What was read so far belongs to the segment that ends at a key frame: read() ends there.
    /// False, and nothing changes: it does not all belong to that segment.
    bool end_segment_at(const KeyFrame &to, std::int64_t first_pts);
    /// Frames of the segment whose packets were read.
    std::uint64_t frames_in_segment() const { return frames_in_segment_; }
    /// Stop reading. May be called from any thread.
    void cancel() { input_.cancel(); }

  private:
    void open(const DemuxerOptions &options);
    [[noreturn]] void fail(int error);
    AVRational average_rate() const;
    bool choose_stream();
    bool seek(std::int64_t timestamp);
    Next read_any(AVPacket &packet);
    Next read_of_segment(AVPacket &packet);
    Next read_packet(AVPacket &packet);
    void count(const AVPacket &packet);
    Next end_of_packets(int error);

    bool is_playlist_;
    AvInput input_;
    Playlists playlists_;
    AvFormatContext format_; ///< after the input and the playlists, which it reads
    unsigned stream_ = 0;
    std::vector<bool> has_declared_rate_; ///< of each stream in the header: not estimated
    bool is_sequence_ = false;            ///< numbered images, a file each
    AVRational sequence_rate_{0, 1};
    bool is_cut_ = false; ///< a small file was read to its end, too early, when it was looked into
    std::uint64_t packets_ = 0;
    std::uint64_t packet_bytes_ = 0; ///< size of all packets
    AvPacket read_ahead_;
    std::optional<Next> next_; ///< what read_ahead_ holds, or why it is empty
    std::optional<VideoSegment> segment_;
    AvPacket held_back_;
    enum class HeldBack {
        nothing,
        key_frame_behind, ///< the segment: to be delivered if frames of the segment turn up behind it
        next              ///< what read() delivers next
    } held_back_is_ = HeldBack::nothing;
    bool behind_is_reached_ = false;
    std::uint64_t frames_in_segment_ = 0;
    std::int64_t least_pts_ = std::numeric_limits<std::int64_t>::max(); ///< least time stamp of counted packets
    std::int64_t largest_pts_ = std::numeric_limits<std::int64_t>::min();
};

} // namespace vmaf::tool
