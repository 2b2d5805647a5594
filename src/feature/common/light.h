#pragma once

#include <vector>

#include "feature/common/colour.h"
#include "feature/common/rgb_params.h"

namespace vmaf {

/// Meaning of R', G', B', and the light that a metric needs.
struct LightSignal {
    Transfer transfer = Transfer::srgb;
    Primaries primaries = Primaries::bt709; ///< of R', G', B'
    Primaries wanted = Primaries::bt709;    ///< of the light
    /// Factor for the light. It is in cd/m2 for PQ, and relative to white, or for HLG to the
    /// display's peak, for the others.
    double scale = 1;
    double hlg_gamma = 1.2;
    /// Bounds of what comes out. PQ and linear light is bounded before it is converted to other
    /// primaries.
    float least = 0;
    float most = kNoLightBound;
    /// sRGB's curve has a table too. What is exact in all operations needs it: devices compute the
    /// curve in their own way.
    bool is_tabulated = false;
};

/// spec hdr 1, tabulated for both backends.
class Light {
  public:
    /// Throws std::bad_alloc.
    explicit Light(const LightSignal &signal);

    /// sRGB's curve and nothing else.
    bool is_plain() const { return table_.empty() && !params_.converts; }
    /// kLightSteps + 1 values of light by component; empty: sRGB's curve, which is computed.
    const std::vector<float> &table() const { return table_; }
    /// For backends. Its table is null, or where the backend has put it.
    LightParams params(const float *table) const;

  private:
    std::vector<float> table_;
    LightParams params_;
};

} // namespace vmaf
