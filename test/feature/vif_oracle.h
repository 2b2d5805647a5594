#pragma once

#include <cstdint>
#include <vector>

#include "base/plane_view.h"
#include "feature/vif/vif_params.h"

/// Integer VIF as the specification writes it, with whole planes and wide integers. The CPU backend
/// is compared with it.
namespace vmaf::test {

struct VifPlane64 {
    int width, height;
    std::vector<std::int64_t> samples;

    VifPlane64(int w, int h) : width(w), height(h), samples(static_cast<std::size_t>(w) * h) {}
    std::int64_t &at(int x, int y) { return samples[static_cast<std::size_t>(y) * width + x]; }
    std::int64_t at(int x, int y) const { return samples[static_cast<std::size_t>(y) * width + x]; }
};

struct VifOracleMoments {
    VifPlane64 s1, s2, s12; ///< s2 before the clamp at 0
};

struct VifOracle {
    std::vector<VifPlane64> ref, dis; ///< one for each of the four scales
    std::vector<VifOracleMoments> moments;
    VifSums sums;
};

/// Computes VIF of two pictures of at least 8 x 8 pixels.
/// It follows spec vif 3, and spec vif 4 for sizes from 8 to 15.
VifOracle vif_oracle(const PlaneView &ref, const PlaneView &dis, double gain_limit);

/// Terms of one pixel (spec vif 3.5); `s2` is not clamped at 0 yet.
void add_oracle_pixel(std::int64_t s1, std::int64_t s2, std::int64_t s12, double gain_limit, VifScaleSums &sums);

} // namespace vmaf::test
