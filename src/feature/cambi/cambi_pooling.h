#pragma once

#include <span>

#include "base/aligned_buffer.h"
#include "feature/cambi/cambi_loops.h"

namespace vmaf {

/// spec cambi 3.6: the sum of the largest c-values of a plane, added up in the order that the
/// chapter gives.
class CambiPooling {
  public:
    explicit CambiPooling(const CambiLoops &loops);

    /// Sum of the `top_count` largest values, at least one. May reorder `c`.
    double top_sum(std::span<float> c, std::size_t top_count);

  private:
    /// The `top_count`-th largest of values that are not all 0.
    float find_bound(std::span<const float> c, std::size_t top_count);

    const CambiLoops &loops_;
    AlignedBuffer<std::uint32_t> by_upper_half_;
    AlignedBuffer<std::uint32_t> by_lower_half_;
};

} // namespace vmaf
