#pragma once

#include <memory>

#include "common/console.h"
#include "input/media/decoder.h"
#include "input/media/frame_index.h"
#include "input/media/planar_frame.h"
#include "input/media/planar_source.h"

namespace vmaf::tool {

/// How media files are decoded.
struct MediaSettings {
    DemuxerOptions demuxer;
    bool autorotate = true; ///< frames are shown as the file says
    Rounding rounding = Rounding::fast;
    SampleTags samples = {}; ///< in place of what files say
    std::optional<Background> background = std::nullopt;
    std::shared_ptr<MediaGpu> gpu = nullptr; ///< null: in software
    FilmGrain film_grain = FilmGrain::keep;
};

/// A media file's frames as planar ones. Its first frame is decoded when it is opened: headers
/// promise too much.
class MediaSource final : public PlanarSource {
  public:
    enum class Doubts { are_told, were_told };
    /// @param warnings outlives it. Throws Failure.
    MediaSource(InputFile file, const MediaSettings &settings, Warnings &warnings, Doubts doubts = Doubts::are_told);

    const InputFile &file() const override { return decoder_->demuxer().file(); }
    const VideoFormat &format() const override { return format_; }
    const VideoTags &tags() const override { return tags_; }
    std::optional<std::uint64_t> frame_count() const override { return decoder_->demuxer().frame_count(); }
    std::optional<double> frame_rate() const override;
    FrameTiming timing() const override { return decoder_->demuxer().timing(); }
    std::vector<double> frame_times() const override;
    void recognise_variable_rate() override
    {
        tags_.has_variable_rate = has_variable_rate(file(), settings_.demuxer.network);
    }
    std::optional<double> bits_per_frame() const override { return decoder_->bits_per_packet(); }
    std::vector<CodedFrame> coded_frames() const override;
    AvFrame next_stored(bool with_chroma) override;
    AvFrame planar(AvFrame stored) override;
    void convert_rgb_to(const PictureForm &form) override { planar_.convert_rgb_to(form); }
    std::optional<CudaLayout> cuda_layout_of(const AVFrame &stored) const override;
    std::shared_ptr<MediaGpu> gpu() const override { return settings_.gpu; }
    void decode_in_segments(unsigned decoders, std::uint64_t bytes) override;
    bool skip() override;
    void read_only(const std::vector<std::uint64_t> &numbers) override;
    std::optional<std::uint64_t> index_frames() override;
    SegmentStart segment_start(std::uint64_t first, std::uint64_t end) override
    {
        return index_->segment_start(first, end);
    }
    void start_at(const SegmentStart &segment) override;
    void cancel() override { decoder_->cancel(); }
    std::unique_ptr<PlanarSource> reopened(const std::shared_ptr<MediaGpu> &gpu) const override;
    std::optional<std::string> damage() const override { return decoder_->damage(); }

  private:
    void open(InputFile file);
    DecoderSettings decoder_settings() const;
    void take(std::unique_ptr<Decoder> decoder);
    bool decodes_on_gpu(InputFile &file);
    std::string why_not_on_gpu(InputFile file);
    bool is_first_of_software(const AVFrame &decoded_on_gpu, const Decoder &decoder);
    AvFrame decode();
    AvFrame decode_wanted();
    void check(const AVFrame *frame);
    AVPixelFormat format_of(const AVFrame &frame) const;
    void check_format(const AVFrame &frame);
    void tell_of_other_videos();
    void take_alpha_beside();
    Orientation orientation(const AVFrame &frame) const;
    void check_orientation(const AVFrame &frame);
    void check_alpha(const AVFrame &frame);

    MediaSettings settings_; ///< the GPU is null once software decodes
    Warnings &warnings_;
    bool looks_for_alpha_; ///< that later frames have and the first one has not
    std::shared_ptr<VideoDecoder> decoder_;
    PlanarFrames planar_;
    AvFrame first_; ///< until it is delivered
    std::int64_t first_pts_ = 0;
    VideoFormat format_;
    VideoTags tags_;
    bool has_film_grain_ = false;
    std::uint64_t delivered_ = 0;
    std::vector<std::int64_t> times_; ///< time stamps of frames that were delivered
    std::vector<CodedFrame> coded_;   ///< frames that were delivered
    std::unique_ptr<FrameIndex> index_;
    std::vector<std::int64_t> wanted_;    ///< time stamps of frames that are read; empty: all
    std::optional<SegmentStart> segment_; ///< the segment that the frames belong to
    TimeStampDigest time_stamps_;         ///< digest of the decoded frames' time stamps
};

} // namespace vmaf::tool
