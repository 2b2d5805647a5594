#pragma once

#include <array>
#include <cstddef>

#include "input/video_format.h"
#include "libvmaf/picture.h"

namespace vmaf::tool {

/// So many sampled frames with content are needed to tell bars from dark pictures.
constexpr unsigned kLeastBarFrames = 20;

/// The largest code of luma that counts as black (spec comparison 7).
unsigned black_limit(unsigned depth, Range range);

/// Looks at a row or column near each edge of some of the first frames that are read.
class BarProbe {
  public:
    /// The next frame.
    void look(const VmafPicture &frame, Range range);

    /// Whether this video has a bar where the other one, of the same size, has a picture.
    bool has_bar_beside(const BarProbe &picture) const;

  private:
    static constexpr std::size_t kEdges = 4;

    unsigned frames_ = 0;                             ///< that were read
    unsigned content_ = 0;                            ///< frames that were looked at and are not black
    std::array<unsigned, kEdges> black_{}, bright_{}; ///< such frames, by edge
};

} // namespace vmaf::tool
