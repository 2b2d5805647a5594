#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "feature/feature.h"

namespace vmaf::test {

/// A plane of real numbers.
struct ButteraugliPlaneOf {
    int width = 0, height = 0;
    std::vector<double> values;

    ButteraugliPlaneOf() = default;
    ButteraugliPlaneOf(int w, int h) : width(w), height(h), values(static_cast<std::size_t>(w) * h) {}
    double &at(int x, int y) { return values[static_cast<std::size_t>(y) * width + x]; }
    double at(int x, int y) const { return values[static_cast<std::size_t>(y) * width + x]; }
};

using ButteraugliRgb = std::array<ButteraugliPlaneOf, 3>; ///< linear, in [0, 1]

struct ButteraugliParameters {
    double intensity = 80, asymmetry = 1;
    int yuv_matrix = 0;
};

/// Intermediate results of one resolution. Index 0 of a pair is the reference.
struct ButteraugliSteps {
    std::array<ButteraugliRgb, 2> xyb, lf, mf; ///< planes X, Y, B
    std::array<std::array<ButteraugliPlaneOf, 2>, 2> hf, uhf;
    ButteraugliPlaneOf ultra_y_lines, x_lines, y_lines; ///< in AC: Malta of uhf_Y; all Malta of X, of Y
    std::array<ButteraugliPlaneOf, 2> v;
    ButteraugliPlaneOf m, ac, dc, e;
};

struct ButteraugliResult {
    ButteraugliSteps full, half; ///< half is empty for small pictures
    ButteraugliPlaneOf map;
    std::array<double, 3> scores; ///< 3norm, max, 2norm
};

/// spec butteraugli 3 in double precision, directly from the definition: without forms that suit
/// single precision, and without shortcuts.
ButteraugliResult butteraugli_by_definition(const ButteraugliRgb &ref, const ButteraugliRgb &dis,
                                            const ButteraugliParameters &parameters);
ButteraugliResult butteraugli_by_definition(const FramePlanes &planes, const PictureFormat &format,
                                            const ButteraugliParameters &parameters);

/// Norms of two pictures of one colour each, which are all equal (spec butteraugli 4).
double butteraugli_of_colours(const std::array<double, 3> &ref, const std::array<double, 3> &dis, bool two_scales,
                              double intensity);

} // namespace vmaf::test
