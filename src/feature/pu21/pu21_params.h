#pragma once

// Shared with kernels/pu21/: plain C++17.

namespace vmaf {

/// What a backend computes of one frame: sums of squared differences of what pu() makes of the
/// luminance, and of R, G and B.
struct Pu21PsnrSums {
    double luminance;
    double rgb;
};

/// What pu() is made of light (spec hdr 3).
struct Pu21Light {
    float luminance[3]; ///< weights of R, G, B in the luminance
    double reflected;   ///< cd/m2 that the display reflects of the ambient light
};

/// pu21_ssim takes pu() in the range of 8-bit samples: then the constants of spec ssim 3.3 are
/// those for 256.
constexpr double kPu21ImageScale = 255.0 / 256;

} // namespace vmaf
