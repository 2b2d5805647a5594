#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "input/input_file.h"
#include "input/media/cuda_frames.h"
#include "input/media/libav.h"
#include "input/media/media_gpu.h"
#include "input/segment_start.h"
#include "input/video_format.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// Planar frames of a video at their own size.
class PlanarSource {
  public:
    virtual ~PlanarSource() = default;

    virtual const InputFile &file() const = 0;
    /// Format of the first frame.
    virtual const VideoFormat &format() const = 0;
    virtual const VideoTags &tags() const = 0;
    virtual std::optional<std::uint64_t> frame_count() const = 0;
    virtual std::optional<double> frame_rate() const = 0;
    /// Timing of the frames that next_stored() gives.
    virtual FrameTiming timing() const = 0;
    /// See VideoReader.
    virtual void recognise_variable_rate() {}
    /// See VideoReader.
    virtual std::vector<double> frame_times() const { return {}; }
    /// Null at the end. Throws as VideoReader::read_frame does.
    AvFrame next(bool with_chroma)
    {
        AvFrame stored = next_stored(with_chroma);
        return stored ? planar(std::move(stored)) : nullptr;
    }
    /// As next(), but with the frame as decoded, which may be in GPU memory.
    virtual AvFrame next_stored(bool with_chroma) = 0;
    /// The frame that next() returns for such a frame.
    virtual AvFrame planar(AvFrame stored) { return stored; }
    /// Set the matrix, range and depth that RGB is converted to. See PlanarFrames.
    virtual void convert_rgb_to(const PictureForm & /*form*/) {}
    /// Layout of such a frame; empty: it is not in a GPU's memory, or its layout cannot be lent.
    virtual std::optional<CudaLayout> cuda_layout_of(const AVFrame & /*stored*/) const { return std::nullopt; }
    /// The GPU that decodes; null: none does.
    virtual std::shared_ptr<MediaGpu> gpu() const { return nullptr; }
    /// Before the first frame is asked for: so many decoders, two or more, work side by side where
    /// that can be done, and hold so many bytes of frames.
    virtual void decode_in_segments(unsigned /*decoders*/, std::uint64_t /*bytes*/) {}
    /// False at the end.
    virtual bool skip() = 0;
    /// See VideoReader.
    virtual std::optional<std::uint64_t> index_frames() { return std::nullopt; }
    /// See VideoReader.
    virtual SegmentStart segment_start(std::uint64_t /*first*/, std::uint64_t /*end*/) { return {}; }
    /// See VideoReader.
    virtual void start_at(const SegmentStart & /*segment*/) {}
    /// See VideoReader.
    virtual void read_only(const std::vector<std::uint64_t> & /*numbers*/) {}
    virtual void cancel() = 0;
    /// See VideoReader.
    virtual std::optional<double> bits_per_frame() const { return std::nullopt; }
    /// See VideoReader.
    virtual std::vector<CodedFrame> coded_frames() const { return {}; }
    /// See VideoReader.
    virtual std::unique_ptr<PlanarSource> reopened(const std::shared_ptr<MediaGpu> &gpu) const = 0;
    /// See VideoReader.
    virtual std::optional<std::string> damage() const { return std::nullopt; }
};

/// A raw or YUV4MPEG2 video's frames as planar ones.
class FileSource final : public PlanarSource {
  public:
    explicit FileSource(std::unique_ptr<VideoReader> reader) : reader_(std::move(reader)) {}

    const InputFile &file() const override { return reader_->file(); }
    const VideoFormat &format() const override { return reader_->format(); }
    const VideoTags &tags() const override { return reader_->tags(); }
    std::optional<std::uint64_t> frame_count() const override { return reader_->frame_count(); }
    std::optional<double> frame_rate() const override { return reader_->frame_rate(); }
    FrameTiming timing() const override;
    AvFrame next_stored(bool with_chroma) override;
    bool skip() override;
    void cancel() override { reader_->cancel(); }
    std::unique_ptr<PlanarSource> reopened(const std::shared_ptr<MediaGpu> & /*gpu*/) const override
    {
        return std::make_unique<FileSource>(reader_->reopened());
    }

  private:
    std::unique_ptr<VideoReader> reader_;
    bool luma_alone_ = false;
    std::int64_t frame_ = 0; ///< the number of the next one
};

} // namespace vmaf::tool
