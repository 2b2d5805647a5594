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

  protected:
    FrameStart begin_frame() override;

  private:
    void warn(const std::string &doubt) const;

    Warnings &warnings_;
    bool start_checked_ = false;
    bool samples_checked_ = false;
};

} // namespace vmaf::tool
