#pragma once

#include <string>
#include <vector>

#include "input/crop.h"
#include "input/frame_probe.h"
#include "input/video_format.h"
#include "libvmaf/picture.h"

/// Black bars around pictures (spec comparison 7).
namespace vmaf::tool {

/// The picture inside the bars of a video's frames.
struct FoundPicture {
    unsigned frames = 0; ///< sampled, with content
    Crop picture = {};   ///< picture in all frames; the whole picture if the bars change

    bool operator==(const FoundPicture &) const = default;
};

/// Finds the rows and columns that stay black in the frames that it is shown.
class BarFinder {
  public:
    explicit BarFinder(const PictureForm &form);

    void add(const VmafPicture &frame);
    unsigned frames() const { return static_cast<unsigned>(contents_.size()); }
    FoundPicture found() const;

  private:
    PictureForm form_;
    unsigned limit_;
    std::vector<Crop> contents_; ///< for each frame the area that is not black
};

/// Pictures inside the bars of a reference and a distorted video.
struct Pictures {
    Crop ref, dis;

    bool operator==(const Pictures &) const = default;
};

/// Where the two were found in the same place, but for the edges of bars, which compression blurs:
/// the largest pictures inside the reference's that begin and end in the same place. Else what was
/// found.
/// @param found in upright pictures of these formats.
Pictures aligned_pictures(const Pictures &found, const VideoFormat &ref_format, const VideoFormat &dis_format);

} // namespace vmaf::tool
