#pragma once

#include <vector>

#include "feature/common/light_curve.h"

namespace vmaf {

/// A function of light in cd/m2 as polynomials. Those of PU21 and PQ are within 1e-13 and 2e-13 of
/// the largest value.
class LightCurveTable {
  public:
    /// Throws std::bad_alloc.
    /// @param function smooth, and made of operations that have the same bits everywhere. It is
    /// also called for light beyond both bounds, within their segments.
    /// @param least at least 2^-1022.
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
