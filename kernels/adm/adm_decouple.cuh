#pragma once

#include <type_traits>

#include "common/common.cuh"
#include "common/special_functions.cuh"
#include "feature/adm/adm_params.h"

// spec adm 3.3: the restored and the additive signal.

namespace vmaf {

using std::int32_t;
using std::int64_t;
using std::uint32_t;
using std::uint64_t;

/// Scale 0 is 16-bit data, the others are 32-bit data.
template <int Scale> constexpr bool kCoarse = Scale > 0;

/// The low 32 bits of value >> shift, shift < 32.
__device__ __forceinline__ uint32_t thread_shift_low(uint64_t value, uint32_t shift)
{
    return __funnelshift_r(static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32), shift);
}

/// abs(x), also of the most negative number.
__device__ __forceinline__ uint32_t magnitude(int32_t x)
{
    return x < 0 ? 0U - static_cast<uint32_t>(x) : static_cast<uint32_t>(x);
}

__device__ __forceinline__ float rounded_to_float(int32_t x)
{
    return __int2float_rn(x);
}

__device__ __forceinline__ float rounded_to_float(int64_t x)
{
    return __ll2float_rn(x);
}

/// The angle flags of a lane's columns. Doubles decide only where floats cannot.
template <int Scale, int Columns>
__device__ __forceinline__ void thread_flags(const int32_t (&ref)[kAdmBands][Columns],
                                             const int32_t (&dis)[kAdmBands][Columns], bool (&flag)[Columns])
{
    constexpr float kCosSquared = 0x1.ffd814p-1F; // of one degree
    constexpr float kMargin = 1e-5F;              // floats are off by less than 1e-6
    using Product = std::conditional_t<kCoarse<Scale>, int64_t, int32_t>;
    float fd[Columns], fo[Columns], ft[Columns];
    bool is_close = false;
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
        const Product o_h = ref[kAdmH][c], o_v = ref[kAdmV][c], t_h = dis[kAdmH][c], t_v = dis[kAdmV][c];
        fd[c] = rounded_to_float(o_h * t_h + o_v * t_v);
        fo[c] = rounded_to_float(o_h * o_h + o_v * o_v);
        ft[c] = rounded_to_float(t_h * t_h + t_v * t_v);
        const float square = fd[c] * fd[c], bound = kCosSquared * fo[c] * ft[c];
        const bool is_above = square >= bound * (1 + kMargin); // also where both are 0
        flag[c] = is_above && fd[c] >= 0;
        is_close |= !is_above && square >= bound * (1 - kMargin);
    }
    if (!is_close)
        return;
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
        const double d = fd[c], bound = static_cast<double>(kCosSquared) * fo[c] * ft[c];
        flag[c] = d >= 0 && d * d >= bound;
    }
}

/// 2^30 / d, rounded down, for d = 1..32768. Any value for 0.
__device__ __forceinline__ uint32_t thread_reciprocal(uint32_t d)
{
    const float inverse = thread_reciprocal(__uint2float_rn(d)); // off by at most 2^-23 of itself
    const uint32_t quotient = __float2uint_rz(inverse * 0x1p30F);
    // What is left, rest = 2^30 - quotient * d, has a magnitude below 2^16 and becomes a float
    // exactly: 2 * rest are the last bits of a float between 2^22 and 2^23. Half a unit more keeps
    // (rest + 0.5) / d away from the integers.
    const float rest = __uint_as_float(0x4ac00000U + 0x80000000U - quotient * (2 * d)) - (0x1.8p22F - 0.5F);
    const uint32_t correction = __float_as_uint(__fmaf_rd(rest, inverse, 0x1.8p23F)) - 0x4b400000U;
    return quotient + correction;
}

/// k, Q15, of abs(o) and of t with the sign of o taken out, if that is positive. Targets above
/// twice abs(o) give 32768 like twice abs(o). For o = 0 it is 0 instead of 32768: r is 0 either
/// way.
template <int Scale> __device__ __forceinline__ uint32_t thread_ratio(uint32_t size, uint32_t target)
{
    const uint32_t capped = min(target, 2 * size);
    if constexpr (kCoarse<Scale>) {
        const uint32_t q = max(17 - __clz(static_cast<int>(size)), 0), unit = 1U << q;
        const uint32_t reciprocal = thread_reciprocal((size + (unit >> 1)) >> q);
        const uint64_t product = uint64_t{reciprocal} * capped + (unit << 14);
        return min(thread_shift_low(product, 15 + q), 32768U);
    } else {
        return min((thread_reciprocal(size) * capped + 16384) >> 15, 32768U);
    }
}

/// The gain limit; Integer tells which of the two is it.
struct Gain {
    uint32_t integer;
    double limit;
};

/// min(size * limit, target) of spec adm 3.3, rounded toward zero.
template <int Scale, bool Integer>
__device__ __forceinline__ uint32_t thread_gain(uint32_t size, uint32_t target, const Gain &gain)
{
    if constexpr (!Integer) {
        const double raised = size * gain.limit, limit = target;
        return static_cast<uint32_t>(raised < limit ? raised : limit);
    } else if constexpr (kCoarse<Scale>) {
        const uint64_t raised = uint64_t{size} * gain.integer;
        return static_cast<uint32_t>(min(raised, uint64_t{target}));
    } else {
        return min(size * gain.integer, target);
    }
}

/// A value as size and sign, -1 or 0. What is rounded half up is then rounded half down if the sign
/// is -1.
struct Signed {
    uint32_t size;
    int32_t sign;
};

struct Decoupled {
    Signed restored; ///< has the sign of o
    Signed additive;
};

/// r and a.
template <int Scale, bool IntegerGain>
__device__ __forceinline__ Decoupled thread_decouple(int32_t o, int32_t t, bool flag, const Gain &gain)
{
    const int32_t sign = o >> 31, target = (t ^ sign) - sign;
    const uint32_t size = magnitude(o), positive_target = static_cast<uint32_t>(max(target, 0));
    const uint32_t k = thread_ratio<Scale>(size, positive_target), half = static_cast<uint32_t>(16384 + sign);
    uint32_t r;
    if constexpr (kCoarse<Scale>)
        r = thread_shift_low(uint64_t{k} * size + half, 15);
    else
        r = (k * size + half) >> 15;
    // Without a positive target r is 0 already, and the gain leaves it there.
    r = flag ? thread_gain<Scale, IntegerGain>(r, positive_target, gain) : r;
    const int32_t a = target - static_cast<int32_t>(r);
    return {{r, sign}, {magnitude(a), (a ^ sign) >> 31}};
}

} // namespace vmaf
