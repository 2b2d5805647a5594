#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/failure.h"
#include "input/coded_frame.h"
#include "input/input_options.h"
#include "input/media/cuda_frames.h"
#include "input/media/demuxer.h"
#include "input/media/libav.h"

namespace vmaf::tool {

/// How a video is decoded.
struct DecoderSettings {
    DemuxerOptions demuxer;
    AVBufferRef *gpu = nullptr; ///< that decodes; null: software does. Outlives decoders
    FilmGrain film_grain = FilmGrain::keep;
};

/// The frames of a media file's video.
class VideoDecoder {
  public:
    virtual ~VideoDecoder() = default;

    /// The demuxer, which has the file's own tags.
    virtual const Demuxer &demuxer() const = 0;
    /// Frames in order of presentation, cropped (in the GPU's memory as visible_size() says); null
    /// at the end. Throws ScoringStopped, ReadCancelled.
    virtual AvFrame next() = 0;
    /// Format that the last frame would have if software had decoded it.
    virtual AVPixelFormat software_format() const = 0;
    /// How the frame that came last is stored.
    virtual CodedFrame coded_frame() const = 0;
    /// Mean size of the packets read so far.
    virtual std::optional<double> bits_per_packet() const = 0;
    /// What the decoder found wrong with frames that it delivered, since the segment began; empty:
    /// nothing.
    virtual std::optional<std::string> damage() const = 0;
    virtual void cancel() = 0;
    /// Deliver only frames with these time stamps from now on. Others may be skipped if no frame
    /// refers to them.
    /// @param time_stamps ascending; empty: those of all frames.
    virtual void deliver_only(const std::vector<std::int64_t> & /*time_stamps*/) {}
};

/// Decodes them one after the other.
class Decoder final : public VideoDecoder {
  public:
    enum class Threads { one, as_many_as_cores };
    /// Open a decoder. Even with a GPU software may decode; the frames show which. Throws Failure.
    /// @param threads of software. With one the first frame comes soonest.
    Decoder(InputFile file, const DecoderSettings &settings, Threads threads = Threads::as_many_as_cores);

    ~Decoder() override;

    const Demuxer &demuxer() const override { return demuxer_; }
    AvFrame next() override;
    AVPixelFormat software_format() const override { return codec_->sw_pix_fmt; }
    CodedFrame coded_frame() const override { return coded_frame_; }
    std::optional<double> bits_per_packet() const override { return demuxer_.bits_per_packet(); }
    std::optional<std::string> damage() const override;
    void cancel() override { demuxer_.cancel(); }
    void deliver_only(const std::vector<std::int64_t> &time_stamps) override { wanted_ = time_stamps; }

    /// What software makes of the first packet alone: the picture that a video begins with, unless
    /// the packet holds a part of one. Null: nothing, or a second frame was asked for already.
    AvFrame first_packet_in_software() const;
    /// Whether the packets up to the first frame have parameters of film grain.
    bool has_film_grain() const { return has_film_grain_; }
    /// " (WHAT)": an error that the decoder spoke of; empty: none.
    std::string complaint() const;
    /// Make next() deliver frames of that segment, and maybe some around it. Throws
    /// SegmentsDoNotFit, also from next().
    /// @param first the number of its first frame, as far as messages name frames.
    void start_segment(const VideoSegment &segment, std::uint64_t first = 0);
    /// Decode segments as if they were one video from now on. next() is null at a segment's end,
    /// although the decoder may hold frames of it. These come during the next segment or after
    /// drain(). Segments that start_segment() adds must begin with IDR pictures. Call it before the
    /// first segment's end.
    void join_segments() { joins_segments_ = true; }
    /// What came so far belongs to the segment that ends at a key frame: next() ends there. False,
    /// and nothing changes: it does not all belong to that segment.
    bool end_segment_at(const KeyFrame &to, std::int64_t first_pts)
    {
        return fed_ == Demuxer::Next::packet && demuxer_.end_segment_at(to, first_pts);
    }
    /// No segment follows: next() delivers the frames that are left.
    void drain() { joins_segments_ = false; }

  private:
    /// A packet near the start, and what the decoder said of it.
    struct StartPacket {
        std::int64_t pts = AV_NOPTS_VALUE;
        DecoderComplaints complaints;
    };

    void read();
    void feed();
    void note_size();
    CodedFrame coded_frame_of(const AVFrame &frame);
    void check_film_grain();
    void choose_complaints();
    bool is_delivered(const StartPacket &packet) const;
    [[noreturn]] void stop(StopReason reason, const std::string &what) const;
    [[noreturn]] void stop_at_frame(int error) const;

    Demuxer demuxer_;
    FilmGrain film_grain_;
    /// What is said of packets that are not in start_packets_. All complaints come before the
    /// decoder, which adds to them.
    std::unique_ptr<DecoderComplaints> complaints_;
    /// Packets up to the key frame after the first frame that is delivered. Pictures before that
    /// frame may refer to some before the start.
    std::deque<StartPacket> start_packets_;
    AvCodecContext codec_;
    std::optional<CudaFrames> copies_; ///< where frames keep hold of surfaces, of which a decoder has few
    AvPacket packet_;
    AvPacket first_packet_; ///< first packet of the video, kept until the second frame
    AvFrame decoded_;
    /// Packets whose frames may still come, by time stamp. Those without one are left out.
    std::map<std::int64_t, CodedFrame> packets_;
    CodedFrame coded_frame_;                    ///< facts about the last frame
    Demuxer::Next fed_ = Demuxer::Next::packet; ///< end and worse: the decoder delivers what it still holds
    bool has_packet_ = false;                   ///< that the decoder had no room for
    bool joins_segments_ = false;               ///< nothing is drained or flushed
    std::uint64_t first_ = 0;                   ///< number of the first frame
    std::uint64_t frames_ = 0;
    std::size_t earlier_packets_ = 0;            ///< start_packets_ of segments before this one
    std::optional<std::int64_t> delivered_from_; ///< time stamp of this segment's first frame
    bool misses_pictures_ = false;               ///< H.264 may refer to some before this start
    bool is_at_start_ = true;                    ///< packets go to start_packets_
    bool delivers_frames_without_pts_ = false;
    bool has_film_grain_ = false;
    std::vector<std::int64_t> wanted_; ///< time stamps, ascending; empty: all
    std::uint64_t damaged_frames_ = 0; ///< frames marked as damaged; a decoder's threads lose some marks
};

} // namespace vmaf::tool
