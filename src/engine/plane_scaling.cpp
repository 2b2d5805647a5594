#include "engine/plane_scaling.h"

#include <algorithm>
#include <numeric>

#include "engine/scaled_samples.h"

namespace vmaf {
namespace {

__extension__ using Wide = __int128; // sides of 2^20: weights of 2^69, their sums of 2^81, times 2^14

constexpr std::int64_t kWhole = 1 << kScaleWeightBits;

std::int64_t floor_quotient(std::int64_t num, std::int64_t den)
{
    return num / den - (num % den < 0 ? 1 : 0);
}

/// Positions of a row's samples in the other grid: centres are aligned. A filter is wider by the
/// ratio when it shrinks.
struct Grid {
    std::int64_t from, to;
    std::int64_t wide = std::max(from, to);

    /// Distance of sample i from output x's place. 2 `wide` units are the distance of two samples
    /// of the smaller grid.
    std::int64_t distance(std::int64_t i, std::int64_t x) const { return 2 * to * i + to - (2 * x + 1) * from; }
    /// Largest number of samples that are less than two distances away.
    std::int64_t taps() const { return (4 * wide + to - 1) / to; }
    /// The first of these samples.
    std::int64_t first(std::int64_t x) const { return floor_quotient((2 * x + 1) * from - to - 4 * wide, 2 * to) + 1; }
};

/// Bicubic, B = 0 and C = 3/5, at distance / (2 wide): times 5 (2 wide)^3, exactly.
Wide bicubic(std::int64_t distance, std::int64_t wide)
{
    const Wide t = distance < 0 ? -distance : distance, one = 2 * wide;
    if (t < one)
        return (7 * t - 12 * one) * t * t + 5 * one * one * one;
    return t < 2 * one ? ((15 * one - 3 * t) * t - 24 * one * one) * t + 12 * one * one * one : 0;
}

/// The weights' shares of a whole, which they sum up to: rounded down, and what is missing goes by
/// ones to those that lost most, of equal ones to the first.
std::vector<std::int64_t> rounded(const std::vector<Wide> &weights)
{
    std::vector<std::int64_t> shares(weights.size());
    const Wide sum = std::accumulate(weights.begin(), weights.end(), Wide{0});
    std::vector<Wide> lost(weights.size());
    std::vector<std::size_t> order(weights.size());
    for (std::size_t k = 0; k < weights.size(); ++k) {
        lost[k] = weights[k] * kWhole % sum;
        lost[k] += lost[k] < 0 ? sum : 0;
        shares[k] = static_cast<std::int64_t>((weights[k] * kWhole - lost[k]) / sum);
        order[k] = k;
    }
    const auto missing =
        static_cast<std::size_t>(kWhole - std::accumulate(shares.begin(), shares.end(), std::int64_t{0}));
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(missing), order.end(),
                     [&](std::size_t a, std::size_t b) { return lost[a] != lost[b] ? lost[a] > lost[b] : a < b; });
    for (std::size_t i = 0; i < missing; ++i)
        ++shares[order[i]];
    return shares;
}

/// Weights of output x, for all samples that it looks at, inside the row or not.
std::vector<std::int64_t> weights_at(const Grid &grid, std::int64_t x)
{
    std::vector<Wide> weights(static_cast<std::size_t>(grid.taps()));
    for (std::size_t k = 0; k < weights.size(); ++k)
        weights[k] = bicubic(grid.distance(grid.first(x) + static_cast<std::int64_t>(k), x), grid.wide);
    return rounded(weights);
}

} // namespace

bool can_scale(unsigned from_px, unsigned to_px)
{
    return from_px > 0 && to_px > 0 && std::max(from_px, to_px) <= kLargestScaledSidePx &&
           from_px <= std::uint64_t{to_px} * kLargestScaleRatio;
}

ScaleFilter make_scale_filter(unsigned from_px, unsigned to_px)
{
    const Grid grid{from_px, to_px};
    const std::int64_t all = grid.taps(), taps = std::min<std::int64_t>(all, from_px);
    ScaleFilter filter{from_px, to_px, static_cast<unsigned>(taps), {}, {}};
    filter.first.resize(to_px);
    filter.weights.resize(std::size_t{to_px} * filter.taps);
    std::vector<std::vector<std::int64_t>> phases; // further to the right they come again
    for (unsigned x = 0; x < to_px / std::gcd(from_px, to_px); ++x)
        phases.push_back(weights_at(grid, x));
    for (unsigned x = 0; x < to_px; ++x) {
        const std::vector<std::int64_t> &weights = phases[x % phases.size()];
        const std::int64_t begin = grid.first(x), first = std::clamp<std::int64_t>(begin, 0, from_px - taps);
        filter.first[x] = static_cast<std::int32_t>(first);
        for (std::int64_t k = 0; k < all; ++k) { // edges repeat: their samples have the weights of those beyond
            const std::int64_t sample = std::clamp<std::int64_t>(begin + k, 0, from_px - 1);
            std::int16_t &weight = filter.weights[static_cast<std::size_t>(x * taps + sample - first)];
            weight = static_cast<std::int16_t>(weight + weights[static_cast<std::size_t>(k)]);
        }
    }
    return filter;
}

std::shared_ptr<const PlaneScaling> PlaneScalings::between(const PlaneSize &from, const PlaneSize &to)
{
    return made_.with([&](auto &made) -> std::shared_ptr<const PlaneScaling> {
        for (const std::shared_ptr<const PlaneScaling> &scaling : made)
            if (scaling->is_between(from, to))
                return scaling;
        return made.emplace_back(std::make_shared<const PlaneScaling>(PlaneScaling{
            make_scale_filter(from.width_px, to.width_px), make_scale_filter(from.height_px, to.height_px)}));
    });
}

} // namespace vmaf
