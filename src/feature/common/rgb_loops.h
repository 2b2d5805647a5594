#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/common/rgb_params.h"

namespace vmaf {

/// One row of a picture in three channels: YUV, R'G'B', linear RGB, XYB.
struct ColourRow {
    float *channel[3];
};

/// From samples to linear RGB, row by row. Rows have `count` values; every value is a pure function
/// of those it is made from.
struct RgbLoops {
    void (*samples_8bit)(const std::uint8_t *samples, unsigned count, float *out);
    void (*samples_16bit)(const std::uint16_t *samples, unsigned count, float *out);
    /// Chroma of horizontally subsampled formats: each of `count` samples twice.
    void (*twice_8bit)(const std::uint8_t *samples, unsigned count, float *out);
    void (*twice_16bit)(const std::uint16_t *samples, unsigned count, float *out);

    /// spec ssimulacra2 3.1. `yuv` is overwritten with R', G', B'.
    void (*yuv_to_rgb)(const YuvMatrix &matrix, unsigned count, ColourRow yuv);
    /// Converts a row without chroma, where R' = G' = B'.
    void (*luma_to_rgb)(const YuvMatrix &matrix, unsigned count, float *luma);
    /// spec ssimulacra2 3.1 and 3.2. `yuv` is overwritten with linear R, G, B.
    void (*yuv_to_linear)(const YuvMatrix &matrix, unsigned count, ColourRow yuv);
    void (*luma_to_linear)(const YuvMatrix &matrix, unsigned count, float *luma);

    /// spec hdr 1, in place: from R', G' or B' in [0, 1] to the table's light.
    void (*look_up)(const LightParams &light, unsigned count, float *values);
    /// HLG's system gamma: from scene light to light relative to the display's peak. Without chroma
    /// the first channel alone.
    void (*apply_system)(const LightParams &light, unsigned count, ColourRow rgb);
    void (*apply_system_to_luma)(const LightParams &light, unsigned count, ColourRow rgb);
    /// To the metric's primaries, between 0 and `most`.
    void (*convert)(const LightParams &light, unsigned count, ColourRow rgb);
    void (*scale_luma)(const LightParams &light, unsigned count, ColourRow rgb);

    /// spec ssimulacra2 3.3: `count` values from two rows of 2 count.
    void (*halve)(const float *top, const float *bottom, unsigned count, float *out);
};

VMAF_DECLARE_CPU_VARIANTS(RgbLoops, kRgbLoops)

} // namespace vmaf
