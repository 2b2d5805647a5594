#pragma once

// Shared with device code: plain C++17.

namespace vmaf {

/// spec ssimulacra2 3.1 with the sample ranges folded in: y = (Y - luma_zero) * luma_scale, u = U -
/// chroma_zero, v = V - chroma_zero; R' = y + red_v v, G' = y + green_u u + green_v v, B' = y +
/// blue_u u, each clamped to [0, 1].
struct YuvMatrix {
    float luma_zero, luma_scale;
    float chroma_zero;
    float red_v, green_u, green_v, blue_u;
};

/// From R', G', B' in [0, 1] to light (spec hdr 1): a table's values between its bounds, or sRGB's
/// curve; for HLG multiplied by a power of the pixel's scene luminance; then in the metric's
/// primaries, between 0 and `most`.
constexpr unsigned kLightSteps = 1U << 16;
constexpr float kNoLightBound = 3e38F;
constexpr float kHlgLuma[3] = {0.2627F, 0.6780F, 0.0593F};
constexpr float kLeastHlgLuma = 1e-30F; ///< whose power is taken at least
struct LightParams {
    const float *table; ///< kLightSteps + 1 values, linear between them; null: sRGB's curve
    float least, most;
    float system_power; ///< of HLG; 0: none
    float scale;        ///< what the matrix's rows sum to
    float matrix[3][3];
    bool converts; ///< the matrix is not that of 1
};

/// How a picture's samples become R', G', B' of its pixels. Chroma is brought to luma size by
/// replication.
struct RgbSampling {
    YuvMatrix matrix;
    unsigned chroma_shift_x, chroma_shift_y; ///< log2 of the subsampling
    unsigned chroma_width_px, chroma_height_px;
    bool grey; ///< no chroma planes: R = G = B
    LightParams light;
};

} // namespace vmaf
