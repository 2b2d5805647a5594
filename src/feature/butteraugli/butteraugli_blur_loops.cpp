#include "feature/butteraugli/butteraugli_blur_loops.h"

#include "base/vectors.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using V = Vectors;

/// Registers that are summed side by side: each sum is a chain of additions.
constexpr std::size_t kChains = 4;

struct Column {
    const float *const *rows;
    const float *at(std::ptrdiff_t k) const { return rows[k]; }
};
struct Row {
    const float *values; ///< the first that is weighed
    const float *at(std::ptrdiff_t k) const { return values + k; }
};

/// `Chains` registers from column `x` on. The same operations in the same order as in blurred().
template <std::size_t Chains, class Source, class Scaled>
inline void blur_registers(const Source &source, std::ptrdiff_t x, const float *taps, std::ptrdiff_t reach,
                           Scaled scaled)
{
    constexpr auto kLanes = static_cast<std::ptrdiff_t>(V::kLanes32);
    V::Float sums[Chains];
    const float *centre = source.at(reach) + x;
    const V::Float first = V::set_float(taps[0]);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Chains; ++i)
        sums[i] = first * V::load_float(centre + static_cast<std::ptrdiff_t>(i) * kLanes);
    for (std::ptrdiff_t k = 1; k <= reach; ++k) {
        const float *before = source.at(reach - k) + x, *behind = source.at(reach + k) + x;
        const V::Float tap = V::set_float(taps[k]);
#pragma GCC unroll 4
        for (std::size_t i = 0; i < Chains; ++i) {
            const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(i) * kLanes;
            sums[i] = sums[i] + tap * (V::load_float(before + offset) + V::load_float(behind + offset));
        }
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Chains; ++i)
        scaled(x + static_cast<std::ptrdiff_t>(i) * kLanes, sums[i]);
}

template <class Source>
inline float blurred(const Source &source, std::ptrdiff_t x, const float *taps, std::ptrdiff_t reach)
{
    float sum = taps[0] * source.at(reach)[x];
    for (std::ptrdiff_t k = 1; k <= reach; ++k)
        sum = sum + taps[k] * (source.at(reach - k)[x] + source.at(reach + k)[x]);
    return sum;
}

/// `scaled(x, sums)` stores a register, `scaled_value(x, sum)` one value.
template <class Source, class Scaled, class ScaledValue>
inline void blur(const Source &source, std::size_t first, std::size_t count, const float *taps, unsigned reach,
                 Scaled scaled, ScaledValue scaled_value)
{
    constexpr std::size_t kLanes = V::kLanes32, kBlock = kChains * kLanes;
    const std::size_t end = first + count;
    std::size_t x = first;
    for (; x + kBlock <= end; x += kBlock)
        blur_registers<kChains>(source, static_cast<std::ptrdiff_t>(x), taps, reach, scaled);
    if (x == end)
        return;
    // The last register may overlap the one before.
    const std::size_t rest = count < kLanes || end - x >= kLanes ? x : end - kLanes;
    if (for_registers(rest, end, kLanes,
                      [&](std::ptrdiff_t at) { blur_registers<1>(source, at, taps, reach, scaled); }))
        return;
    for (; x < end; ++x)
        scaled_value(static_cast<std::ptrdiff_t>(x), blurred(source, static_cast<std::ptrdiff_t>(x), taps, reach));
}

void blur_columns(const float *const *rows, unsigned first, unsigned count, const float *taps, unsigned reach,
                  float scale, float *out)
{
    float *const to = out - first;
    blur(
        Column{rows}, first, count, taps, reach,
        [&](std::ptrdiff_t x, V::Float sum) { V::store_float(to + x, sum * V::set_float(scale)); },
        [&](std::ptrdiff_t x, float sum) { to[x] = sum * scale; });
}

void blur_row(const float *values, unsigned count, const float *taps, unsigned reach, const float *scales, float *out)
{
    blur(
        Row{values - reach}, 0, count, taps, reach,
        [&](std::ptrdiff_t x, V::Float sum) { V::store_float(out + x, sum * V::load_float(scales + x)); },
        [&](std::ptrdiff_t x, float sum) { out[x] = sum * scales[x]; });
}

} // namespace

extern const ButteraugliBlurLoops kButteraugliBlurLoops = {blur_columns, blur_row};

} // namespace vmaf::VMAF_CPU_TARGET
