#pragma once

namespace vmaf {

constexpr unsigned kCambiScales = 5;
/// Samples are processed with 10 bits; rounding 16 bits down reaches 1024 (spec cambi 3.2).
constexpr unsigned kCambiMaxSample = 1024;
constexpr unsigned kCambiMaxWindow = 65; // spec cambi 3.1, step 6
constexpr unsigned kCambiMaxCount = kCambiMaxWindow * kCambiMaxWindow;
constexpr unsigned kCambiMaxSteps = 32; // contrast steps: 2^max_log_contrast
constexpr unsigned kCambiMaskReach = 3; // the mask counts flat pixels in a 7x7 square

/// spec cambi 3.5: k(d) at [d - 1].
constexpr int kCambiWeights[kCambiMaxSteps] = {1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8,
                                               8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

/// Where a device notes samples above 2^bpc - 1 (spec cambi 3.2): the largest one of the first row
/// that has any is (0xffff - row) << 16 | sample, and 0 says that there are none.
inline unsigned cambi_bad_row(unsigned bad_sample)
{
    return 0xffff - (bad_sample >> 16);
}
inline unsigned cambi_bad_value(unsigned bad_sample)
{
    return bad_sample & 0xffff;
}

/// What a device hands to the host for one frame: at each scale the sum of the K largest c-values
/// (spec cambi 3.6), of the distorted picture and, if it is measured, of the reference.
struct CambiSums {
    double dis[kCambiScales];
    double ref[kCambiScales];
    unsigned bad_dis, bad_ref; ///< of a device; the CPU refuses such frames itself
};
static_assert(sizeof(CambiSums) == 88);

} // namespace vmaf
