#include "feature/vif/vif_loops.h"

#include <cstddef>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;

unsigned rounded_up(unsigned count)
{
    return (count + kVifRoundPx - 1) / kVifRoundPx * kVifRoundPx;
}

/// The filter sum around `centre`, down a column (step = row length) or along a row (step = 1). Taps at the same distance have
/// the same coefficient. Modulo 2^32, which loses nothing for 16-bit values.
template <unsigned Scale, std::ptrdiff_t Step, class Value> inline u32 filter_sum(const Value *centre)
{
    u32 sum = kVifFilter[Scale][0] * centre[0];
#pragma GCC unroll 8
    for (std::ptrdiff_t d = 1; d <= static_cast<std::ptrdiff_t>(kVifHalf[Scale]); ++d)
        sum += kVifFilter[Scale][d] * (static_cast<u32>(centre[-d * Step]) + centre[d * Step]);
    return sum;
}

template <unsigned Scale> inline u32 column_sum(const u16 *centre)
{
    return filter_sum<Scale, kVifRowPx>(centre);
}
template <unsigned Scale> inline u32 row_sum(const u32 *centre)
{
    return filter_sum<Scale, 1>(centre);
}

void widen(const u8 *__restrict samples, unsigned count, u16 *__restrict out)
{
    for (unsigned i = 0; i < count; ++i)
        out[i] = samples[i];
}

void product_8bit(const u16 *__restrict a, const u16 *__restrict b, unsigned columns, u16 *__restrict out)
{
    for (unsigned i = 0; i < rounded_up(columns); ++i)
        out[i] = static_cast<u16>(a[i] * b[i]);
}

void products_8bit(VifWindow &window, unsigned row, unsigned columns)
{
    const u16 *ref = window.plane[kVifRef][row], *dis = window.plane[kVifDis][row];
    product_8bit(ref, ref, columns, window.plane[kVifLow][row]);
    product_8bit(dis, dis, columns, window.plane[kVifLow + 1][row]);
    product_8bit(ref, dis, columns, window.plane[kVifLow + 2][row]);
}

void product_16bit(const u16 *__restrict a, const u16 *__restrict b, unsigned columns, u16 *__restrict low,
                   u16 *__restrict high)
{
    for (unsigned i = 0; i < rounded_up(columns); ++i) {
        const u32 product = static_cast<u32>(a[i]) * b[i];
        low[i] = static_cast<u16>(product);
        high[i] = static_cast<u16>(product >> 16);
    }
}

void products_16bit(VifWindow &window, unsigned row, unsigned columns)
{
    const u16 *ref = window.plane[kVifRef][row], *dis = window.plane[kVifDis][row];
    product_16bit(ref, ref, columns, window.plane[kVifLow][row], window.plane[kVifHigh][row]);
    product_16bit(dis, dis, columns, window.plane[kVifLow + 1][row], window.plane[kVifHigh + 1][row]);
    product_16bit(ref, dis, columns, window.plane[kVifLow + 2][row], window.plane[kVifHigh + 2][row]);
}

/// spec vif 3.3: v1 or v2; spec vif 3.2: V.
template <unsigned Scale>
void vertical_means(const u16 *__restrict centre, unsigned columns, unsigned shift, u32 *__restrict out)
{
    const u32 half = 1U << (shift - 1);
    for (unsigned i = 0; i < rounded_up(columns); ++i)
        out[i] = (column_sum<Scale>(centre + i) + half) >> shift;
}

/// spec vif 3.3: v11, v22 or v12 of 8-bit samples, where the products fit 16 bits and nothing is shifted.
void vertical_squares_8bit(const u16 *__restrict centre, unsigned columns, u32 *__restrict low, u32 *__restrict high)
{
    for (unsigned i = 0; i < rounded_up(columns); ++i) {
        const u32 v = column_sum<0>(centre + i);
        low[i] = v & 0xffff;
        high[i] = v >> 16;
    }
}

