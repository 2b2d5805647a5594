#pragma once

#include "feature/common/prescale_cuda.h"

namespace vmaf {

/// Pixel (x, y) of a resampled picture (spec float_features 3.1); `sample(x, y)` is one of the
/// source.
template <class Sample>
__device__ __forceinline__ float thread_prescaled(const PrescaleTables &tables, int x, int y, Sample &&sample)
{
    float sum = 0, weight_sum = 0;
    for (int j = 0; j < tables.taps; ++j) {
        const long long row = static_cast<long long>(j) * tables.rows.length + y;
        const float row_weight = __ldg(tables.rows.weight + row);
        const int source_y = __ldg(tables.rows.index + row);
        for (int i = 0; i < tables.taps; ++i) {
            const long long column = static_cast<long long>(i) * tables.columns.length + x;
            const float weight = __ldg(tables.columns.weight + column) * row_weight;
            sum += sample(__ldg(tables.columns.index + column), source_y) * weight;
            weight_sum += weight;
        }
    }
    return tables.normalised ? sum / weight_sum : sum;
}

} // namespace vmaf
