#include "alignment/lag.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/format.h"
#include "comparison/pairing.h"

namespace vmaf::tool {
namespace {

/// Costs of all frames in which something is to be seen.
struct Evidence {
    std::vector<float> costs; ///< frame after frame
    std::size_t frames = 0, lags = 0;

    std::span<const float> row(std::size_t frame) const { return std::span(costs).subspan(frame * lags, lags); }
};

Evidence evidence_of(LagCosts &costs)
{
    Evidence all;
    all.lags = costs.lags();
    costs.begin_again();
    std::vector<float> row(all.lags);
    for (std::size_t j = 0; j < costs.frames(); ++j) {
        const LagCosts::Fit fit = costs.costs_of(j, row);
        if (fit.is_flat || fit.shows_none)
            continue;
        all.costs.insert(all.costs.end(), row.begin(), row.end());
        ++all.frames;
    }
    return all;
}

/// Mean cost of each lag. Lags that too few frames have keep the most.
std::vector<double> mean_costs(const Evidence &evidence)
{
    constexpr std::size_t kLeastFrames = 8;
    const std::size_t enough = std::max(kLeastFrames, evidence.frames / 5);
    std::vector<double> means(evidence.lags, LagCosts::kMost);
    for (std::size_t k = 0; k < evidence.lags; ++k) {
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t j = 0; j < evidence.frames; ++j)
            if (const float cost = evidence.row(j)[k]; cost != LagCosts::kOutside) {
                sum += cost;
                ++count;
            }
        if (count >= enough)
            means[k] = sum / static_cast<double>(count);
    }
    return means;
}

/// Whether lag b fits worse than lag a by more than chance, over the frames that have both: what
/// speaks for b is little beside what speaks for a. Neighbouring frames err alike, so blocks of
/// frames count.
bool is_clearly_worse(const Evidence &evidence, std::size_t a, std::size_t b)
{
    constexpr std::size_t kBlocks = 24;
    constexpr double kTimes = 2, kLeast = 0.02;
    std::vector<double> differences;
    for (std::size_t j = 0; j < evidence.frames; ++j) {
        const auto row = evidence.row(j);
        if (row[a] != LagCosts::kOutside && row[b] != LagCosts::kOutside)
            differences.push_back(row[b] - row[a]);
    }
    const std::size_t blocks = std::min(kBlocks, differences.size());
    double worse = 0, better = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t first = block * differences.size() / blocks, end = (block + 1) * differences.size() / blocks;
        double mean = 0;
        for (std::size_t j = first; j < end; ++j)
            mean += differences[j] / static_cast<double>(end - first);
        (mean > 0 ? worse : better) += std::abs(mean);
    }
    return worse > kTimes * better + kLeast * static_cast<double>(blocks);
}

} // namespace

LagEstimate estimate_lag(const SmallLuma &ref, const SmallLuma &dis, unsigned most_frames)
{
    LagCosts costs(ref, dis, most_frames);
    return estimate_lag(ref, dis, costs);
}

LagEstimate estimate_lag(const SmallLuma &ref, const SmallLuma &dis, LagCosts &costs)
{
    LagEstimate found;
    const Evidence evidence = evidence_of(costs);
    const std::vector<double> means = mean_costs(evidence);
    const auto best = static_cast<std::size_t>(std::ranges::min_element(means) - means.begin());
    found.zero_db = psnr_db(ref, dis, 0);
    if (means[best] >= LagCosts::kMost)
        return found;
    const int lag = costs.lag(best);
    found.best_db = psnr_db(ref, dis, lag);
    found.outcome = lag == 0 ? LagEstimate::Outcome::in_step : LagEstimate::Outcome::lag;
    for (std::size_t k = 0; k < means.size(); ++k)
        if (k != best && means[k] < LagCosts::kMost && !is_clearly_worse(evidence, best, k))
            found.outcome = LagEstimate::Outcome::ambiguous;
    if (found.outcome == LagEstimate::Outcome::lag)
        found.lag = lag;
    return found;
}

std::string lag_found_text(const LagEstimate &estimate, const PairNames &names)
{
    using enum LagEstimate::Outcome;
    switch (estimate.outcome) {
    case in_step:
        return {};
    case lag:
        return formatted("{} is {} ({:.1f} dB at lag {}, {:.1f} at 0)", names.dis, lag_text(estimate.lag),
                         estimate.best_db, estimate.lag, estimate.zero_db);
    case ambiguous:
        return formatted("several lags between {} and {} fit equally well, since the pictures stand still or repeat "
                         "themselves",
                         names.ref, names.dis);
    case no_match:
        break;
    }
    return formatted("{} shows no picture of {} at any lag that was tried", names.dis, names.ref);
}

} // namespace vmaf::tool
