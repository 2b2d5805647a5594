#pragma once

#include "cambi/cambi_pooling.cuh"

// spec cambi 3.6: the sum in its order, where that matters.

namespace vmaf {
inline namespace cambi_kernels {

constexpr unsigned kOrderWarps = kCambiOrderThreads / kWarpSize;
constexpr int kPerThread = 4; // values of a chunk
constexpr int kChunk = kPerThread * kCambiOrderThreads;

/// Increments in units of the sum's last place, by whether the sum is odd.
struct Increment {
    unsigned long long of_even, of_odd;
};

struct OrderShared {
    unsigned left[kChunk];  ///< positions of values that are not above the pivot, ascending
    unsigned right[kChunk]; ///< positions of values that are not below it, descending
    unsigned warp_counts[kOrderWarps];
    Increment warp_increments[kOrderWarps];
    double sum;
};

/// The part of the plane in which the K-th largest value is still looked for, ends included.
struct OrderRange {
    int left, right;
};

/// Lists which of `count` positions from `first` on, upwards or downwards, are to change sides.
template <bool Upwards>
__device__ __forceinline__ unsigned block_collect(const float *c, int first, int count, float pivot, unsigned thread,
                                                  OrderShared &shared)
{
    const unsigned lane = thread % kWarpSize, warp = thread / kWarpSize;
    unsigned found = 0;
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
        const int offset = static_cast<int>(thread) * kPerThread + i;
        if (offset >= count)
            continue;
        const float value = c[Upwards ? first + offset : first - offset];
        found |= (Upwards ? value <= pivot : value >= pivot) ? 1U << i : 0;
    }
    const unsigned own = __popc(found);
    unsigned upto = own;
    for (unsigned distance = 1; distance < kWarpSize; distance *= 2) {
        const unsigned before = __shfl_up_sync(kFullWarp, upto, distance);
        upto += lane >= distance ? before : 0;
    }
    if (lane == kWarpSize - 1)
        shared.warp_counts[warp] = upto;
    __syncthreads();
    unsigned at = upto - own, total = 0;
    for (unsigned i = 0; i < kOrderWarps; ++i) {
        at += i < warp ? shared.warp_counts[i] : 0;
        total += shared.warp_counts[i];
    }
    unsigned *list = Upwards ? shared.left : shared.right;
#pragma unroll
    for (int i = 0; i < kPerThread; ++i)
        if ((found >> i & 1) != 0) {
            const int offset = static_cast<int>(thread) * kPerThread + i;
            list[at++] = static_cast<unsigned>(Upwards ? first + offset : first - offset);
        }
    __syncthreads();
    return total;
}

/// A list of positions and how much of it is used up.
struct Pending {
    unsigned first = 0, count = 0;
};

/// One partition step of the quickselect: the t-th value from the left that is not above the pivot
/// changes places with the t-th from the right that is not below it, as long as they have not met.
/// Gives the range that is left.
__device__ __forceinline__ OrderRange block_partition(float *c, const OrderRange &range, int wanted, unsigned thread,
                                                      OrderShared &shared)
{
    const float pivot = c[wanted];
    __syncthreads();
    Pending left, right;
    int next_left = range.left, next_right = range.right; // not looked at yet
    int swapped_left = -1, swapped_right = -1;            // the last pair
    for (;;) {
        const int last = swapped_right < 0 ? range.right : swapped_right - 1;
        const int first = swapped_left < 0 ? range.left : swapped_left + 1;
        while (left.count == 0 && next_left <= last) {
            const int count = min(kChunk, last - next_left + 1);
            left = {0, block_collect<true>(c, next_left, count, pivot, thread, shared)};
            next_left += count;
        }
        while (right.count == 0 && next_right >= first) {
            const int count = min(kChunk, next_right - first + 1);
            right = {0, block_collect<false>(c, next_right, count, pivot, thread, shared)};
            next_right -= count;
        }
        const unsigned most = min(left.count, right.count);
        unsigned pairs = 0;
        for (unsigned start = 0; start < most; start += kCambiOrderThreads) {
            const unsigned i = start + thread;
            const unsigned a = i < most ? shared.left[left.first + i] : 1,
                           b = i < most ? shared.right[right.first + i] : 0;
            if (a <= b) {
                const float value = c[a];
                c[a] = c[b];
                c[b] = value;
            }
            pairs += static_cast<unsigned>(__syncthreads_count(a <= b));
        }
        if (pairs > 0) {
            swapped_left = static_cast<int>(shared.left[left.first + pairs - 1]);
            swapped_right = static_cast<int>(shared.right[right.first + pairs - 1]);
        }
        left = {left.first + pairs, left.count - pairs};
        right = {right.first + pairs, right.count - pairs};
        if (pairs < most || most == 0)
            break;
        __syncthreads();
    }
    int i = swapped_right, j = swapped_left;
    if (i == j) {
        ++i;
        --j;
    } else {
        i = left.count > 0 ? min(i, static_cast<int>(shared.left[left.first])) : i;
        j = right.count > 0 ? max(j, static_cast<int>(shared.right[right.first])) : j;
    }
    __syncthreads();
    return {j < wanted ? i : range.left, wanted < i ? j : range.right};
}

/// The increment by a value whose last place is `place` binary digits below the sum's: to nearest,
/// and from half way to even.
__device__ __forceinline__ Increment thread_increment(unsigned long long units, unsigned place)
{
    const unsigned long long whole = units >> place, rest = units - (whole << place);
    const unsigned long long half = place == 0 ? 1 : 1ULL << (place - 1);
    if (rest != half || place == 0)
        return {whole + (rest > half), whole + (rest > half)};
    return {whole + whole % 2, whole + (whole + 1) % 2};
}

__device__ __forceinline__ Increment thread_compose(const Increment &first, const Increment &then)
{
    return {first.of_even + (first.of_even % 2 == 0 ? then.of_even : then.of_odd),
            first.of_odd + (first.of_odd % 2 == 0 ? then.of_odd : then.of_even)};
}

/// The increment by `count` values together, in thread 0.
__device__ __forceinline__ Increment block_increment(const float *c, int count, unsigned place, unsigned thread,
                                                     OrderShared &shared)
{
    const unsigned lane = thread % kWarpSize;
    Increment all{0, 0};
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
        const int at = static_cast<int>(thread) * kPerThread + i;
        const unsigned bits = at < count ? __float_as_uint(c[at]) : 0;
        if (bits != 0)
            all = thread_compose(all, thread_increment(thread_units(bits), place));
    }
    const auto over_lanes = [&] {
        for (unsigned distance = 1; distance < kWarpSize; distance *= 2) {
            const Increment next{__shfl_down_sync(kFullWarp, all.of_even, distance),
                                 __shfl_down_sync(kFullWarp, all.of_odd, distance)};
            if (lane % (2 * distance) == 0)
                all = thread_compose(all, next);
        }
    };
    over_lanes();
    if (lane == 0)
        shared.warp_increments[thread / kWarpSize] = all;
    __syncthreads();
    if (thread < kWarpSize) {
        static_assert(kOrderWarps == kWarpSize);
        all = shared.warp_increments[thread];
        over_lanes();
    }
    __syncthreads();
    return all;
}

