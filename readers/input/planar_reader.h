#pragma once

#include <cstdint>
#include <memory>

#include "common/console.h"
#include "common/failure.h"
#include "input/frame_planes.h"
#include "input/input_file.h"
#include "input/video_reader.h"
#include "input/y4m_header.h"

namespace vmaf::tool {

/// Common base of raw and YUV4MPEG2 readers: frames of packed planes in a file.
class PlanarReader : public VideoReader {
  public:
    const InputFile &file() const override { return file_; }
    const VideoFormat &format() const override { return layout_.format; }
    const VideoFormat &stored_format() const override { return stored_; }
    const VideoTags &tags() const override { return tags_; }
    void raise_depth(unsigned depth) override;
    void leave_out_chroma() override { planes_ = 1; }
    std::optional<std::uint64_t> frame_count() const override;
    bool read_frame(VmafPicture &picture) override;
    bool skip_frame() override;
    void cancel() override { file_.cancel(); }

  protected:
    /// Data in the file besides planes.
    struct Overhead {
        std::uint64_t file_bytes = 0;
        std::uint64_t frame_bytes = 0;
    };
    /// @param samples as the file or an option says.
    PlanarReader(InputFile file, const FileLayout &layout, const SampleTags &samples, Overhead overhead);
    /// A reader at the first frame, with the settings of another one that may be in the middle of
    /// the video.
    PlanarReader(InputFile file, const PlanarReader &other);

    enum class FrameStart { planes_follow, end_of_video, unknown };
    /// Read what stands before a frame's planes. unknown: only their first byte will tell whether
    /// there is a frame.
    virtual FrameStart begin_frame() = 0;
    [[noreturn]] void stop(StopReason reason, const char *what) const;

    InputFile &input() { return file_; }
    VideoTags &own_tags() { return tags_; }
    const FileLayout &layout() const { return layout_; }
    /// As read_frame, but also reads chroma that would be left out.
    bool read_whole_frame(VmafPicture &picture);

  private:
    template <class Pass> bool pass_frame(Pass pass);

    InputFile file_;
    FileLayout layout_;
    VideoFormat stored_; ///< before the depth is raised
    FrameMap map_;
    VideoTags tags_;
    unsigned planes_ = 3; ///< that are delivered, if there are so many
    Overhead overhead_;
    std::uint64_t frame_ = 0; ///< the one being read
};

/// Raw planar YUV: planes and nothing else (spec cli 3.1). Nothing in the file says what it holds:
/// what speaks against the command line is warned of.
class RawReader final : public PlanarReader {
  public:
    RawReader(InputFile file, const VideoFormat &format, const SampleTags &samples, Warnings &warnings);

    bool read_frame(VmafPicture &picture) override;

    std::unique_ptr<VideoReader> reopened() const override
    {
        return std::unique_ptr<VideoReader>(new RawReader(file().reopened(), *this));
    }

  protected:
    FrameStart begin_frame() override;

  private:
    /// Opens the file again. The messages about it were printed before.
    RawReader(InputFile file, const RawReader &other)
        : PlanarReader(std::move(file), other), warnings_(other.warnings_), start_checked_(true), samples_checked_(true)
    {
    }
    void warn(const std::string &doubt) const;

    Warnings &warnings_;
    bool start_checked_ = false;
    bool samples_checked_ = false;
};

/// YUV4MPEG2: a header line, then frames with a header line each (spec cli 3.2).
class Y4mReader final : public PlanarReader {
  public:
    /// Reads the file's header. Throws Failure.
    /// @param samples in place of what the header says.
    static std::unique_ptr<Y4mReader> open(InputFile file, SampleTags samples, Warnings &warnings);

    std::optional<double> frame_rate() const override { return frame_rate_; }

    std::unique_ptr<VideoReader> reopened() const override
    {
        return std::unique_ptr<VideoReader>(new Y4mReader(file().reopened(), *this));
    }

  protected:
    FrameStart begin_frame() override;

  private:
    Y4mReader(InputFile file, const Y4mHeader &header, const SampleTags &samples, Overhead overhead)
        : PlanarReader(std::move(file), header.layout, samples, overhead), frame_rate_(header.frame_rate)
    {
        own_tags().pixel_aspect_num = header.pixel_aspect_num;
        own_tags().pixel_aspect_den = header.pixel_aspect_den;
    }
    Y4mReader(InputFile file, const Y4mReader &other)
        : PlanarReader(std::move(file), other), frame_rate_(other.frame_rate_)
    {
    }

    std::optional<double> frame_rate_;
};

} // namespace vmaf::tool
