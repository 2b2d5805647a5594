#pragma once

// Shared with device code: plain C++17.

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

/// G of spec ssim 3.2 of the two images, their squares and their product, for one row.
enum SsimPlane { kSsimRef, kSsimDis, kSsimRefRef, kSsimDisDis, kSsimRefDis, kSsimPlanes };

/// spec ssim 3.2
struct SsimWindowTaps {
    float tap[kSsimTaps];
};
constexpr SsimWindowTaps kSsimWindowTaps{{0.001028F, 0.007599F, 0.036001F, 0.109361F, 0.213006F, 0.266012F, 0.213006F,
                                          0.109361F, 0.036001F, 0.007599F, 0.001028F}};

/// spec ssim 3.3: the stabilising constants.
constexpr float kSsimPeak = 255.0F;
constexpr float kSsimC1 = (0.01F * kSsimPeak) * (0.01F * kSsimPeak);
constexpr float kSsimC2 = (0.03F * kSsimPeak) * (0.03F * kSsimPeak);
constexpr float kSsimC3 = kSsimC2 / 2;

/// The low-pass filter between the scales of float_ms_ssim reaches so far on each side of its
/// centre (spec ssim 3.5).
constexpr unsigned kMsSsimReach = 4;

/// Its taps by |v| and |u|.
struct MsSsimLowPass {
    float tap[kMsSsimReach + 1][kMsSsimReach + 1];
};
constexpr MsSsimLowPass kMsSsimLowPass{{
    {0.363505F, 0.160885F, -0.047149F, -0.010146F, 0.016114F},
    {0.160885F, 0.071207F, -0.020867F, -0.004490F, 0.007132F},
    {-0.047149F, -0.020867F, 0.006115F, 0.001316F, -0.002090F},
    {-0.010146F, -0.004490F, 0.001316F, 0.000283F, -0.000450F},
    {0.016114F, 0.007132F, -0.002090F, -0.000450F, 0.000714F},
}};

} // namespace vmaf
