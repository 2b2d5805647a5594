#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "feature/metric_map.h"

namespace vmaf {

/// Adds a scale of a metric to its map. Each scale halves both sides of the one before, so the
/// pixel at (x >> scale, y >> scale) stands for the map's place (x, y), and the last one for what
/// lies beyond it.
/// @param pixels  Of the scale, row by row.
/// @param share   float(float): what a place gets of a pixel.
template <class Share>
void add_scale(MetricMap &map, unsigned scale, std::span<const float> pixels, unsigned width_px, unsigned height_px,
               Share share)
{
    float *value = map.values.data();
    for (unsigned y = 0; y < map.height_px; ++y) {
        const float *const row = &pixels[std::size_t{std::min(y >> scale, height_px - 1)} * width_px];
        for (unsigned x = 0; x < map.width_px; ++x)
            *value++ += share(row[std::min(x >> scale, width_px - 1)]);
    }
}

} // namespace vmaf
