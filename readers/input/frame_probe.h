#pragma once

#include <array>
#include <cstddef>

#include "input/video_format.h"
#include "libvmaf/picture.h"

namespace vmaf::tool {

/// Sampled frames with content that are needed to tell bars from dark pictures.
constexpr unsigned kLeastBarFrames = 20;

/// The largest code of luma that counts as black (spec comparison 7).
unsigned black_limit(unsigned depth, Range range);

/// Looks at some of the first frames that are read: at a row or column near each edge, at detail in
/// three rows, and at their chroma until there is colour.
class FrameProbe {
  public:
    /// After so many frames it has seen enough of a video that is not dark.
    static constexpr unsigned kUsualFrames = 200;

    /// The next frame. @param has_chroma its chroma planes were read.
    void look(const VmafPicture &frame, Range range, bool has_chroma);

    /// Whether chroma of the next frame may still tell something.
    bool wants_chroma() const { return !is_coloured_ && content_ < kMostFrames; }

    bool is_coloured() const { return is_coloured_; }

    /// Whether this video has a bar where the other one, of the same size, has a picture.
    bool has_bar_beside(const FrameProbe &picture) const;
    /// Whether this video is grey where the other one has colour.
    bool is_grey_beside(const FrameProbe &colour) const;
    /// Energy of detail over that of the other video. 0: unknown.
    double detail_over(const FrameProbe &other) const;

  private:
    static constexpr std::size_t kEdges = 4;
    static constexpr unsigned kMostFrames = 40; ///< with content

    unsigned frames_ = 0;                             ///< that were read
    unsigned content_ = 0;                            ///< frames that were looked at and are not black
    std::array<unsigned, kEdges> black_{}, bright_{}; ///< such frames, by edge
    double detail_ = 0;                               ///< of these frames, in squared codes of 8 bits a sample
    unsigned grey_ = 0;                               ///< such frames with neutral chroma
    bool is_coloured_ = false;                        ///< one of them has clear colour
};

} // namespace vmaf::tool
