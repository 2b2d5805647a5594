#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "frames/library.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// Memory that the frames of several videos share. Any thread.
class FrameMemory {
  public:
    explicit FrameMemory(std::size_t bytes) : left_(bytes) {}

    /// False: so much is not left.
    bool take(std::size_t bytes);
    void give_back(std::size_t bytes) { left_ += bytes; }

  private:
    std::atomic<std::size_t> left_;
};

/// A video whose first frames are looked at before it is read. They are kept for reading as long as
/// memory lasts, so that they are decoded once. After that, reading begins anew.
class KeptVideo final : public VideoReader {
  public:
    /// @param memory outlives looking ahead.
    KeptVideo(std::unique_ptr<VideoReader> video, FrameMemory &memory) : video_(std::move(video)), memory_(memory) {}

    /// The next frame that was not looked at. Valid until the next call; null at the end. Throws
    /// ScoringStopped, which reading throws again.
    const VmafPicture *look_ahead();
    /// As look_ahead(), but the frame is skipped for reading too. False at the end.
    bool skip_ahead();
    /// Before reading, when no frame is looked at any more.
    void end_looking();

    const InputFile &file() const override { return video_->file(); }
    const VideoFormat &format() const override { return video_->format(); }
    void raise_depth(unsigned depth) override { video_->raise_depth(depth); }
    void leave_out_chroma() override;
    std::optional<std::uint64_t> frame_count() const override { return video_->frame_count(); }
    std::optional<double> frame_rate() const override { return video_->frame_rate(); }
    const VideoTags &tags() const override { return video_->tags(); }
    void recognise_variable_rate() override { video_->recognise_variable_rate(); }
    PictureForm form() const override { return video_->form(); }
    std::vector<std::string> conversions() const override { return video_->conversions(); }
    std::optional<Crop> crop() const override { return video_->crop(); }
    const VideoFormat &stored_format() const override { return video_->stored_format(); }
    bool leaves_out_colours() const override { return video_->leaves_out_colours(); }
    bool has_interlaced_frames() const override { return video_->has_interlaced_frames(); }
    std::vector<double> frame_times() const override;
    std::optional<double> bits_per_frame() const override { return video_->bits_per_frame(); }
    std::vector<CodedFrame> coded_frames() const override;
    std::unique_ptr<VideoReader> reopened() const override { return video_->reopened(); }
    std::unique_ptr<VideoReader> reopened_on(const std::shared_ptr<MediaGpu> &gpu) const override
    {
        return video_->reopened_on(gpu);
    }
    bool read_frame(VmafPicture &picture) override;
    std::optional<std::uint64_t> index_frames() override;
    SegmentStart segment_start(std::uint64_t first, std::uint64_t end) override
    {
        return video_->segment_start(first, end);
    }
    void start_at(const SegmentStart &segment) override;
    void read_only(const std::vector<std::uint64_t> &numbers) override;
    bool skip_frame() override;
    std::optional<std::string> damage() const override { return video_->damage(); }
    void cancel() override;

  private:
    template <class Of> std::vector<Of> without_looked_at(std::vector<Of> frames) const;
    template <class Read> bool try_to(const Read &read);
    void forget();
    void begin_anew();

    std::unique_ptr<VideoReader> video_;
    FrameMemory &memory_;
    bool has_looked_ = false;
    bool keeps_ = true;           ///< frames that are looked at
    std::deque<Picture> kept_;    ///< frames to be read; empty pictures were skipped
    std::size_t bytes_ = 0;       ///< memory of the kept frames
    Picture latest_;              ///< to be looked at
    bool with_chroma_ = true;     ///< frames are read
    std::uint64_t delivered_ = 0; ///< frames that were read or skipped
    std::mutex exchanging_;       ///< guards video_ and is_cancelled_ against cancel()
    bool is_cancelled_ = false;
};

} // namespace vmaf::tool
