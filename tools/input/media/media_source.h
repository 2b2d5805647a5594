#pragma once

#include "common/warnings.h"
#include "input/media/decoder.h"
#include "input/media/planar_frame.h"
#include "input/media/planar_source.h"

namespace vmaf::tool {

/// A media file's frames as planar ones. Its first frame is decoded when it is opened: headers promise too much.
class MediaSource final : public PlanarSource {
  public:
    enum class Conversions { are_warned_of, are_known };
    /// @param warnings outlives it. Throws Failure.
    MediaSource(InputFile file, Network network, Rounding rounding, Warnings &warnings,
                Conversions conversions = Conversions::are_warned_of);

    const InputFile &file() const override { return decoder_.demuxer().file(); }
    const VideoFormat &format() const override { return format_; }
    const VideoTags &tags() const override { return tags_; }
    std::optional<std::uint64_t> frame_count() const override { return decoder_.demuxer().frame_count(); }
    std::optional<double> frame_rate() const override;
    std::optional<double> bits_per_frame() const override { return decoder_.demuxer().bits_per_packet(); }
    AvFrame next(bool with_chroma) override;
    bool skip() override;
    void cancel() override { decoder_.cancel(); }
    std::unique_ptr<PlanarSource> reopened() const override;
    std::optional<std::string> damage() const override { return decoder_.damage(); }

  private:
    AvFrame decode();
    void check_format(const AVFrame &frame);

    Network network_;
    Rounding rounding_;
    Warnings &warnings_;
    Decoder decoder_;
    PlanarFrames planar_;
    AvFrame first_; ///< until it is delivered
    VideoFormat format_;
    VideoTags tags_;
    std::uint64_t delivered_ = 0;
    bool rgb_warned_;
};

} // namespace vmaf::tool
