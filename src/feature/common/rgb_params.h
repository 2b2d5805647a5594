#pragma once

// Shared with device code: plain C++17.

namespace vmaf {

/// spec ssimulacra2 3.1 with the sample ranges folded in: y = (Y - luma_zero) * luma_scale, u = U - chroma_zero, v = V - chroma_zero;
/// R' = y + red_v v, G' = y + green_u u + green_v v, B' = y + blue_u u, each clamped to [0, 1].
struct YuvMatrix {
    float luma_zero, luma_scale;
    float chroma_zero;
    float red_v, green_u, green_v, blue_u;
};

/// How a picture's samples become R', G', B' of its pixels. Chroma is brought to luma size by replication.
struct RgbSampling {
    YuvMatrix matrix;
    unsigned chroma_shift_x, chroma_shift_y; ///< log2 of the subsampling
    unsigned chroma_width_px, chroma_height_px;
    bool grey; ///< no chroma planes: R = G = B
};

} // namespace vmaf
