#include "feature/cambi/cambi_pooling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace vmaf {
namespace {

// c is 0 or in [0.5, 2^14).
constexpr std::size_t kUpperHalves = (std::bit_cast<std::uint32_t>(16384.0F) >> 16) + 1;
constexpr std::size_t kLowerHalves = 65536;

constexpr std::size_t kMaxExactValues = std::size_t{1} << 26; // each below 2^38 units
constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;

/// The bin of the `wanted`-th largest value, counted from 1; `wanted` becomes its rank in that bin.
std::size_t bin_of(std::span<const std::uint32_t> counts, std::size_t &wanted)
{
    std::size_t bin = counts.size() - 1;
    for (; counts[bin] < wanted; --bin)
        wanted -= counts[bin];
    return bin;
}

/// Moves the `top_count` largest values to the front, in the order that the chapter's sum has.
void partition(std::span<float> a, std::size_t top_count)
{
    const auto k = static_cast<std::ptrdiff_t>(top_count);
    std::ptrdiff_t left = 0, right = static_cast<std::ptrdiff_t>(a.size()) - 1;
    while (left < right) {
        const float pivot = a[k];
        std::ptrdiff_t i = left, j = right;
        do {
            while (a[i] > pivot)
                ++i;
            while (a[j] < pivot)
                --j;
            if (i <= j)
                std::swap(a[i++], a[j--]);
        } while (i <= j);
        if (j < k)
            left = i;
        if (k < i)
            right = j;
    }
}

double ordered_sum(std::span<float> c, std::size_t top_count)
{
    if (top_count < c.size())
        partition(c, top_count);
    double sum = 0;
    for (const float value : c.first(top_count))
        sum += static_cast<double>(value);
    return sum;
}

} // namespace

CambiPooling::CambiPooling(const CambiLoops &loops)
    : loops_(loops), by_upper_half_(kUpperHalves), by_lower_half_(kLowerHalves)
{
}

float CambiPooling::find_bound(std::span<const float> c, std::size_t top_count)
{
    std::fill_n(by_upper_half_.data(), kUpperHalves, 0U);
    loops_.count_upper_halves(c.data(), c.size(), by_upper_half_.data());
    const std::size_t upper = bin_of({by_upper_half_.data(), kUpperHalves}, top_count);
    std::fill_n(by_lower_half_.data(), kLowerHalves, 0U);
    loops_.count_lower_halves(c.data(), c.size(), static_cast<std::uint32_t>(upper), by_lower_half_.data());
    const std::size_t lower = bin_of({by_lower_half_.data(), kLowerHalves}, top_count);
    return std::bit_cast<float>(static_cast<std::uint32_t>(upper << 16 | lower));
}

// spec cambi 3.6: while no partial sum can need more than 53 bits, every order gives the same
// double.
double CambiPooling::top_sum(std::span<float> c, std::size_t top_count)
{
    if (c.size() > kMaxExactValues)
        return ordered_sum(c, top_count);
    CambiExactSum sum = loops_.exact_sum(c.data(), c.size(), 0);
    float bound = 0;
    std::uint64_t bound_units = 0;
    if (sum.count > top_count) {
        bound = find_bound(c, top_count);
        bound_units = static_cast<std::uint64_t>(std::ldexp(bound, 24));
        sum = loops_.exact_sum(c.data(), c.size(), bound);
        sum.units += (top_count - sum.count) * bound_units;
    }
    if (sum.units > kMaxExact) {
        const std::uint64_t bits = loops_.summand_bits(c.data(), c.size(), bound) | bound_units;
        if (sum.units >> std::countr_zero(bits) > kMaxExact)
            return ordered_sum(c, top_count);
    }
    return std::ldexp(static_cast<double>(sum.units), -24);
}

} // namespace vmaf
