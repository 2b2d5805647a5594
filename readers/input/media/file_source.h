#pragma once

#include <memory>

#include "input/media/planar_source.h"

namespace vmaf::tool {

/// A raw or YUV4MPEG2 video's frames as planar ones.
class FileSource final : public PlanarSource {
  public:
    explicit FileSource(std::unique_ptr<VideoReader> reader) : reader_(std::move(reader)) {}

    const InputFile &file() const override { return reader_->file(); }
    const VideoFormat &format() const override { return reader_->format(); }
    const VideoTags &tags() const override { return reader_->tags(); }
    std::optional<std::uint64_t> frame_count() const override { return reader_->frame_count(); }
    std::optional<double> frame_rate() const override { return reader_->frame_rate(); }
    AvFrame next_stored(bool with_chroma) override;
    bool skip() override { return reader_->skip_frame(); }
    void cancel() override { reader_->cancel(); }
    std::unique_ptr<PlanarSource> reopened(const std::shared_ptr<MediaGpu> & /*gpu*/) const override
    {
        return std::make_unique<FileSource>(reader_->reopened());
    }

  private:
    std::unique_ptr<VideoReader> reader_;
    bool luma_alone_ = false;
};

} // namespace vmaf::tool
