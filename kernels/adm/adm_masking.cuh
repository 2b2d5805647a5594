#pragma once

#include "adm/adm_decouple.cuh"
#include "feature/adm/adm_cuda_params.h"

// spec adm 3.5 to 3.7: one sample as a signal, as a masker and cubed; a row of a signal.

namespace vmaf {

using std::int16_t;
using std::int32_t;
using std::uint32_t;
using std::uint64_t;

/// One sample of one band of a signal, as a signal and as a masker.
struct Masker {
    uint32_t strength;  ///< abs(W*y) at scale 0, abs(u) elsewhere: what the threshold is subtracted from
    uint32_t neighbour; ///< n, which may be negative; unsigned because sums of it may wrap
    uint32_t centre;    ///< z, likewise
};

template <int Scale, bool Diagonal> __device__ __forceinline__ Masker thread_masker(uint32_t weight, const Signed &y)
{
    if constexpr (kCoarse<Scale>) {
        const uint32_t half = static_cast<uint32_t>((1 << 27) + y.sign);
        const uint32_t size = magnitude(static_cast<int32_t>(thread_shift_low(uint64_t{weight} * y.size + half, 28)));
        const auto n = static_cast<uint32_t>((uint64_t{size} * 143165577 - (uint64_t{1} << 31)) >> 32);
        const auto z = static_cast<uint32_t>((uint64_t{size} * 286331153 - (uint64_t{1} << 31)) >> 32);
        return {size, n, z};
    } else {
        const uint32_t product = weight * y.size;
        const auto half = static_cast<uint32_t>(Diagonal ? 65535 - y.sign : 16384 + y.sign);
        const uint32_t size = magnitude(static_cast<int16_t>((product + half) >> (Diagonal ? 17 : 15)));
        const int32_t n = static_cast<int16_t>((4369 * size + 2048) >> 12);
        return {product, static_cast<uint32_t>(n), (8738 * size + 2048) >> 12};
    }
}

/// Half a unit of a right shift; nothing for a shift by 0 (spec adm 4).
__device__ __forceinline__ uint64_t half_unit(uint32_t shift)
{
    return (uint64_t{1} << shift) >> 1;
}

/// spec adm 3.6: v to the third power.
template <int Scale, bool Diagonal>
__device__ __forceinline__ uint64_t thread_cube(uint32_t strength, uint32_t threshold, uint32_t cube_shift,
                                                uint32_t column_mask)
{
    constexpr uint32_t kThresholdShift = Scale > 0 ? 0 : Diagonal ? 12 : 10;
    constexpr uint32_t kSquareShift = Scale > 0 || Diagonal ? 30 : 29;
    const auto excess = static_cast<int32_t>(strength - (threshold << kThresholdShift));
    const uint32_t v = static_cast<uint32_t>(max(excess, 0)) & column_mask;
    const uint32_t q = thread_shift_low(uint64_t{v} * v + (1U << (kSquareShift - 1)), kSquareShift);
    return (uint64_t{q} * v + half_unit(cube_shift)) >> cube_shift;
}

/// spec adm 3.7.
template <int Scale>
__device__ __forceinline__ uint64_t thread_den_cube(int32_t o, uint32_t cube_shift, uint32_t column_mask)
{
    const uint32_t size = magnitude(o) & column_mask;
    if constexpr (Scale == 0) {
        return uint64_t{size * size} * size;
    } else {
        constexpr uint32_t kSquareShift = Scale == 2 ? 30 : 31;
        const uint32_t q = thread_shift_low(uint64_t{size} * size + (1U << kSquareShift), kSquareShift);
        return (uint64_t{q} * size + half_unit(cube_shift)) >> cube_shift;
    }
}

/// One row of a signal in a lane's columns.
template <int Scale> struct SignalRow {
    static constexpr int kColumns = kAdmLaneColumns[Scale];

    uint32_t strength[kAdmBands][kColumns];
    uint32_t mask[kColumns]; ///< n summed over the bands, then also over three columns
    uint32_t above
        [kColumns]; ///< z - n summed over the bands, then also the masks of this row and the one above: the threshold so far

    __device__ __forceinline__ void set_column(int c, const Signed (&y)[kAdmBands], const uint32_t (&weight)[kAdmBands])
    {
        const Masker h = thread_masker<Scale, false>(weight[kAdmH], y[kAdmH]);
        const Masker v = thread_masker<Scale, false>(weight[kAdmV], y[kAdmV]);
        const Masker d = thread_masker<Scale, true>(weight[kAdmD], y[kAdmD]);
        strength[kAdmH][c] = h.strength;
        strength[kAdmV][c] = v.strength;
        strength[kAdmD][c] = d.strength;
        mask[c] = h.neighbour + v.neighbour + d.neighbour;
        above[c] = h.centre + v.centre + d.centre - mask[c];
    }

    /// Takes the place of the row before, the one above.
    __device__ __forceinline__ void follow(const SignalRow &next, bool is_first)
    {
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            above[c] = next.above[c] + next.mask[c] + (is_first ? 0 : mask[c]);
            mask[c] = next.mask[c];
#pragma unroll
            for (unsigned band = 0; band < kAdmBands; ++band)
                strength[band][c] = next.strength[band][c];
        }
    }
};

} // namespace vmaf
