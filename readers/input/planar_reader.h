#pragma once

#include <cstdint>

#include "common/failure.h"
#include "input/frame_planes.h"
#include "input/input_file.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// What raw and YUV4MPEG2 videos have in common: frames of packed planes in a file.
class PlanarReader : public VideoReader {
  public:
    const InputFile &file() const override { return file_; }
    const VideoFormat &format() const override { return layout_.format; }
    void raise_depth(unsigned depth) override;
    void leave_out_chroma() override { planes_ = 1; }
    std::optional<std::uint64_t> frame_count() const override;
    bool read_frame(VmafPicture &picture) override;
    bool skip_frame() override;
    void cancel() override { file_.cancel(); }

  protected:
    /// What the file holds besides planes.
    struct Overhead {
        std::uint64_t file_bytes = 0;
        std::uint64_t frame_bytes = 0;
    };
    PlanarReader(InputFile file, const FileLayout &layout, Overhead overhead);
    /// As another one, which may be in the middle of the video, was at the first frame.
    PlanarReader(InputFile file, const PlanarReader &other);

    enum class FrameStart { planes_follow, end_of_video, unknown };
    /// Read what stands before a frame's planes. unknown: only their first byte will tell whether there is a frame.
    virtual FrameStart begin_frame() = 0;
    [[noreturn]] void stop(StopReason reason, const char *what) const;

    InputFile &input() { return file_; }
    const FileLayout &layout() const { return layout_; }
    /// As read_frame, and chroma that is to be left out too.
    bool read_whole_frame(VmafPicture &picture);

  private:
    template <class Pass> bool pass_frame(Pass pass);

    InputFile file_;
    FileLayout layout_;
    unsigned planes_ = 3; ///< that are delivered, if there are so many
    Overhead overhead_;
    std::uint64_t frame_ = 0; ///< the one being read
};

} // namespace vmaf::tool
