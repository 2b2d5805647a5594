#pragma once

#include "common/common.cuh"
#include "feature/vif/vif_cuda_params.h"

// The statistic of a pixel (spec vif 3.5) from its moments, exact.

namespace vmaf {

constexpr int kVifGroupPx = 4; ///< pixels that a thread works on together

/// S1, S2, S12 of neighbouring pixels (spec vif 3.3); S2 before the clamp at 0.
struct VifGroup {
    int s1[kVifGroupPx], s2[kVifGroupPx], s12[kVifGroupPx];
};

/// A thread's part of VifScaleSums. 32 bits hold the logarithms of 65536 pixels.
struct VifThreadSums {
    unsigned log_num;
    unsigned log_den;
    unsigned low_count;
    unsigned long long low_var2;
};

/// spec vif 3.4: L(a) - L(kVifNoise) for a >= kVifNoise.
__device__ __forceinline__ unsigned thread_log_rise(unsigned a, const std::uint16_t *log_table)
{
    constexpr unsigned kNoiseExponent = 127 + 17;
    const unsigned bits = __float_as_uint(__uint2float_rz(a)); // exponent and mantissa; of these 15 bits count
    const unsigned curve = (log_table[(bits >> 11) & (kVifLogBlocks - 1)] + ((bits >> 8) & 7)) >> 3;
    return curve + (bits >> 12) - (kNoiseExponent << 11);
}

constexpr double kVifGainOffset = 65536 * 1.0e-10;

/// spec vif 3.5: the term of logNum as written there, for S1 >= kVifNoise and positive S2 and S12.
__device__ __forceinline__ unsigned thread_literal_log_num(int s1, int s2, int s12, double gain_limit,
                                                           const std::uint16_t *log_table)
{
    const double variance = s1, covariance = s12;
    const double gain = __ddiv_rn(covariance, __dadd_rn(variance, kVifGainOffset));
    const int rest = __double2int_rz(__dsub_rn(s2, __dmul_rn(gain, covariance)));
    const unsigned noise = max(rest, 0) + kVifNoise;
    const double limited = fmin(gain, gain_limit);
    const unsigned signal = __double2uint_rz(__dmul_rn(__dmul_rn(limited, limited), variance));
    return thread_log_rise(noise + signal, log_table) - thread_log_rise(noise, log_table);
}

/// S12^2 / (S1 + offset), split.
struct VifExplained {
    int minus_ceil;
    bool certain; ///< whether the formula of spec vif 3.5 must give the same integers
};

/// The literal formula finds v from t = S2 - x and u from p = x - g^2 * offset / (1 + offset / S1), x = g * S12. Both are
/// truncated; so unless x is next to an integer, or above one by less than g^2 * offset, rounding errors in whatever order
/// change nothing: v = S2 - ceil(x), u = floor(x). Below 2^31, x is computed there and here within 3 units of 2^-20; a
/// gain bound of 3.5 keeps g^2 * offset below 85 of them.
__device__ __forceinline__ VifExplained thread_explained(int s1, int s12, double gain_bound)
{
    const double variance = __dadd_rn(s1, kVifGainOffset), covariance = s12;
    double inverse;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(variance));
    const double error = __fma_rn(-variance, inverse, 1.0);
    inverse = __fma_rn(inverse, __fma_rn(error, error, error), inverse);
    const double gain = __dmul_rn(covariance, inverse);
    // 2^33 - x lies in 2^32 .. 2^33: its lowest 20 mantissa bits are a fraction, the next 32 an integer modulo 2^32.
    const double difference = __fma_rd(-gain, covariance, 8589934592.0);
    const unsigned low = __double2loint(difference);
    const unsigned fraction = low & 0xfffff;
    constexpr unsigned kBelowInteger = 5, kAboveInteger = 112;
    return {static_cast<int>(__funnelshift_l(low, __double2hiint(difference), 12)),
            fraction - kBelowInteger < (1U << 20) - kBelowInteger - kAboveInteger && gain < gain_bound};
}

/// What thread_add_group leaves out, by the bits of `pixels`. Out of line, and the group in local memory: its instructions would
/// take room from those that every pixel needs.
__device__ __noinline__ void thread_add_rare(const VifGroup &group, unsigned pixels, double gain_limit,
                                             const std::uint16_t *log_table, VifThreadSums &sums)
{
#pragma unroll 1
    for (int i = 0; i < kVifGroupPx; ++i) {
        if ((pixels >> i & 1) == 0)
            continue;
        if (group.s1[i] < kVifNoise) {
            ++sums.low_count;
            sums.low_var2 += max(group.s2[i], 0);
        } else {
            sums.log_num += thread_literal_log_num(group.s1[i], group.s2[i], group.s12[i], gain_limit, log_table);
        }
    }
}

/// Adds the pixels of a group whose bit in `valid` is set.
__device__ __forceinline__ void thread_add_group(const VifGroup &group, unsigned valid, double gain_limit,
                                                 const std::uint16_t *log_table, VifThreadSums &sums)
{
    // The gain does not reach the limit; just below it, the literal gain may, but is equal to it within rounding errors.
    const double gain_bound = __dmul_rn(fmin(gain_limit, 3.5), 1.0 - 0x1p-51);
    unsigned rare = 0;
#pragma unroll
    for (int i = 0; i < kVifGroupPx; ++i) {
        const bool varies = group.s1[i] >= kVifNoise && (valid >> i & 1) != 0;
        const bool related = varies && group.s2[i] > 0 && group.s12[i] > 0;
        const VifExplained explained = thread_explained(group.s1[i], group.s12[i], gain_bound);
        const unsigned noise = max(group.s2[i] + explained.minus_ceil, 0) + kVifNoise;
        const unsigned signal = -explained.minus_ceil - 1;
        const unsigned log_num = thread_log_rise(noise + signal, log_table) - thread_log_rise(noise, log_table);
        sums.log_num += related && explained.certain ? log_num : 0;
        sums.log_den += thread_log_rise(varies ? group.s1[i] + kVifNoise : kVifNoise, log_table);
        rare |= static_cast<unsigned>(!varies || (related && !explained.certain)) << i;
    }
    rare &= valid;
    if (rare == 0)
        return;
    const VifGroup copy = group;
    VifThreadSums rare_sums{};
    thread_add_rare(copy, rare, gain_limit, log_table, rare_sums);
    sums.log_num += rare_sums.log_num;
    sums.low_count += rare_sums.low_count;
    sums.low_var2 += rare_sums.low_var2;
}

} // namespace vmaf
