#pragma once

#include <array>
#include <cstdint>

#include "feature/feature.h"

namespace vmaf::test {

/// E of each plane (spec xpsnr 3.5), sample by sample. Planes of `earlier` without data are black.
std::array<std::uint64_t, 3> xpsnr_errors(const FramePlanes &planes, const PictureFormat &format, bool second_order,
                                          bool chroma = true);

} // namespace vmaf::test
