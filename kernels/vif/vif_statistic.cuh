#pragma once

#include "common/common.cuh"
#include "common/special_functions.cuh"
#include "feature/vif/vif_cuda_params.h"

// The statistic of a pixel (spec vif 3.5) from its moments, exact.

namespace vmaf {

/// S1, S2, S12 of pixels that a thread works on together (spec vif 3.3); S2 before the clamp at 0.
template <int Pixels> struct VifGroup {
    int s1[Pixels], s2[Pixels], s12[Pixels];
};

/// A thread's part of VifScaleSums. 32 bits hold the logarithms of 65536 pixels.
struct VifThreadSums {
    unsigned log_num;
    unsigned log_den;
    unsigned low_count;
    unsigned long long low_var2;
};

/// How far the logarithm of spec vif 3.4 lies above the straight line between powers of two, by the
/// bits of a number as binary32, of whose mantissa 15 bits count. By blocks of 8, in 8 KiB.
struct VifBlockLog {
    const std::uint16_t *blocks; ///< kVifLogBlocks
    __device__ __forceinline__ unsigned curve(unsigned bits) const
    {
        return (blocks[(bits >> 11) & (kVifLogBlocks - 1)] + ((bits >> 8) & 7)) >> 3;
    }
};
/// The logarithm with half the instructions, in 32 KiB.
struct VifByteLog {
    const std::uint8_t *bytes; ///< kVifLogBytes
    __device__ __forceinline__ unsigned curve(unsigned bits) const { return bytes[(bits >> 8) & (kVifLogBytes - 1)]; }
};

/// spec vif 3.4: L(a) - L(kVifNoise) for a >= kVifNoise.
template <class Log> __device__ __forceinline__ unsigned thread_log_rise(unsigned a, Log log)
{
    constexpr unsigned kNoiseExponent = 127 + 17;
    const unsigned bits = __float_as_uint(__uint2float_rz(a));
    return log.curve(bits) + (bits >> 12) - (kNoiseExponent << 11);
}

/// spec vif 3.5: the term of logNum as written there, for S1 >= kVifNoise and positive S2 and S12.
template <class Log>
__device__ __forceinline__ unsigned thread_literal_log_num(int s1, int s2, int s12, double gain_limit, Log log)
{
    const double variance = s1, covariance = s12;
    const double gain = __ddiv_rn(covariance, __dadd_rn(variance, kVifGainOffset));
    const int rest = __double2int_rz(__dsub_rn(s2, __dmul_rn(gain, covariance)));
    const unsigned noise = max(rest, 0) + kVifNoise;
    const double limited = fmin(gain, gain_limit);
    const unsigned signal = __double2uint_rz(__dmul_rn(__dmul_rn(limited, limited), variance));
    return thread_log_rise(noise + signal, log) - thread_log_rise(noise, log);
}

/// The limit of the gain, and what must lie below it to be sure that the literal gain does.
struct VifGainLimit {
    double limit;
    int bound_high; ///< upper half of the bound

