#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "input/input_file.h"
#include "input/media/libav.h"
#include "input/video_format.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// Planar frames of a video at their own size.
class PlanarSource {
  public:
    virtual ~PlanarSource() = default;

    virtual const InputFile &file() const = 0;
    /// Of the first frame.
    virtual const VideoFormat &format() const = 0;
    virtual const VideoTags &tags() const = 0;
    virtual std::optional<std::uint64_t> frame_count() const = 0;
    virtual std::optional<double> frame_rate() const = 0;
    /// Null at the end. Throws as VideoReader::read_frame does.
    virtual AvFrame next(bool with_chroma) = 0;
    /// False at the end.
    virtual bool skip() = 0;
    virtual void cancel() = 0;
    /// See VideoReader.
    virtual std::optional<double> bits_per_frame() const { return std::nullopt; }
    /// See VideoReader.
    virtual std::unique_ptr<PlanarSource> reopened() const = 0;
    /// See VideoReader.
    virtual std::optional<std::string> damage() const { return std::nullopt; }
};

} // namespace vmaf::tool
