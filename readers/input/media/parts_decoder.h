#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "input/media/decoder.h"

namespace vmaf::tool {

/// Decodes a video in parts that begin at key frames, several at a time, and delivers the frames in order: a GPU has more than one decoder,
/// and a stream keeps one of them busy at most. Every part is checked to have the frames that its packets promise; next() throws
/// PartsDoNotFit where it has not, or where anything is wrong with the stream: then the video has to be decoded as a whole.
class PartsDecoder final : public VideoDecoder {
  public:
    /// @param from where the first part begins; empty: at the video's start. @param frames_ahead that a part may hold while it waits for its
    /// turn. Null: the video cannot be cut.
    static std::unique_ptr<PartsDecoder> open(const InputFile &file, Network network, AVBufferRef *gpu,
                                              const std::optional<KeyFrame> &from, unsigned decoders,
                                              std::uint64_t frames_ahead);
    ~PartsDecoder() override;

    const Demuxer &demuxer() const override { return planner_; }
    AvFrame next() override;
    AVPixelFormat software_format() const override { return software_format_; }
    std::optional<double> bits_per_packet() const override;
    /// Such a video is not decoded in parts.
    std::optional<std::string> damage() const override { return std::nullopt; }
    void cancel() override;

  private:
    struct DecodedFrame {
        AvFrame frame;
        AVPixelFormat software_format;
    };
    /// Guarded by mutex_.
    struct Part {
        VideoPart frames;
        std::deque<DecodedFrame> decoded;
        bool is_complete = false;
    };

    PartsDecoder(const InputFile &file, Network network, AVBufferRef *gpu, unsigned decoders,
                 std::uint64_t frames_ahead);
    std::optional<KeyFrame> key_frame_behind(const std::optional<KeyFrame> &start);
    bool plan_first_part(const std::optional<KeyFrame> &from);
    void start(unsigned decoders);
    void work();
    std::shared_ptr<Part> next_part();
    void decode(Decoder &decoder, Part &part);
    bool deliver(Part &part, DecodedFrame decoded);
    void stop(std::exception_ptr failure);

    Network network_;
    AVBufferRef *gpu_;
    std::uint64_t frames_ahead_;
    unsigned most_parts_;

    std::mutex planning_; ///< one thread plans at a time
    Demuxer planner_;
    VideoPart planned_; ///< the next part

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Part>> parts_; ///< not yet delivered, in order
    bool all_planned_ = false;
    std::exception_ptr failure_; ///< why nothing more is decoded; null: it goes on
    std::vector<std::shared_ptr<Decoder>> decoders_;
    double bits_ = 0;
    std::uint64_t packets_ = 0;

    AVPixelFormat software_format_ = AV_PIX_FMT_NONE;
    std::vector<std::jthread> threads_; ///< the last member: they use the others
};

} // namespace vmaf::tool
