#pragma once

#include <algorithm>
#include <cstddef>

#include "base/aligned_buffer.h"
#include "base/round_up.h"

namespace vmaf {

/// The last rows of a plane. Beside each lie kPadding values on both sides, which keep what they
/// were made with.
class ButteraugliRing {
  public:
    static constexpr unsigned kPadding = 16;

    ButteraugliRing(unsigned width_px, unsigned rows, float beside = 0)
        : rows_(rows), stride_(stride_of(width_px)), values_(stride_ * rows)
    {
        std::fill_n(values_.data(), values_.size(), beside);
    }

    float *row(unsigned y) { return values_.data() + y % rows_ * stride_ + kPadding; }

  private:
    /// Rows start at different sets of a cache.
    static std::size_t stride_of(unsigned width_px)
    {
        return std::size_t{blocks_for(width_px + 2 * kPadding, kPadding) | 1U} * kPadding;
    }

    unsigned rows_;
    std::size_t stride_;
    AlignedBuffer<float> values_;
};

} // namespace vmaf
