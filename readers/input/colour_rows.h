#pragma once

#include <cstddef>
#include <optional>

#include "input/sample_map.h"

/// Rows of colour values in binary32: luma and components of RGB from 0 to 1, chroma from -0.5 to
/// 0.5 (spec comparison 2.2).
namespace vmaf::tool {

/// The matrix that most files mean that do not say it: BT.601 in standard definition, else BT.709.
constexpr int assumed_matrix(unsigned height_px)
{
    return height_px <= 576 ? h273::kSmpte170m : h273::kBt709;
}

/// values = alpha * values + (1 - alpha) * background
void blend(float *values, const float *alpha, float background, std::size_t count);

/// How red, green and blue make luma.
struct LumaWeights {
    float red, green, blue;
};

/// Empty: the H.273 code is unspecified, or does not stand for such weights.
std::optional<LumaWeights> luma_weights(int matrix);

struct RgbRow {
    float *red, *green, *blue;
};
struct YuvRow {
    float *luma, *cb, *cr;
};

/// @param yuv may be the memory of rgb.
void yuv_of_rgb(const RgbRow &rgb, const YuvRow &yuv, std::size_t values, const LumaWeights &weights);
/// The inverse; nothing is clipped.
void rgb_of_yuv(const YuvRow &yuv, const RgbRow &rgb, std::size_t values, const LumaWeights &weights);

/// Values of a plane from and to the codes that stand for them.
class RowCoder {
  public:
    RowCoder(const SampleCoding &coding, PlaneKind kind);

    void decode(const std::byte *row, float *values, std::size_t count) const;
    /// Rounded half up and clipped.
    void encode(const float *values, std::byte *row, std::size_t count) const;

  private:
    float origin_, span_, largest_;
    bool two_bytes_;
};

} // namespace vmaf::tool
