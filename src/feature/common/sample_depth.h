#pragma once

#include "base/result.h"
#include "feature/picture_format.h"

namespace vmaf {

/// For features that take 8, 10, 12 and 16 bits per sample only: other depths are -EINVAL with one
/// log line.
Status check_sample_depth(const char *feature, const PictureFormat &format);

} // namespace vmaf