/// The same from halves of products (spec vif 5).
template <unsigned Scale>
void vertical_squares_16bit(const u16 *__restrict low_centre, const u16 *__restrict high_centre, unsigned columns,
                            unsigned shift, u32 *__restrict low, u32 *__restrict high)
{
    const u32 half = shift == 0 ? 0 : 1U << (shift - 1);
    for (unsigned i = 0; i < rounded_up(columns); ++i) {
        const u32 v = (column_sum<Scale>(high_centre + i) << (16 - shift)) +
                      ((column_sum<Scale>(low_centre + i) + half) >> shift);
        low[i] = v & 0xffff;
        high[i] = v >> 16;
    }
}

void vertical_8bit(const VifWindow &window, unsigned row, unsigned columns, VifShifts shifts, VifColumns &out)
{
    for (unsigned p = kVifRef; p <= kVifDis; ++p)
        vertical_means<0>(window.plane[p][row], columns, shifts.mean, out.plane[p]);
    for (unsigned p = kVifLow; p < kVifHigh; ++p)
        vertical_squares_8bit(window.plane[p][row], columns, out.plane[p], out.plane[p + 3]);
}

template <unsigned Scale>
void vertical_16bit(const VifWindow &window, unsigned row, unsigned columns, VifShifts shifts, VifColumns &out)
{
    for (unsigned p = kVifRef; p <= kVifDis; ++p)
        vertical_means<Scale>(window.plane[p][row], columns, shifts.mean, out.plane[p]);
    for (unsigned p = kVifLow; p < kVifHigh; ++p)
        vertical_squares_16bit<Scale>(window.plane[p][row], window.plane[p + 3][row], columns, shifts.square,
                                      out.plane[p], out.plane[p + 3]);
}

/// spec vif 3.3: M1 or M2.
template <unsigned Scale> void horizontal_means(const u32 *__restrict centre, unsigned width_px, u32 *__restrict out)
{
    for (unsigned i = 0; i < rounded_up(width_px); ++i)
        out[i] = row_sum<Scale>(centre + i);
}

/// spec vif 3.3: X - N, with X from halves (spec vif 5).
template <unsigned Scale>
void horizontal_moments(const u32 *__restrict low, const u32 *__restrict high, const u32 *__restrict mean_a,
                        const u32 *__restrict mean_b, unsigned width_px, i32 *__restrict out)
{
    for (unsigned i = 0; i < rounded_up(width_px); ++i) {
        const u32 x = row_sum<Scale>(high + i) + ((row_sum<Scale>(low + i) + 0x8000) >> 16);
        const u64 n = (static_cast<u64>(mean_a[i]) * mean_b[i] + 0x80000000) >> 32;
        out[i] = static_cast<i32>(x - static_cast<u32>(n));
    }
}

template <unsigned Scale> void horizontal(const VifColumns &columns, unsigned width_px, VifMoments &out)
{
    alignas(64) u32 mean1[kVifRowPx], mean2[kVifRowPx];
    const auto centre = [&columns](unsigned plane) { return columns.plane[plane] + kVifHalf[Scale]; };
    horizontal_means<Scale>(centre(kVifRef), width_px, mean1);
    horizontal_means<Scale>(centre(kVifDis), width_px, mean2);
    horizontal_moments<Scale>(centre(kVifLow), centre(kVifHigh), mean1, mean1, width_px, out.s1);
    horizontal_moments<Scale>(centre(kVifLow + 1), centre(kVifHigh + 1), mean2, mean2, width_px, out.s2);
    horizontal_moments<Scale>(centre(kVifLow + 2), centre(kVifHigh + 2), mean1, mean2, width_px, out.s12);
}

template <unsigned Scale> void every_second(const u32 *__restrict centre, unsigned count, u16 *__restrict out)
{
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<u16>((row_sum<Scale>(centre + 2 * i) + 0x8000) >> 16);
}

template <unsigned Scale>
void next_scale(const VifWindow &window, unsigned row, VifPlane side, unsigned mean_shift, unsigned count, u16 *out)
{
    alignas(64) u32 v[kVifRowPx];
    vertical_means<Scale + 1>(window.plane[side][row], 2 * count + 2 * kVifHalf[Scale], mean_shift, v);
    every_second<Scale + 1>(v + kVifHalf[Scale], count, out);
}

/// trunc(x) for 0 <= x < 2^51, in operations that every target has: adding 2^52 rounds to the nearest integer.
inline double truncated(double x)
{
    constexpr double kTwo52 = 4503599627370496.0;
    const double nearest = (x + kTwo52) - kTwo52;
    return nearest - (nearest > x ? 1.0 : 0.0);
}

