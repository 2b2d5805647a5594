#pragma once

#include <string>

#include "libvmaf/picture.h"
#include "report/report_data.h"

namespace vmaf::tool {

/// Thumbnails are at most so wide.
constexpr unsigned kThumbnailWidthPx = 320;

/// Both pictures of a pair, of equal format in host memory, and their difference in luma, made small by averaging. Colours
/// are taken for BT.709 in limited range.
FramePictures thumbnails(unsigned frame, const VmafPicture &ref, const VmafPicture &dis);

} // namespace vmaf::tool
