#pragma once

#include "feature/cvvdp/cvvdp_params.h"

namespace vmaf {

/// Cycles per degree (spec cvvdp 3.5).
extern const double kCvvdpCsfFrequencies[kCvvdpCsfPoints];

/// log10 of the sensitivity of each channel, by luminance (kCvvdpLeastLuminance to
/// kCvvdpMostLuminance, evenly spaced in their logarithms), then by frequency.
extern const double kCvvdpCsf[kCvvdpChannels][kCvvdpCsfPoints][kCvvdpCsfPoints];

} // namespace vmaf