/// All that the logarithm of an integer a >= kVifNoise depends on (spec vif 3.4: n and a >> k): the exponent of its binary64,
/// counted from that of kVifNoise, and the upper 15 bits of the mantissa.
inline u32 log_key(double a)
{
    constexpr u32 kNoiseKey = (1023 + 17) << 15;
    return static_cast<u32>(__builtin_bit_cast(u64, a) >> 37) - kNoiseKey;
}

/// spec vif 3.4: L(a) - L(kVifNoise).
inline u32 log_rise(u32 key, const u32 *log_table)
{
    return ((log_table[(key >> 3) & 4095] + (key & 7)) >> 3) + ((key >> 15) << 11);
}

struct LogKeys {
    alignas(64) u32 variance[kVifRowPx], noise[kVifRowPx], noise_and_signal[kVifRowPx];
};

/// spec vif 3.5. A pixel that adds nothing to a sum gets the keys of variance 0 or of gain 0.
void find_log_keys(const VifMoments &moments, unsigned width_px, double gain_limit, LogKeys &__restrict keys)
{
    constexpr i32 kLargest = INT32_MAX - kVifNoise; // only samples out of range can exceed it
    for (unsigned i = 0; i < width_px; ++i) {
        const i32 s1 = moments.s1[i], s12 = moments.s12[i];
        const i32 s2 = moments.s2[i] < kLargest ? moments.s2[i] : kLargest;
        const i32 varies = s1 < kVifNoise ? 0 : -1;
        const i32 related = (s2 > 0 ? varies : 0) & (s12 > 0 ? -1 : 0);
        const double variance = s1 & varies, covariance = s12 & related;

        const double gain = covariance / (variance + 65536 * 1.0e-10);
        const double rest = s2 - gain * covariance;
        const double noise = static_cast<i32>(rest > 0 ? rest : 0) + kVifNoise;
        const double limited = gain < gain_limit ? gain : gain_limit;
        const double signal = truncated(limited * limited * variance);
        keys.variance[i] = log_key(variance + kVifNoise);
        keys.noise[i] = log_key(noise);
        keys.noise_and_signal[i] = log_key(noise + signal);
    }
}

/// 32 bits hold the sums of 65536 pixels (spec vif 5).
void add_logs(const LogKeys &keys, unsigned width_px, const u32 *__restrict log_table, VifScaleSums &sums)
{
    u32 log_num = 0, log_den = 0;
    for (unsigned i = 0; i < width_px; ++i) {
        log_den += log_rise(keys.variance[i], log_table);
        log_num += log_rise(keys.noise_and_signal[i], log_table) - log_rise(keys.noise[i], log_table);
    }
    sums.log_num += log_num;
    sums.log_den += log_den;
}

void add_low_variance(const VifMoments &moments, unsigned width_px, VifScaleSums &sums)
{
    u32 count = 0;
    u64 var2 = 0;
    for (unsigned i = 0; i < width_px; ++i) {
        const i32 low = moments.s1[i] < kVifNoise ? -1 : 0;
        const i32 s2 = moments.s2[i] > 0 ? moments.s2[i] : 0;
        count += static_cast<u32>(low & 1);
        var2 += static_cast<u32>(low & s2);
    }
    sums.low_count += count;
    sums.low_var2 += static_cast<std::int64_t>(var2);
}

void statistic(const VifMoments &moments, unsigned width_px, double gain_limit, const u32 *log_table,
               VifScaleSums &sums)
{
    LogKeys keys;
    find_log_keys(moments, width_px, gain_limit, keys);
    add_logs(keys, width_px, log_table, sums);
    add_low_variance(moments, width_px, sums);
}

} // namespace

extern const VifLoops kVifLoops = {
    widen,
    products_8bit,
    products_16bit,
    vertical_8bit,
    {vertical_16bit<0>, vertical_16bit<1>, vertical_16bit<2>, vertical_16bit<3>},
    {horizontal<0>, horizontal<1>, horizontal<2>, horizontal<3>},
    {next_scale<0>, next_scale<1>, next_scale<2>},
    statistic,
};

} // namespace vmaf::VMAF_CPU_TARGET