    /// Just below the limit, the literal gain may reach it, but is equal to it within rounding
    /// errors.
    __device__ __forceinline__ explicit VifGainLimit(double gain_limit)
        : limit(gain_limit), bound_high(__double2hiint(__dmul_rn(fmin(gain_limit, 3.5), 1.0 - 0x1p-51)))
    {
    }
};

/// x = S12^2 / S1, split.
struct VifExplained {
    int minus_ceil;
    bool certain; ///< for a positive gain: whether the formula of spec vif 3.5 must give the same integers
};

/// The literal formula finds v from t = S2 - x + d and u from p = x - 2d, d = g^2 * offset / (1 +
/// offset / S1). Both are truncated; so unless x is next to an integer, or above one by less than
/// 2d, rounding errors in whatever order change nothing: v = S2 - ceil(x), u = floor(x). Below
/// 2^31, x is computed there and here within 3 units of 2^-20; a gain bound of 3.5 keeps 2d below
/// 169 of them.
__device__ __forceinline__ VifExplained thread_explained(int s1, int s12, const VifGainLimit &gain_limit)
{
    const double variance = s1, covariance = s12;
    double inverse = thread_reciprocal(variance);
    const double error = __fma_rn(-variance, inverse, 1.0);
    inverse = __fma_rn(inverse, __fma_rn(error, error, error), inverse);
    const double gain = __dmul_rn(covariance, inverse);
    // 2^33 - x lies in 2^32 .. 2^33: its lowest 20 mantissa bits are a fraction, the next 32 an
    // integer modulo 2^32.
    const double difference = __fma_rd(-gain, covariance, 8589934592.0);
    const unsigned low = __double2loint(difference);
    constexpr unsigned kBelowInteger = 5, kAboveInteger = 180;
    const unsigned fraction = low * (1U << 12) - (kBelowInteger << 12);
    return {static_cast<int>(__funnelshift_l(low, __double2hiint(difference), 12)),
            fraction < ((1U << 20) - kBelowInteger - kAboveInteger) << 12 &&
                __double2hiint(gain) < gain_limit.bound_high};
}

/// The pixels that thread_add_group is not certain of. Out of line, and the group in local memory:
/// its instructions would take room from those that every pixel needs.
template <int Pixels, class Log>
__device__ __noinline__ unsigned thread_uncertain_log_num(const VifGroup<Pixels> &group, VifGainLimit gain_limit,
                                                          Log log)
{
    unsigned log_num = 0;
#pragma unroll 1
    for (int i = 0; i < Pixels; ++i) {
        const int s1 = group.s1[i], s2 = group.s2[i], s12 = group.s12[i];
        if (s1 >= kVifNoise && s2 > 0 && s12 > 0 && !thread_explained(s1, s12, gain_limit).certain)
            log_num += thread_literal_log_num(s1, s2, s12, gain_limit.limit, log);
    }
    return log_num;
}

/// Adds the pixels of a group whose bit in `valid` is set.
template <int Pixels, class Log>
__device__ __forceinline__ void thread_add_group(VifGroup<Pixels> &group, unsigned valid,
                                                 const VifGainLimit &gain_limit, Log log, VifThreadSums &sums)
{
    constexpr unsigned kAll = (1U << Pixels) - 1;
    if (valid != kAll) {
        // Nothing but counted, and that not.
#pragma unroll
        for (int i = 0; i < Pixels; ++i)
            if ((valid >> i & 1) == 0)
                group.s1[i] = group.s2[i] = group.s12[i] = 0;
        sums.low_count -= __popc(valid ^ kAll);
    }
    int least_s1 = group.s1[0];
    bool uncertain = false;
#pragma unroll
    for (int i = 0; i < Pixels; ++i) {
        least_s1 = min(least_s1, group.s1[i]);
        const bool varies = group.s1[i] >= kVifNoise;
        const bool related = varies && group.s2[i] > 0 && group.s12[i] > 0;
        const VifExplained explained = thread_explained(group.s1[i], group.s12[i], gain_limit);
        const bool certain = related && explained.certain;
        uncertain = uncertain || (related && !explained.certain);
        const unsigned noise = max(group.s2[i] + explained.minus_ceil, 0) + kVifNoise;
        const unsigned signal = certain ? ~explained.minus_ceil : 0;
        sums.log_num += thread_log_rise(noise + signal, log) - thread_log_rise(noise, log);
        sums.log_den += thread_log_rise(varies ? group.s1[i] + kVifNoise : kVifNoise, log);
    }
    if (least_s1 < kVifNoise) {
#pragma unroll
        for (int i = 0; i < Pixels; ++i)
            if (group.s1[i] < kVifNoise) {
                ++sums.low_count;
                sums.low_var2 += max(group.s2[i], 0);
            }
    }
    if (uncertain) {
        const VifGroup<Pixels> copy = group;
        sums.log_num += thread_uncertain_log_num(copy, gain_limit, log);
    }
}

} // namespace vmaf
