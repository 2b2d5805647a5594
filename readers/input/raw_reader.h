#pragma once

#include "common/warnings.h"
#include "input/planar_reader.h"

namespace vmaf::tool {

/// Raw planar YUV: planes and nothing else (spec cli 3.1). Nothing in the file says what it holds: what speaks against the
/// command line is warned of.
class RawReader final : public PlanarReader {
  public:
    RawReader(InputFile file, const VideoFormat &format, Warnings &warnings);

    bool read_frame(VmafPicture &picture) override;

    std::unique_ptr<VideoReader> reopened() const override
    {
        return std::unique_ptr<VideoReader>(new RawReader(file().reopened(), *this));
    }

  protected:
    FrameStart begin_frame() override;

  private:
    /// What is to say of the file was said.
    RawReader(InputFile file, const RawReader &other)
        : PlanarReader(std::move(file), other), warnings_(other.warnings_), start_checked_(true), samples_checked_(true)
    {
    }
    void warn(const std::string &doubt) const;

    Warnings &warnings_;
    bool start_checked_ = false;
    bool samples_checked_ = false;
};

} // namespace vmaf::tool
