#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "input/media/planar_source.h"

namespace vmaf::tool {

/// A video that several readers read side by side, each every frame, and that is decoded once. A
/// frame is decoded by the reader that needs it first, and kept until all have had it: how many are
/// kept is up to the readers, which are to stay near each other.
class SharedSource final : public PlanarSource {
  public:
    explicit SharedSource(std::unique_ptr<PlanarSource> source);
    ~SharedSource() override;

    /// One more reader. Before frames are read.
    std::unique_ptr<SharedSource> another() const;

    const InputFile &file() const override { return source().file(); }
    const VideoFormat &format() const override { return source().format(); }
    const VideoTags &tags() const override { return source().tags(); }
    std::optional<std::uint64_t> frame_count() const override { return source().frame_count(); }
    std::optional<double> frame_rate() const override { return source().frame_rate(); }
    FrameTiming timing() const override { return source().timing(); }
    void recognise_variable_rate() override { source().recognise_variable_rate(); }
    std::vector<double> frame_times() const override { return source().frame_times(); }
    AvFrame next_stored(bool with_chroma) override;
    AvFrame planar(AvFrame stored) override;
    /// Sets the form for this reader alone.
    void convert_rgb_to(const PictureForm &form) override { form_ = form; }
    std::optional<CudaLayout> cuda_layout_of(const AVFrame &stored) const override
    {
        return source().cuda_layout_of(stored);
    }
    std::shared_ptr<MediaGpu> gpu() const override { return source().gpu(); }
    void decode_in_segments(unsigned decoders, std::uint64_t bytes) override;
    bool skip() override;
    std::optional<std::uint64_t> index_frames() override { return source().index_frames(); }
    SegmentStart segment_start(std::uint64_t first, std::uint64_t end) override
    {
        return source().segment_start(first, end);
    }
    void start_at(const SegmentStart &segment) override;
    /// The source goes on until all readers are told so.
    void cancel() override;
    std::optional<double> bits_per_frame() const override { return source().bits_per_frame(); }
    std::vector<CodedFrame> coded_frames() const override { return source().coded_frames(); }
    std::unique_ptr<PlanarSource> reopened(const std::shared_ptr<MediaGpu> &gpu) const override
    {
        return source().reopened(gpu);
    }
    std::optional<std::string> damage() const override { return source().damage(); }

  private:
    struct Decoded;
    struct Frame;

    explicit SharedSource(std::shared_ptr<Decoded> decoded);
    PlanarSource &source() const;
    std::shared_ptr<Frame> next_frame(bool with_chroma, bool is_skipped);

    std::shared_ptr<Decoded> decoded_;
    std::size_t number_;           ///< number of this reader
    PictureForm form_;             ///< form of the YUV that RGB is converted to
    std::shared_ptr<Frame> frame_; ///< the last that next_stored() gave
};

} // namespace vmaf::tool
