#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/guarded.h"

namespace vmaf {

/// Limits of a plane that is scaled. They keep the filters' exact arithmetic in its type, and
/// kMostScaleWeight true.
constexpr unsigned kLargestScaledSidePx = 1U << 20;
constexpr unsigned kLargestScaleRatio = 1024; ///< when shrinking

/// How a row or column of samples becomes another size (spec device_pictures 3): sample x is the
/// sum over k < `taps` of sample first[x] + k times weights[x * taps + k]. No index is outside.
struct ScaleFilter {
    unsigned from_px = 0;
    unsigned to_px = 0;
    unsigned taps = 0;
    std::vector<std::int32_t> first; ///< never falls
    std::vector<std::int16_t> weights;
};

/// Whether there is a filter.
bool can_scale(unsigned from_px, unsigned to_px);
/// Throws std::bad_alloc.
ScaleFilter make_scale_filter(unsigned from_px, unsigned to_px);

struct PlaneSize {
    unsigned width_px, height_px;

    bool operator==(const PlaneSize &) const = default;
};

/// How a plane becomes another size: first its rows, then the columns of what they have become.
struct PlaneScaling {
    ScaleFilter across, down;

    PlaneSize from() const { return {across.from_px, down.from_px}; }
    PlaneSize to() const { return {across.to_px, down.to_px}; }
    bool is_between(const PlaneSize &from_size, const PlaneSize &to_size) const
    {
        return from() == from_size && to() == to_size;
    }
};

/// The plane scalings of a session. Each is made once and kept, because clips have few sizes.
/// Thread-safe.
class PlaneScalings {
  public:
    /// The scaling between two sizes. can_scale() must hold for both directions. Throws
    /// std::bad_alloc.
    std::shared_ptr<const PlaneScaling> between(const PlaneSize &from, const PlaneSize &to);

  private:
    Guarded<std::vector<std::shared_ptr<const PlaneScaling>>> made_;
};

} // namespace vmaf
