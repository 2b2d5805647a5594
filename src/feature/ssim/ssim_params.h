#pragma once

#include "feature/common/picture_size.h"

namespace vmaf {

/// Sums over the positions of one evaluated image (spec ssim 3.3): Sl, Sc, Ss, Sq.
struct SsimSums {
    double l, c, s, q;
};

constexpr unsigned kMsSsimScales = 5;

/// What a device hands to the host for one frame of float_ms_ssim.
struct MsSsimSums {
    SsimSums scale[kMsSsimScales];
};
static_assert(sizeof(SsimSums) == 32 && sizeof(MsSsimSums) == 160);

/// The window filter has this many taps, and no position where it leaves the image counts.
constexpr unsigned kSsimTaps = 11;
constexpr unsigned kSsimMargin = kSsimTaps - 1;

/// The low-pass filter between the scales of float_ms_ssim reaches so far on each side of its centre (spec ssim 3.5).
constexpr unsigned kMsSsimReach = 4;

/// spec ssim 3.4: the size of a picture reduced by `factor`.
constexpr PictureSize ssim_reduced(PictureSize size, unsigned factor)
{
    if (factor == 1)
        return size;
    return {size.width_px / factor + (size.width_px & 1), size.height_px / factor + (size.height_px & 1)};
}

} // namespace vmaf
