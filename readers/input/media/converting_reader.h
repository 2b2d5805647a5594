#pragma once

#include "input/delivery.h"
#include "input/frame_probe.h"
#include "input/media/orientation.h"
#include "input/media/picture_writer.h"
#include "input/media/planar_source.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// Delivers a source's frames in any format, its own until told otherwise. All conversions run
/// where frames are read.
class ConvertingReader final : public VideoReader {
  public:
    ConvertingReader(std::unique_ptr<PlanarSource> source, Rounding rounding);

    /// Format of the first frame before any conversion.
    PictureForm own_form() const;
    void deliver(const Delivery &delivery);

    /// Release the source to another reader that replaces this one.
    std::unique_ptr<PlanarSource> release_source() { return std::move(source_); }
    /// Another one of the same source, which is decoded once for both: see SharedSource.
    std::unique_ptr<ConvertingReader> another();

    /// The GPU that decodes; null: none does.
    std::shared_ptr<MediaGpu> gpu() const { return source_->gpu(); }
    /// See PlanarSource.
    void decode_in_segments(unsigned decoders, std::uint64_t bytes) { source_->decode_in_segments(decoders, bytes); }
    /// Make the reader pass frames in GPU memory from now on: without a copy if they need no
    /// conversion, otherwise uploaded.
    void lend_frames(std::shared_ptr<MediaGpu> gpu);

    const InputFile &file() const override { return source_->file(); }
    const VideoFormat &format() const override { return delivery_.form.format; }
    PictureForm form() const override { return delivery_.form; }
    const VideoFormat &stored_format() const override { return source_->format(); }
    void raise_depth(unsigned depth) override;
    std::vector<std::string> conversions() const override { return delivery_.conversions; }
    std::optional<Crop> crop() const override { return delivery_.crop; }
    void leave_out_chroma() override { with_chroma_ = false; }
    std::optional<std::uint64_t> frame_count() const override { return source_->frame_count(); }
    bool leaves_out_colours() const override { return left_out_.is_coloured(); }
    bool has_interlaced_frames() const override { return has_interlaced_frames_; }
    std::vector<double> frame_times() const override { return source_->frame_times(); }
    void recognise_variable_rate() override { source_->recognise_variable_rate(); }
    std::optional<double> frame_rate() const override { return source_->frame_rate(); }
    std::optional<double> bits_per_frame() const override { return source_->bits_per_frame(); }
    std::vector<CodedFrame> coded_frames() const override { return source_->coded_frames(); }
    const VideoTags &tags() const override { return source_->tags(); }
    bool read_frame(VmafPicture &picture) override;
    bool lends_frames() const override { return gpu_frames_.has_value(); }
    bool lend_frame(VmafContext *context, VmafPicture &picture) override;
    std::optional<std::uint64_t> index_frames() override { return source_->index_frames(); }
    SegmentStart segment_start(std::uint64_t first, std::uint64_t end) override
    {
        return source_->segment_start(first, end);
    }
    void start_at(const SegmentStart &segment) override;
    void read_only(const std::vector<std::uint64_t> &numbers) override { source_->read_only(numbers); }
    bool skip_frame() override;
    std::unique_ptr<VideoReader> reopened() const override { return reopened_on(nullptr); }
    std::unique_ptr<VideoReader> reopened_on(const std::shared_ptr<MediaGpu> &gpu) const override;
    std::optional<std::string> damage() const override { return source_->damage(); }
    void cancel() override { source_->cancel(); }

  private:
    void prepare();
    AvFrame next_stored();
    AvFrame cropped(AvFrame upright) const;
    AvFrame recoloured(AvFrame cropped) const;
    AvFrame prepared(AvFrame planar);
    void look_at_left_out_chroma(const AVFrame &prepared);
    void check_size(const AVFrame &frame) const;
    VisibleSize scored_size() const;
    bool can_raise(unsigned depth) const;
    std::optional<CudaLayout> layout_to_lend(const AVFrame &stored) const;
    CudaFrames::Uploaded convert_and_upload(const AVFrame &planar);

    std::unique_ptr<PlanarSource> source_;
    Rounding rounding_;
    Delivery delivery_;
    FrameTurner turner_;
    bool changes_matrix_ = false;
    FrameProbe left_out_; ///< sees chroma that is not delivered
    PictureWriter writer_;
    std::shared_ptr<MediaGpu> gpu_; ///< null: frames are not lent
    std::optional<CudaFrames> gpu_frames_;
    bool with_chroma_ = true;
    bool has_interlaced_frames_ = false;
    std::uint64_t frame_ = 0;
};

} // namespace vmaf::tool
