#pragma once

// Shared with device code: plain C++17.

namespace vmaf {

constexpr unsigned kSsimulacra2Scales = 6; ///< at most
constexpr unsigned kSsimulacra2Planes = 3; ///< X, Y, B of XYB
constexpr unsigned kSsimulacra2Norms = 2;  ///< of order 1 and 4
constexpr unsigned kSsimulacra2Maps = 3;   ///< the error maps: ssim, artefact, detail

/// What a device hands to the host for one frame: over the pixels of each scale the sum of each
/// error map ([0]) and of its fourth power ([1]). What no weight asks for (ssimulacra2_maps()) may
/// be 0.
struct Ssimulacra2Sums {
    double sums[kSsimulacra2Planes][kSsimulacra2Scales][kSsimulacra2Norms][kSsimulacra2Maps];
};

/// spec ssimulacra2 3.6: the blur's taps at distance 0 to 4.
constexpr unsigned kSsimulacra2Reach = 4;
constexpr unsigned kSsimulacra2TapRows = 2 * kSsimulacra2Reach + 1;
constexpr float kSsimulacra2Taps[kSsimulacra2Reach + 1] = {0x1.0ef8d6p-2F, 0x1.b413e8p-3F, 0x1.bfd672p-4F,
                                                           0x1.2700c8p-5F, 0x1.347d70p-7F};

/// spec ssimulacra2 3.4: the weights of linear R, G, B in L, M, S, and the bias under the cube root
/// with its own root.
constexpr float kSsimulacra2Cones[3][3] = {{0.30F, 0.622F, 0.078F},
                                           {0.23F, 0.692F, 0.078F},
                                           {0.24342268924547819F, 0.20476744424496821F, 0.55180986650955360F}};
constexpr float kSsimulacra2Bias = 0.0037930732552754493F;
constexpr float kSsimulacra2BiasRoot = 0.15595420054924862F;

/// spec ssimulacra2 3.5: C2.
constexpr float kSsimulacra2C2 = 0.0009F;

/// spec ssimulacra2 3.3.
struct Ssimulacra2Size {
    unsigned width_px;
    unsigned height_px;
};

constexpr unsigned kSsimulacra2MinPx = 8;

constexpr Ssimulacra2Size ssimulacra2_size(unsigned width_px, unsigned height_px, unsigned scale)
{
    for (unsigned s = 0; s < scale; ++s) {
        width_px = (width_px + 1) / 2;
        height_px = (height_px + 1) / 2;
    }
    return {width_px, height_px};
}

/// A scale exists if the one that it is made from, or for scale 0 the picture itself, is large
/// enough.
constexpr unsigned ssimulacra2_scale_count(unsigned width_px, unsigned height_px)
{
    unsigned count = 1;
    for (Ssimulacra2Size size{width_px, height_px};
         count < kSsimulacra2Scales && size.width_px >= kSsimulacra2MinPx && size.height_px >= kSsimulacra2MinPx;
         ++count)
        size = ssimulacra2_size(size.width_px, size.height_px, 1);
    return count;
}

} // namespace vmaf
