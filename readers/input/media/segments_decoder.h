#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "input/media/decoder.h"

namespace vmaf::tool {

/// How many of the GPU's decoders should work for a video at a time.
/// @param frames of the video; empty: unknown. @param videos that are decoded at the same time.
unsigned decoders_that_pay(std::optional<std::uint64_t> frames, const VideoFormat &format, unsigned videos);

/// Whether software has decoded a short video before the GPU's decoder has started.
/// @param frames of the video; empty: unknown, so no. @param cores that software may keep busy.
bool software_is_done_first(std::optional<std::uint64_t> frames, const VideoFormat &format, unsigned cores);

/// Decodes a video in segments that begin at key frames, several at a time, and delivers the frames
/// in order: a GPU has more than one decoder, and a stream keeps one of them busy at most.
/// Every segment is checked to have the frames that its packets promise. If it has not, or if
/// anything is wrong with the stream, next() throws SegmentsDoNotFit: the video must be decoded as
/// a whole.
class SegmentsDecoder final : public VideoDecoder {
  public:
    /// @param from where the first segment begins; empty: at the video's start. @param first_pts of
    /// the video's first frame.
    /// @param frames_ahead that a segment may hold while it waits for its turn. There are
    /// decoders + 1 segments at a time, more if they are shorter than what a decoder holds back.
    /// @param whole a decoder of the video from `from` on. It goes on with the first segment if it
    /// can, in H.264. @param first the only frame that it has delivered.
    /// Null: the video cannot be cut, and nothing was done with that decoder.
    static std::unique_ptr<SegmentsDecoder> open(const InputFile &file, const DecoderSettings &settings,
                                                 const std::optional<KeyFrame> &from, std::int64_t first_pts,
                                                 unsigned decoders, std::uint64_t frames_ahead,
                                                 const std::shared_ptr<Decoder> &whole, const AVFrame &first);
    ~SegmentsDecoder() override;

    const Demuxer &demuxer() const override { return planner_; }
    AvFrame next() override;
    AVPixelFormat software_format() const override { return software_format_; }
    CodedFrame coded_frame() const override { return coded_frame_; }
    std::optional<double> bits_per_packet() const override;
    /// Such a video is not decoded in segments.
    std::optional<std::string> damage() const override { return std::nullopt; }
    void cancel() override;

  private:
    struct DecodedFrame {
        AvFrame frame;
        AVPixelFormat software_format;
        CodedFrame coded;
    };
    struct Segment {
        VideoSegment frames;
        std::deque<DecodedFrame> decoded; ///< guarded by mutex_
        bool is_complete = false;         ///< guarded by mutex_
        std::int64_t last_pts = std::numeric_limits<std::int64_t>::min();
        std::uint64_t delivered = 0;           ///< frames that the decoder gave
        std::optional<std::uint64_t> promised; ///< frames, once all packets are read
    };
    using Segments = std::deque<std::shared_ptr<Segment>>;

    SegmentsDecoder(const InputFile &file, const DecoderSettings &settings, std::int64_t first_pts, unsigned decoders,
                    std::uint64_t frames_ahead);
    std::optional<KeyFrame> key_frame_behind(const std::optional<KeyFrame> &start);
    bool plan_first_segment(const std::optional<KeyFrame> &from);
    Segments begin(const std::shared_ptr<Decoder> &whole, const AVFrame &first);
    void start(const std::shared_ptr<Decoder> &decoder, const Segments &taken);
    void work(std::shared_ptr<Decoder> decoder, Segments taken);
    void plan_behind(const Segment &segment);
    void decode(Decoder &decoder, Segments &taken);
    bool has_room_for(const Segments &taken) const;
    std::shared_ptr<Segment> next_segment(const Segments &taken);
    void receive(Decoder &decoder, Segments &taken);
    void settle(const Decoder &decoder, Segment &segment);
    static void expect_complete(const Segment &segment);
    bool deliver(Segment &segment, DecodedFrame decoded);
    void stop(std::exception_ptr failure);

    DecoderSettings settings_;
    std::int64_t first_pts_;
    std::uint64_t frames_ahead_;
    unsigned most_segments_;

    Demuxer planner_;     ///< used by the thread that took planned_ and looks for the next one
    bool joins_segments_; ///< libavcodec makes the GPU's decoder of H.264 anew after a flush

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<VideoSegment> planned_; ///< the next segment; empty: somebody looks for it
    Segments segments_;                   ///< not yet delivered, in order
    bool all_planned_ = false;
    std::exception_ptr failure_; ///< why nothing more is decoded; null: it goes on
    std::vector<std::shared_ptr<Decoder>> decoders_;
    double bits_ = 0;
    std::uint64_t packets_ = 0;

    AVPixelFormat software_format_ = AV_PIX_FMT_NONE; ///< format of the last delivered frame
    CodedFrame coded_frame_;
    std::vector<std::jthread> threads_; ///< the last member: they use the others
};

} // namespace vmaf::tool
