#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/aligned_buffer.h"
#include "feature/adm/adm_params.h"

/// Common code of the CPU backends of adm and float_adm: rows for the filters and masks of spec adm
/// 3.1 and 3.5, of any type.
namespace vmaf {

constexpr std::size_t kAdmSides = 2;       // reference, distorted
constexpr std::size_t kAdmRollingRows = 3; // under the 3x3 mask

/// Rows of scratch values, with room before and after each for what a filter reads beyond the ends.
/// Zero at first.
template <class Value> class AdmScratchRows {
  public:
    AdmScratchRows(std::size_t rows, std::size_t length)
        : pitch_((length + 2 * kMargin + kMargin - 1) / kMargin * kMargin), buffer_(rows * pitch_)
    {
        std::fill_n(buffer_.data(), buffer_.size(), Value{});
    }

    Value *take() { return row(taken_++); }
    Value *row(std::size_t index) { return buffer_.data() + pitch_ * index + kMargin; }

  private:
    static constexpr std::size_t kMargin = 32; // a vector of the smallest values at least

    std::size_t pitch_;
    AlignedBuffer<Value> buffer_;
    std::size_t taken_ = 0;
};

/// spec adm 3.1: index -1 means 1, j >= n means 2n-1-j; both held inside tiny lines (spec adm 4).
inline std::ptrdiff_t adm_mirror(std::ptrdiff_t i, std::ptrdiff_t n)
{
    return std::clamp(i < 0 ? -i : i >= n ? 2 * n - 1 - i : i, std::ptrdiff_t{0}, n - 1);
}

/// Input of one scale's DWT: the picture, or the band A of the scale before.
struct AdmDwtRows {
    const std::byte *data;
    std::ptrdiff_t stride_bytes;
    std::ptrdiff_t width;
    std::ptrdiff_t height;

    /// The input rows under the taps of output row y.
    std::array<const void *, 4> tap_rows(unsigned y) const
    {
        std::array<const void *, 4> rows{};
        for (std::ptrdiff_t k = 0; k < 4; ++k)
            rows[k] = data + stride_bytes * adm_mirror(2 * std::ptrdiff_t{y} - 1 + k, height);
        return rows;
    }
    /// The input columns that the horizontal pass reads for the output columns `span`, as far as
    /// they exist.
    AdmSpan tap_columns(const AdmSpan &span) const
    {
        return {span.begin == 0 ? 0 : 2 * span.begin - 1, std::min(2 * span.end + 1, static_cast<std::size_t>(width))};
    }
    /// Adds to a line of those columns what the taps at the line's ends read.
    template <class Value> void extend_line(Value *line, const AdmSpan &columns) const
    {
        if (columns.begin == 0)
            line[-1] = line[adm_mirror(-1, width)];
        if (columns.end == static_cast<std::size_t>(width))
            for (std::ptrdiff_t x = width; x < width + 2; ++x)
                line[x] = line[adm_mirror(x, width)];
    }
};

/// Columns that the 3x3 masks of the summation region read, as far as they exist.
template <class Scale> AdmSpan adm_masked_columns(const Scale &scale)
{
    return {scale.left == 0 ? 0 : scale.left - 1, std::min(scale.right + 1, scale.width)};
}

/// spec adm 3.5: the neighbours of a region that reaches the band's left or right edge.
template <class Scale, class Value> void adm_extend_neighbours(const Scale &scale, Value *neighbour)
{
    if (scale.left == 0)
        neighbour[-1] = neighbour[std::min(1U, scale.width - 1)];
    if (scale.right == scale.width)
        neighbour[scale.width] = neighbour[scale.width - 1];
}

/// The rows above, at and below row y. The second row is above the first one, and the last one
/// below itself.
inline std::array<unsigned, 3> adm_rows_around(unsigned y, unsigned height)
{
    return {y == 0 ? std::min(1U, height - 1) : y - 1, y, std::min(y + 1, height - 1)};
}

} // namespace vmaf
