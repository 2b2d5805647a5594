#pragma once

#include <algorithm>
#include <cstddef>

#include "base/aligned_buffer.h"
#include "base/round_up.h"

namespace vmaf {

/// The last rows of some planes: row y overwrites row y - `rows`. Beside each row lie kPadding
/// values on both sides, which are `beside` until they are written. Rows y of all planes lie
/// together and at different places of a page: loads wait for stores at the same place of another.
class RowRing {
  public:
    static constexpr unsigned kPadding = 16;

    RowRing(unsigned planes, unsigned rows, unsigned width_px, float beside = 0)
        : planes_(planes), rows_(rows), stride_(stride_of(width_px)), values_(stride_ * planes * rows)
    {
        std::fill_n(values_.data(), values_.size(), beside);
    }

    float *row(unsigned plane, unsigned y)
    {
        return values_.data() + (std::size_t{y % rows_} * planes_ + plane) * stride_ + kPadding;
    }
    const float *row(unsigned plane, unsigned y) const { return const_cast<RowRing *>(this)->row(plane, y); }

  private:
    /// An odd number of lines of a cache.
    static std::size_t stride_of(unsigned width_px)
    {
        return std::size_t{blocks_for(width_px + 2 * kPadding, kPadding) | 1U} * kPadding;
    }

    unsigned planes_, rows_;
    std::size_t stride_;
    AlignedBuffer<float> values_;
};

} // namespace vmaf
