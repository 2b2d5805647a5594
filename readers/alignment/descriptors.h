#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/small_luma.h"

namespace vmaf::tool {

/// Small luma, smoothed so that what a codec blurs counts little, at half the size. Frames are
/// compared by the mean squared difference of these samples.
class Descriptors {
  public:
    explicit Descriptors(const SmallLuma &luma);

    std::size_t frames() const { return frames_; }
    /// Variance of the frame's samples in codes².
    double variance(std::size_t i) const { return variances_[i]; }
    /// Mean squared difference of two frames in codes².
    static double distance(const Descriptors &a, std::size_t i, const Descriptors &b, std::size_t j);
    /// A lower bound of distance(), at a fraction of its cost.
    static double least_distance(const Descriptors &a, std::size_t i, const Descriptors &b, std::size_t j);

  private:
    std::size_t frames_ = 0, size_ = 0, coarse_size_ = 0;
    std::vector<std::int16_t> samples_, coarse_;
    std::vector<double> variances_;
};

} // namespace vmaf::tool
