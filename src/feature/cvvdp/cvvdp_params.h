#pragma once

// Shared with kernels/cvvdp/: plain C++17.

#include "base/host_and_device.h"

namespace vmaf {

/// spec cvvdp 1: Y, RG, YV sustained, Y transient.
constexpr unsigned kCvvdpChannels = 4;
constexpr unsigned kCvvdpColours = 3; ///< Y, RG, YV
constexpr unsigned kCvvdpTransient = 3;

/// spec cvvdp 3.4: bands at most, with the base band: of the finest display and the largest
/// picture.
constexpr unsigned kCvvdpMaxBands = 11;
constexpr unsigned kCvvdpMinPx = 8;

/// spec cvvdp 3.3: N at 240 frames/s.
constexpr unsigned kCvvdpMaxTaps = 61;

/// What a device hands to the host for one frame: over the pixels of each band the sum of pw(D, 2)
/// (spec cvvdp 3.7).
struct CvvdpSums {
    double squares[kCvvdpMaxBands][kCvvdpChannels];
};

/// spec cvvdp 3.4.
constexpr float kCvvdpReduceMiddle = 0.4F, kCvvdpReduceNext = 0.25F, kCvvdpReduceOuter = 0.05F;
/// What three values of the level above count for in an even or an odd place of the level below.
struct CvvdpParts {
    float of[3];
};
VMAF_HOST_AND_DEVICE constexpr CvvdpParts cvvdp_parts(bool even)
{
    return {{even ? 0.1F : 0, even ? 0.8F : 0.5F, even ? 0.1F : 0.5F}};
}
constexpr float kCvvdpLeastMean = 0.01F; ///< what a contrast is divided by is no less
constexpr float kCvvdpMostContrast = 1000;

/// spec cvvdp 3.5.
constexpr unsigned kCvvdpCsfPoints = 32;
constexpr double kCvvdpLeastLuminance = 0.005, kCvvdpMostLuminance = 10000;

/// spec cvvdp 3: e.
constexpr double kCvvdpEpsilon = 0.00001;
constexpr float kCvvdpFloatEpsilon = 0.00001F;

/// spec cvvdp 3.6: 10^-0.7954971194267273, 10^2.5642454624176025, and the powers.
constexpr float kCvvdpMaskScale = 0.16014113F;
constexpr float kCvvdpLargestD = 366.64474F;
constexpr float kCvvdpDifferencePower = 2.264355182647705F;
/// The blur of masks: identity in bands of so few rows or columns.
constexpr unsigned kCvvdpBlurReach = 6;

/// How channel k masks channel c. In one structure: device code may take constants of it, though
/// not of an array.
struct CvvdpMasking {
    float power[kCvvdpChannels];                  ///< q_k
    float weight[kCvvdpChannels][kCvvdpChannels]; ///< 2^X[k][c]
};
constexpr CvvdpMasking kCvvdpMasking{
    {1.302622675895691F, 2.8885908126831055F, 3.6807713508605957F, 3.588787317276001F},
    {{0.8769089458834433F, 0.01604034463545801F, 0.05012429937984367F, 0.2620367910456212F},
     {5.919844938912757F, 1.269329944731316F, 0.15181155885781344F, 0.708557835946988F},
     {14.043563899807165F, 0.49821121962186676F, 0.697692072309742F, 0.675784526259089F},
     {0.007521460672010883F, 0.021685121985430055F, 0.08773876361299361F, 0.23519839354210606F}}};

struct CvvdpBandTables {
    /// log2 of what turns a contrast into T' (spec cvvdp 3.5, 3.6): S, gain and the factor of 3.4;
    /// of the base band S alone.
    float sensitivity[kCvvdpChannels][kCvvdpCsfPoints];
};
/// A luminance's place in them: scale * log2(luminance) + offset.
constexpr float kCvvdpPositionScale = 1.4810166F;  ///< 31 log10(2) / (4 - log10 0.005)
constexpr float kCvvdpPositionOffset = 11.320678F; ///< -31 log10(0.005) / (4 - log10 0.005)

/// From three values of light to Y, RG, YV: colour[c] = offset[c] + the row times the light (spec
/// cvvdp 3.1, 3.2).
struct CvvdpColour {
    float matrix[kCvvdpColours][3];
    float offset[kCvvdpColours];
};

/// The side of a level above one of `px`.
constexpr unsigned cvvdp_half(unsigned px)
{
    return (px + 1) / 2;
}

} // namespace vmaf
