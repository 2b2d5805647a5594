#pragma once

#include <memory>

#include "common/warnings.h"
#include "input/planar_reader.h"

namespace vmaf::tool {

/// YUV4MPEG2: a header line, then frames with a header line each (spec cli 3.2).
class Y4mReader final : public PlanarReader {
  public:
    /// Reads the file's header. Throws Failure.
    static std::unique_ptr<Y4mReader> open(InputFile file, Warnings &warnings);

    std::optional<double> frame_rate() const override { return frame_rate_; }

    std::unique_ptr<VideoReader> reopened() const override
    {
        return std::unique_ptr<VideoReader>(new Y4mReader(file().reopened(), *this));
    }

  protected:
    FrameStart begin_frame() override;

  private:
    Y4mReader(InputFile file, const FileLayout &layout, Overhead overhead, std::optional<double> frame_rate)
        : PlanarReader(std::move(file), layout, overhead), frame_rate_(frame_rate)
    {
    }
    Y4mReader(InputFile file, const Y4mReader &other)
        : PlanarReader(std::move(file), other), frame_rate_(other.frame_rate_)
    {
    }

    std::optional<double> frame_rate_;
};

} // namespace vmaf::tool
