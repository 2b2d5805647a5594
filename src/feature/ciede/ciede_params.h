#pragma once

namespace vmaf {

/// What a device hands to the host for one frame: the sum of the colour differences of all pixels
/// in raster order.
struct CiedeSums {
    double difference;
};
static_assert(sizeof(CiedeSums) == 8);

/// spec ciede 3.2: sample value -> Y or U, V. Steps are 1 / (219 sc) and 1 / (224 sc).
struct CiedeRange {
    double luma_black, luma_step;
    double chroma_zero, chroma_step;
};

constexpr CiedeRange ciede_range(unsigned bpc)
{
    const double scale = 1U << (bpc - 8);
    return {16 * scale, 1 / (219 * scale), 128 * scale, 1 / (224 * scale)};
}

// spec ciede 3.2, 3.3: constants that the definition and the vector loops share.
constexpr double kCiedeRedFromV = 1.28033, kCiedeGreenFromU = 0.21482, kCiedeGreenFromV = 0.38059;
constexpr double kCiedeBlueFromU = 2.12798;
constexpr double kCiedeLinearLimit = 10.0 / 255.0;
constexpr double kCiedeCubeLimit = 216.0 / 24389.0, kCiedeCubeSlope = 24389.0 / 27.0;
constexpr double kCiedePi = 3.14159265358979323846;
constexpr double kCiedeDegrees = 180.0 / kCiedePi, kCiedeRadians = kCiedePi / 180.0;
constexpr double kCiedePower25To7 = 6103515625.0;
constexpr float kCiedeWeightL = 0.65F, kCiedeWeightC = 1.0F, kCiedeWeightH = 4.0F;

/// Rows of the matrix from linear R, G, B to x, y, z.
constexpr double kCiedeXyz[3][3] = {
    {0.4124564390896921, 0.357576077643909, 0.18043748326639894},
    {0.21267285140562248, 0.715152155287818, 0.07217499330655958},
    {0.019333895582329317, 0.119192025881303, 0.9503040785363677},
};
constexpr double kCiedeWhiteX = 1 / 0.95047, kCiedeWhiteZ = 1 / 1.08883;

} // namespace vmaf
