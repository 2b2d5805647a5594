#pragma once

#include <span>

#include "base/aligned_buffer.h"
#include "feature/cambi/cambi_loops.h"

namespace vmaf {

/// spec cambi 3.6: the sum of the largest c-values of a plane, added up in the order that the chapter gives.
class CambiPooling {
  public:
    explicit CambiPooling(const CambiLoops &loops);

    /// Of the `top_count` largest, 1 at least. May reorder `c`.
    double top_sum(std::span<float> c, std::size_t top_count);

  private:
    /// Of values that are not all 0: the `top_count`-th largest.
    float find_bound(std::span<const float> c, std::size_t top_count);

    const CambiLoops &loops_;
    AlignedBuffer<std::uint32_t> by_upper_half_;
    AlignedBuffer<std::uint32_t> by_lower_half_;
};

} // namespace vmaf
