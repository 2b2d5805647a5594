#include "engine/pooling.h"

#include <algorithm>

namespace vmaf {

Result<PooledScores> pool_scores(const ScoreColumn &column, unsigned low, unsigned high, unsigned subsample)
{
    const std::uint64_t step = std::max(subsample, 1U);
    double count = 0, sum = 0, inverse_sum = 0;
    // Seeded only by frame `low` itself, so a `low` that is skipped leaves 0 in both (spec abi
    // 4.6).
    double smallest = 0, largest = 0;
    for (std::uint64_t index = (low + step - 1) / step * step; index <= high; index += step) {
        const std::optional<double> score = column.at(static_cast<unsigned>(index));
        if (!score)
            return Status::error(EINVAL);
        count += 1;
        sum += *score;
        inverse_sum += 1.0 / (*score + 1.0);
        if (index == low)
            smallest = largest = *score;
        if (*score < smallest)
            smallest = *score;
        if (*score > largest)
            largest = *score;
    }
    return PooledScores{smallest, largest, sum / count, count / inverse_sum - 1.0};
}

Result<double> pool_scores(const ScoreColumn &column, PoolingMethod method, unsigned low, unsigned high,
                           unsigned subsample)
{
    VMAF_TRY_ASSIGN(const PooledScores pooled, pool_scores(column, low, high, subsample));
    switch (method) {
    case PoolingMethod::min:
        return pooled.min;
    case PoolingMethod::max:
        return pooled.max;
    case PoolingMethod::mean:
        return pooled.mean;
    case PoolingMethod::harmonic_mean:
        return pooled.harmonic_mean;
    }
    return Status::error(EINVAL);
}

} // namespace vmaf
