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

/// What one resolution goes through; index 0 of a pair is the reference.
struct ButteraugliSteps {
    std::array<ButteraugliRgb, 2> xyb, lf, mf; ///< planes X, Y, B
    std::array<std::array<ButteraugliPlaneOf, 2>, 2> hf, uhf;
    ButteraugliPlaneOf ultra_y_lines, x_lines, y_lines; ///< of AC: Malta of uhf_Y; all Malta in AC_X, in AC_Y
    std::array<ButteraugliPlaneOf, 2> v;
    ButteraugliPlaneOf m, ac, dc, e;
};

struct ButteraugliResult {
    ButteraugliSteps full, half; ///< half is empty for small pictures
    ButteraugliPlaneOf map;
    std::array<double, 3> scores; ///< 3norm, max, 2norm
};

/// spec butteraugli 3 in double precision, from the definition: no form of it that suits single
/// precision, no shortcut.
ButteraugliResult butteraugli_by_definition(const ButteraugliRgb &ref, const ButteraugliRgb &dis,
                                            const ButteraugliParameters &parameters);
ButteraugliResult butteraugli_by_definition(const FramePlanes &planes, const PictureFormat &format,
                                            const ButteraugliParameters &parameters);

/// spec butteraugli 4: the norms of two pictures of one colour each, which are all equal.
double butteraugli_of_colours(const std::array<double, 3> &ref, const std::array<double, 3> &dis, bool two_scales,
                              double intensity);

} // namespace vmaf::test
