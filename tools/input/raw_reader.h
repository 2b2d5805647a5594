#pragma once

#include "input/planar_reader.h"

namespace vmaf::tool {

/// Raw planar YUV: planes and nothing else (spec cli 3.1).
class RawReader final : public PlanarReader {
  public:
    RawReader(InputFile file, const VideoFormat &format) : PlanarReader(std::move(file), {format}, {}) {}

  protected:
    FrameStart begin_frame() override { return FrameStart::unknown; }
};

} // namespace vmaf::tool
