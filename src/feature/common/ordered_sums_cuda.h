#pragma once

// Shared with kernels/common/ordered_sums.cuh: plain C++17.

namespace vmaf {

/// What kernels share that add up float terms in the order of the definitions (spec float_features
/// 3.3): each row from the left, then the rows from the top. A block has a strip of kStripRows
/// whole rows and walks along it by tiles of kTileColumns columns. Its threads make the terms,
/// kThreadPixels pixels each; then one lane a row adds the tile's terms to the row's sum, while the
/// others go on to the next tile. The rows' sums are added in a kernel of their own.
constexpr int kStripRows = 8;
constexpr int kTileColumns = 128;
constexpr int kThreadPixels = 4;
constexpr int kStripThreads = kStripRows * kTileColumns / kThreadPixels;

/// A block that halves a picture makes so many columns of kStripRows rows.
constexpr int kHalfTileColumns = 64;

/// How samples become floats in the unit of 8-bit samples, less 128 (spec float_features 2):
/// (2^23 + sample - bias) * scale, exactly.
struct FloatUnit {
    float bias;
    float scale;
};
constexpr FloatUnit float_unit(unsigned bpc)
{
    return {8388608.0F + 128.0F * static_cast<float>(1U << (bpc - 8)), 1.0F / static_cast<float>(1U << (bpc - 8))};
}

} // namespace vmaf
