#pragma once

#include <cstdint>

namespace vmaf {

/// What a device hands to the host for one frame: the sum of squared errors of each plane (spec
/// psnr 3). 0 for a plane not measured.
struct PsnrSums {
    std::uint64_t sse[3];
};
static_assert(sizeof(PsnrSums) == 24);

} // namespace vmaf
