#pragma once

#include <vector>

#include "feature/cvvdp/cvvdp_params.h"

namespace vmaf {

/// spec cvvdp 3.7, from sums over pixels on.

/// Over channels and bands of a frame: Q_f. @param bands how many there are of pictures of that
/// size.
double cvvdp_frame_difference(const CvvdpSums &sums, unsigned width_px, unsigned height_px, unsigned bands);

/// What bands and channels add to Q_f to the fourth power, as shares of all; 0 if there is no
/// difference.
struct CvvdpShares {
    double of[kCvvdpMaxBands][kCvvdpChannels];
};
CvvdpShares cvvdp_shares(const CvvdpSums &sums, unsigned width_px, unsigned height_px, unsigned bands);

/// pw(Q_f, 2), of which frames are pooled.
double cvvdp_frame_term(double difference);
/// Q(0..f), from the sum of the terms of so many frames.
double cvvdp_clip_difference(double term_sum, unsigned frames);
/// Q of one frame: a still picture.
double cvvdp_still_difference(double difference);

/// J.
double cvvdp_jod(double difference);

} // namespace vmaf