/// The sum of c[0] to c[count - 1], added up one by one in double: as one integer addition a chunk
/// while the sum keeps its exponent.
__device__ __forceinline__ double block_add_in_order(const float *c, int count, unsigned thread, OrderShared &shared)
{
    constexpr unsigned kPlaces = 52;
    double sum = 0;
    for (int first = 0; first < count; first += kChunk) {
        const int here = min(kChunk, count - first);
        // In units of 2^-24 the sum is an integer, of `place` more binary digits than a double has.
        const double units = sum * (1 << 24);
        const int exponent = (__double2hiint(units) >> 20) - 1023;
        const unsigned place = static_cast<unsigned>(max(exponent - static_cast<int>(kPlaces), 0));
        const Increment increment = block_increment(c + first, here, place, thread, shared);
        if (thread == 0) {
            const double one = __ull2double_rn(1ULL << place);
            const auto whole = static_cast<unsigned long long>(units / one);
            const unsigned long long grown = whole + (whole % 2 == 0 ? increment.of_even : increment.of_odd);
            if (grown <= kMaxExact)
                sum = __ull2double_rn(grown) * one * (1.0 / (1 << 24));
            else
                for (int i = 0; i < here; ++i)
                    sum += static_cast<double>(c[first + i]);
            shared.sum = sum;
        }
        __syncthreads();
        sum = shared.sum;
    }
    return sum;
}

__device__ __forceinline__ void block_sum_in_order(const CambiKernelParams &params, unsigned scale, unsigned frame,
                                                   unsigned thread)
{
    __shared__ OrderShared shared;
    const CambiLevel &level = params.levels[scale];
    if (params.selections[frame * kCambiScales + scale].ordered == 0)
        return;
    float *c = params.c + frame * params.frame_c + level.c_offset;
    const int count = static_cast<int>(level.width_px * level.height_px), wanted = static_cast<int>(level.top_count);
    OrderRange range{0, wanted < count ? count - 1 : 0};
    while (range.left < range.right)
        range = block_partition(c, range, wanted, thread, shared);
    const double sum = block_add_in_order(c, wanted, thread, shared);
    if (thread == 0)
        params.frames[frame].top_sums[scale] = sum;
}

} // namespace cambi_kernels
} // namespace vmaf
