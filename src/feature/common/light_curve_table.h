#pragma once

#include <vector>

#include "feature/common/light_curve.h"

namespace vmaf {

/// A function of light, from 2^-1022 cd/m2 on, as polynomials. Those of the functions here are within
/// 1e-13 of the largest value.
class LightCurveTable {
  public:
    /// @param function smooth, and made of operations that have the same bits everywhere. It is also
    /// called for light beyond both bounds, within their segments. Throws std::bad_alloc.
    LightCurveTable(double (*function)(double), double least, double most);

    const std::vector<CurveSegment> &segments() const { return segments_; }
    LightCurve curve() const { return curve(segments_.data()); }
    /// @param segments where a backend has put them.
    LightCurve curve(const CurveSegment *segments) const;

  private:
    double least_, most_;
    std::vector<CurveSegment> segments_;
};

} // namespace vmaf
