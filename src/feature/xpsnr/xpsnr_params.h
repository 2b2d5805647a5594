#pragma once

// Shared with kernels/xpsnr/: plain C++17.

#include <cstdint>

namespace vmaf {

/// What a device hands to the host for one frame: the weighted error of each plane, E of spec xpsnr
/// 3.5. 0 for a plane not measured.
struct XpsnrSums {
    std::uint64_t error[3];
};
static_assert(sizeof(XpsnrSums) == 24);

} // namespace vmaf
