#include "common/common.cuh"
#include "common/rgb.cuh"
#include "feature/cvvdp/cvvdp_cuda_params.h"

// spec cvvdp 3 on batches of frames: channels of all frames from the samples of all pairs that they see; the pyramid, level by level; all
// bands in one grid, sums a strip; the base band; the sums in a fixed order.
//
// Counted, not measured. Of a luma pixel of both pictures, B frames of N taps at once: reads 3 (8 bit 4:2:0) (N - 1 + B) / B bytes of samples, each
// converted anew (140 instructions), writes 32 of channels; the pyramid reads 43 and writes 11; bands read 43 and what strips overlap by,
// 1.3 times. N = 9, B = 8: 150 bytes, 0.30 ms at 2160p and 4.2e12 bytes/s. Instructions: conversion 280, filters 80, pyramid 40, bands 4/3 * 1.3 *
// 400: 1,100 at least, 0.30 ms at 30.9e12/s; with addressing it is the instructions that bind. Of the special function unit 12 (N - 1 + B) / B + 60.

namespace vmaf {
namespace {

/// spec cvvdp 3.1, PQ.
__device__ __forceinline__ float thread_pq_light(const float *__restrict__ table, float v, float peak)
{
    const float place = v * static_cast<float>(kCvvdpPqSteps);
    const int i = min(static_cast<int>(place), static_cast<int>(kCvvdpPqSteps) - 1);
    const float below = __ldg(table + i);
    return fminf(fmaxf(fmaf(place - static_cast<float>(i), __ldg(table + i + 1) - below, below), kCvvdpLeastPqLight),
                 peak);
}

/// Y, RG, YV.
struct Opponent {
    float c[kCvvdpColours];
};

/// spec cvvdp 3.1 and 3.2, of two pixels of a column.
template <class Sample, ChromaRows Chroma>
__device__ __forceinline__ void thread_load_opponent(const CvvdpChannelsParams &params, const CudaPlane (&planes)[3],
                                                     int x, const int (&rows)[2], Opponent (&colours)[2])
{
    Rgb rgb[2];
    if (params.pq == nullptr) {
        thread_load_rgb<Sample, Chroma, RgbLight::linear>(params.sampling, planes, x, rows, rgb);
    } else {
        thread_load_rgb<Sample, Chroma, RgbLight::encoded>(params.sampling, planes, x, rows, rgb);
        for (int i = 0; i < 2; ++i)
            rgb[i] = {thread_pq_light(params.pq, rgb[i].r, params.pq_peak),
                      thread_pq_light(params.pq, rgb[i].g, params.pq_peak),
                      thread_pq_light(params.pq, rgb[i].b, params.pq_peak)};
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (unsigned c = 0; c < kCvvdpColours; ++c) {
            const float *const m = params.colour.matrix[c];
            colours[i].c[c] = fmaf(m[0], rgb[i].r, fmaf(m[1], rgb[i].g, fmaf(m[2], rgb[i].b, params.colour.offset[c])));
        }
}

/// Of one pixel in every frame.
struct Filters {
    float channel[kMaxBatchFrames][kCvvdpChannels];
    float luma[kMaxBatchFrames];
};

struct Weights {
    float w[kCvvdpChannels];
};

/// The frame's own pair: as in the CPU's begin_channels.
__device__ __forceinline__ void thread_begin(const Opponent &colour, const Weights &w, float (&channel)[kCvvdpChannels],
                                             float &luma)
{
    luma = colour.c[0];
    for (unsigned c = 0; c < kCvvdpChannels; ++c)
        channel[c] = w.w[c] * colour.c[c == kCvvdpTransient ? 0 : c];
}

__device__ __forceinline__ void thread_add(const Opponent &colour, const Weights &w, float luma,
                                           float (&channel)[kCvvdpChannels])
{
    for (unsigned c = 0; c < kCvvdpColours; ++c)
        channel[c] = fmaf(w.w[c], colour.c[c], channel[c]);
    channel[kCvvdpTransient] = fmaf(w.w[kCvvdpTransient], colour.c[0] - luma, channel[kCvvdpTransient]);
}

/// The weights of a pair in every frame: own pairs by their number, then earlier ones.
struct ChannelsShared {
    Weights weights[kMaxBatchFrames + kCvvdpLaunchSources][kMaxBatchFrames];
};

__device__ __forceinline__ void block_load_weights(const CvvdpChannelsParams &params, unsigned thread,
                                                   ChannelsShared &shared)
{
    const unsigned count = (kMaxBatchFrames + params.earlier_count) * kMaxBatchFrames;
    for (unsigned i = thread; i < count; i += kCvvdpChannelsThreads) {
        const unsigned source = i / kMaxBatchFrames, frame = i % kMaxBatchFrames;
        const unsigned seen = min(params.first_seen + frame, params.most_seen);
        const bool is_own = source < kMaxBatchFrames;
        const unsigned age = is_own ? frame - source : frame + 1 + params.earlier_before + source - kMaxBatchFrames;
        const bool is_seen = frame < params.frame_count && (!is_own || source <= frame) && age <= seen;
        for (unsigned c = 0; c < kCvvdpChannels; ++c)
            shared.weights[source][frame].w[c] = is_seen ? params.weights[seen * (params.most_seen + 1) + age][c] : 0;
    }
    __syncthreads();
}

/// spec cvvdp 3.3. blockIdx.z is the picture. Pairs go from the frame's own backwards, whatever the batch is.
template <class Sample, ChromaRows Chroma>
__device__ __forceinline__ void block_channels(const CvvdpChannelsParams &params)
{
    __shared__ ChannelsShared shared;
    const unsigned thread = threadIdx.x, picture = blockIdx.z;
    block_load_weights(params, thread, shared);
    const CvvdpLevel &level = params.level;
    const int height = static_cast<int>(level.height_px);
    const int x = static_cast<int>(blockIdx.x * kCvvdpChannelsColumns + thread % kCvvdpChannelsColumns);
    const int y = static_cast<int>(blockIdx.y * kCvvdpChannelsRows + thread / kCvvdpChannelsColumns * 2);
    if (x >= static_cast<int>(level.width_px) || y >= height)
        return;
    const int rows[2] = {y, min(y + 1, height - 1)};
    const unsigned long long plane_floats = static_cast<unsigned long long>(level.pitch) * level.height_px;
    float *const out = params.pyramid + level.offset + picture * kCvvdpChannels * plane_floats;
    const auto at = [&](int i, unsigned frame, unsigned c) {
        return out + frame * params.frame_floats + c * plane_floats +
               static_cast<unsigned long long>(rows[i]) * level.pitch + static_cast<unsigned>(x);
    };
    Filters filters[2];
    const bool begins = params.earlier_before == 0;
#pragma unroll
    for (int frame = kMaxBatchFrames - 1; frame >= 0; --frame) {
        if (frame >= static_cast<int>(params.frame_count))
            continue;
        Opponent colours[2];
        thread_load_opponent<Sample, Chroma>(params, params.own[frame].planes[picture], x, rows, colours);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            Filters &f = filters[i];
            thread_begin(colours[i], shared.weights[frame][frame], f.channel[frame], f.luma[frame]);
            if (begins) {
#pragma unroll
                for (unsigned later = 0; later < kMaxBatchFrames; ++later)
                    if (static_cast<int>(later) > frame && later < params.frame_count)
                        thread_add(colours[i], shared.weights[frame][later], f.luma[later], f.channel[later]);
            } else {
                for (unsigned c = 0; c < kCvvdpChannels; ++c)
                    f.channel[frame][c] = *at(i, static_cast<unsigned>(frame), c);
            }
        }
    }
    for (unsigned source = 0; source < params.earlier_count; ++source) {
        Opponent colours[2];
        thread_load_opponent<Sample, Chroma>(params, params.earlier[source].planes[picture], x, rows, colours);
#pragma unroll
        for (unsigned frame = 0; frame < kMaxBatchFrames; ++frame)
            if (frame < params.frame_count) {
                const Weights w = shared.weights[kMaxBatchFrames + source][frame];
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    thread_add(colours[i], w, filters[i].luma[frame], filters[i].channel[frame]);
            }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        if (y + i >= height)
            break;
#pragma unroll
        for (unsigned frame = 0; frame < kMaxBatchFrames; ++frame)
            if (frame < params.frame_count)
                for (unsigned c = 0; c < kCvvdpChannels; ++c)
                    *at(i, frame, c) = filters[i].channel[frame][c];
    }
}

__device__ __forceinline__ float reduced(float middle, float next_a, float next_b, float outer_a, float outer_b)
{
    return fmaf(kCvvdpReduceMiddle, middle,
                fmaf(kCvvdpReduceNext, next_a + next_b, kCvvdpReduceOuter * (outer_a + outer_b)));
}

__device__ __forceinline__ const float *level_plane(const CvvdpPyramidParams &params, unsigned level, unsigned frame,
                                                    unsigned plane)
{
    const CvvdpLevel &l = params.levels[level];
    return params.pyramid + frame * params.frame_floats + l.offset +
           plane * static_cast<unsigned long long>(l.pitch) * l.height_px;
}

/// Mirrored with the edge repeated, and inside for what lies further beyond.
__device__ __forceinline__ int mirror_with_edge(int index, int size)
{
    const int folded = index < 0 ? -index - 1 : index >= size ? 2 * size - 1 - index : index;
    return min(max(folded, 0), size - 1);
}

/// spec cvvdp 3.4, reduce: a tile of a plane of one frame. blockIdx.z is frame * kCvvdpPlanes + plane.
__device__ __forceinline__ void block_reduce(const CvvdpPyramidParams &params)
{
    constexpr int kInColumns = 2 * kCvvdpReduceColumns + 3;
    __shared__ float columns[kCvvdpReduceRows][kInColumns]; // reduced down the columns
    const unsigned frame = blockIdx.z / kCvvdpPlanes, plane = blockIdx.z % kCvvdpPlanes, thread = threadIdx.x;
    const CvvdpLevel &from = params.levels[params.level], &to = params.levels[params.level + 1];
    const float *const in = level_plane(params, params.level, frame, plane);
    const int width = static_cast<int>(from.width_px), height = static_cast<int>(from.height_px);
    const int left = static_cast<int>(2 * blockIdx.x * kCvvdpReduceColumns) - 2;
    const int top = static_cast<int>(blockIdx.y * kCvvdpReduceRows);
    for (int i = static_cast<int>(thread); i < static_cast<int>(kCvvdpReduceRows) * kInColumns;
         i += kCvvdpReduceThreads) {
        const int row = i / kInColumns, column = i % kInColumns;
        const int x = mirror_with_edge(left + column, width), y = 2 * (top + row);
        const auto value = [&](int at) {
            return __ldg(in + static_cast<unsigned long long>(mirror_with_edge(at, height)) * from.pitch + x);
        };
        columns[row][column] = reduced(value(y), value(y - 1), value(y + 1), value(y - 2), value(y + 2));
    }
    __syncthreads();
    const int row = static_cast<int>(thread / kCvvdpReduceColumns),
              column = static_cast<int>(thread % kCvvdpReduceColumns);
    const int x = static_cast<int>(blockIdx.x * kCvvdpReduceColumns) + column, y = top + row;
    if (x >= static_cast<int>(to.width_px) || y >= static_cast<int>(to.height_px))
        return;
    const float *const around = columns[row] + 2 * column;
    float next = around[3], outer = around[4];
    // What the last column lacks on the right goes by the parity of the height.
    if (x == static_cast<int>(to.width_px) - 1) {
        const bool odd_width = width % 2 != 0, odd_height = height % 2 != 0;
        const float last = odd_width ? around[2] : around[3], before = odd_width ? around[1] : around[2];
        if (odd_width) {
            next = odd_height ? last : 0;
            outer = odd_height ? before : last;
        } else {
            outer = odd_height ? kCvvdpReduceNext / kCvvdpReduceOuter * last + before : last;
        }
    }
    float *const out = const_cast<float *>(level_plane(params, params.level + 1, frame, plane));
    out[static_cast<unsigned long long>(y) * to.pitch + static_cast<unsigned>(x)] =
        reduced(around[2], around[1], next, around[0], outer);
}

/// (x + e)^power.
__device__ __forceinline__ float thread_power(float x, float power)
{
    return thread_exp2(power * thread_log2(x + kCvvdpEpsilon));
}

/// One strip of a band: who walks down it, and where.
struct Strip {
    const CvvdpPyramidParams &params;
    CvvdpStripShared &shared;
    unsigned band, frame, thread;
    int column;     ///< of the band, mirrored: always inside
    int left_above; ///< column of the level above that is shared.above[.][0]
    int top, rows;  ///< scored
    bool blurs;     ///< the band's masks are blurred
    bool scores;    ///< the thread's column is
    float sums[kCvvdpChannels];
};

/// The level above, blended for row y: shared.above is what the row expands.
__device__ __forceinline__ void block_load_above(const Strip &strip, int y)
{
    const CvvdpLevel &above = strip.params.levels[strip.band + 1];
    const int width = static_cast<int>(above.width_px), last = static_cast<int>(above.height_px) - 1, middle = y / 2;
    const bool even = y % 2 == 0;
    const unsigned pitch = above.pitch;
    const unsigned before_row = static_cast<unsigned>(max(middle - 1, 0)) * pitch,
                   middle_row = static_cast<unsigned>(middle) * pitch,
                   behind_row = static_cast<unsigned>(min(middle + 1, last)) * pitch;
    for (unsigned i = strip.thread; i < kCvvdpPlanes * kCvvdpStripAbove; i += kCvvdpStripThreads) {
        const unsigned plane = i / kCvvdpStripAbove, column = i % kCvvdpStripAbove;
        const int x = min(max(strip.left_above + static_cast<int>(column), 0), width - 1);
        const float *const values = level_plane(strip.params, strip.band + 1, strip.frame, plane) + x;
        const float at = __ldg(values + middle_row), behind = __ldg(values + behind_row);
        strip.shared.above[plane][column] =
            even ? fmaf(0.8F, at, 0.1F * (__ldg(values + before_row) + behind)) : 0.5F * (at + behind);
    }
}

__device__ __forceinline__ float thread_expanded(const Strip &strip, unsigned plane)
{
    const float *const at = strip.shared.above[plane] + (strip.column / 2 - strip.left_above);
    return strip.column % 2 == 0 ? fmaf(0.8F, at[0], 0.1F * (at[-1] + at[1])) : 0.5F * (at[0] + at[1]);
}

/// spec cvvdp 3.4 to 3.6: |T' - R'| and the lesser of |T'| and |R'| of a pixel.
__device__ __forceinline__ void thread_contrast(const Strip &strip, int y, float (&difference)[kCvvdpChannels],
                                                float (&least)[kCvvdpChannels])
{
    const CvvdpLevel &level = strip.params.levels[strip.band];
    const unsigned long long plane_floats = static_cast<unsigned long long>(level.pitch) * level.height_px;
    const float *const values = level_plane(strip.params, strip.band, strip.frame, 0) +
                                static_cast<unsigned long long>(y) * level.pitch + static_cast<unsigned>(strip.column);
    const float ref_luma = thread_expanded(strip, 0), dis_luma = thread_expanded(strip, kCvvdpChannels);
    const float ref_mean = fmaxf(ref_luma, kCvvdpLeastMean), dis_mean = fmaxf(dis_luma, kCvvdpLeastMean);
    const float ref_factor = thread_reciprocal(ref_mean), dis_factor = thread_reciprocal(dis_mean);
    const float place = fminf(fmaxf(fmaf(kCvvdpPositionScale, thread_log2(ref_mean), kCvvdpPositionOffset), 0),
                              static_cast<float>(kCvvdpCsfPoints - 1));
    const int index = min(static_cast<int>(place), static_cast<int>(kCvvdpCsfPoints) - 2);
    const float part = place - static_cast<float>(index);
#pragma unroll
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        const float *const table = strip.shared.tables[c] + index;
        const float sensitivity = thread_exp2(fmaf(part, table[1] - table[0], table[0]));
        const float ref_above = c == 0 ? ref_luma : thread_expanded(strip, c);
        const float dis_above = c == 0 ? dis_luma : thread_expanded(strip, kCvvdpChannels + c);
        const float ref = fminf((__ldg(values + c * plane_floats) - ref_above) * ref_factor, kCvvdpMostContrast);
        const float dis =
            fminf((__ldg(values + (kCvvdpChannels + c) * plane_floats) - dis_above) * dis_factor, kCvvdpMostContrast);
        difference[c] = sensitivity * fabsf(dis - ref); // exactly 0 for equal pictures
        least[c] = sensitivity * fminf(fabsf(dis), fabsf(ref));
    }
}

/// spec cvvdp 3.6 of a pixel: adds pw(D, 2).
__device__ __forceinline__ void thread_score(const float (&mask)[kCvvdpChannels],
                                             const float (&difference)[kCvvdpChannels], float (&sums)[kCvvdpChannels])
{
    constexpr CvvdpMasking masking = kCvvdpMasking;
    float masked[kCvvdpChannels];
#pragma unroll
    for (unsigned k = 0; k < kCvvdpChannels; ++k)
        masked[k] = thread_power(kCvvdpMaskScale * mask[k], masking.power[k]) - thread_power(0, masking.power[k]);
    const float undiffering = thread_power(0, kCvvdpDifferencePower);
#pragma unroll
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        float mutual = 1;
#pragma unroll
        for (unsigned k = 0; k < kCvvdpChannels; ++k)
            mutual = fmaf(masking.weight[k][c], masked[k], mutual);
        const float above = fmaxf(thread_power(difference[c], kCvvdpDifferencePower) - undiffering, 0);
        const float u = difference[c] > 0 ? above * thread_reciprocal(mutual) : 0;
        const float d = kCvvdpLargestD * u * thread_reciprocal(kCvvdpLargestD + u);
        sums[c] = fmaf(d, d, fmaf(2 * kCvvdpEpsilon, d, sums[c]));
    }
}

/// Step `step` of the walk has the pixels of row top + step - reach, and scores the row `reach` above it.
__device__ __forceinline__ void block_step(Strip &strip, int step, int reach)
{
    CvvdpStripShared &shared = strip.shared;
    const int height = static_cast<int>(strip.params.levels[strip.band].height_px);
    const int row = strip.top + step - reach;
    const int y = strip.blurs ? mirror(row, height) : row;
    block_load_above(strip, y);
    __syncthreads();
    float difference[kCvvdpChannels], least[kCvvdpChannels];
    thread_contrast(strip, y, difference, least);
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        shared.row[c][strip.thread] = least[c];
        shared.differences[step % static_cast<int>(kCvvdpDifferenceRows)][c][strip.thread] = difference[c];
    }
    __syncthreads();
    if (!strip.scores)
        return;
    if (!strip.blurs)
        return thread_score(least, difference, strip.sums);
    const float *const taps = strip.params.blur_taps;
    const int slot = step % static_cast<int>(kCvvdpMaskRows);
#pragma unroll
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        const float *const at = shared.row[c] + strip.thread;
        float sum = taps[0] * at[0];
#pragma unroll
        for (int k = 1; k <= static_cast<int>(kCvvdpBlurReach); ++k)
            sum = fmaf(taps[k], at[-k] + at[k], sum);
        shared.masks[slot][c][strip.thread] = sum;
    }
    if (step < 2 * reach)
        return;
    // The row that was made `reach` steps ago; its neighbours are all there, of this thread's own making.
    float mask[kCvvdpChannels] = {};
    for (int k = -reach; k <= reach; ++k) {
        const int made = (step - reach + k) % static_cast<int>(kCvvdpMaskRows);
        const float tap = taps[abs(k)];
#pragma unroll
        for (unsigned c = 0; c < kCvvdpChannels; ++c)
            mask[c] = fmaf(tap, shared.masks[made][c][strip.thread], mask[c]);
    }
    const int waited = (step - reach) % static_cast<int>(kCvvdpDifferenceRows);
    for (unsigned c = 0; c < kCvvdpChannels; ++c)
        difference[c] = shared.differences[waited][c][strip.thread];
    thread_score(mask, difference, strip.sums);
}

__device__ __forceinline__ unsigned band_of_strip(const CvvdpPyramidParams &params, unsigned strip)
{
    unsigned band = 0;
    while (band + 2 < params.band_count && strip >= params.levels[band + 1].first_strip)
        ++band;
    return band;
}

__device__ __forceinline__ void block_bands(const CvvdpPyramidParams &params)
{
    CvvdpStripShared &shared = *reinterpret_cast<CvvdpStripShared *>(dynamic_shared());
    const unsigned thread = threadIdx.x, band = band_of_strip(params, blockIdx.x);
    const CvvdpLevel &level = params.levels[band];
    const unsigned place = blockIdx.x - level.first_strip;
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    const int left = static_cast<int>(place % level.strips_across * kCvvdpStripColumns);
    const int first = max(left - static_cast<int>(kCvvdpBlurReach), 0); // that is read
    const int x = left + static_cast<int>(thread) - static_cast<int>(kCvvdpBlurReach);
    Strip strip{params, shared, band, blockIdx.z, thread};
    strip.blurs = width > static_cast<int>(kCvvdpBlurReach) && height > static_cast<int>(kCvvdpBlurReach);
    strip.column = min(max(strip.blurs ? mirror(x, width) : x, first), width - 1);
    strip.left_above = first / 2 - 1;
    strip.top = static_cast<int>(place / level.strips_across * kCvvdpStripRows);
    strip.rows = min(static_cast<int>(kCvvdpStripRows), height - strip.top);
    strip.scores = thread >= kCvvdpBlurReach && thread < kCvvdpStripThreads - kCvvdpBlurReach && x < width;
    for (float &sum : strip.sums)
        sum = 0;
    for (unsigned i = thread; i < kCvvdpChannels * kCvvdpCsfPoints; i += kCvvdpStripThreads)
        shared.tables[i / kCvvdpCsfPoints][i % kCvvdpCsfPoints] =
            params.tables[band].sensitivity[i / kCvvdpCsfPoints][i % kCvvdpCsfPoints];
    const int reach = strip.blurs ? static_cast<int>(kCvvdpBlurReach) : 0;
    for (int step = 0; step < strip.rows + 2 * reach; ++step)
        block_step(strip, step, reach);
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        const double sum = warp_sum_in_fixed_order(static_cast<double>(strip.sums[c]));
        if (thread % kWarpSize == 0)
            shared.sums[thread / kWarpSize][c] = sum;
    }
    __syncthreads();
    if (thread >= kCvvdpChannels)
        return;
    double sum = 0;
    for (unsigned warp = 0; warp < kCvvdpStripThreads / kWarpSize; ++warp)
        sum += shared.sums[warp][thread];
    params.slots[(static_cast<unsigned long long>(blockIdx.z) * params.strip_count + blockIdx.x) * kCvvdpChannels +
                 thread] = sum;
}

/// The sum of a value of every thread, in every thread.
__device__ __forceinline__ double block_sum_in_fixed_order(double value, unsigned thread,
                                                           double (&warps)[kCvvdpBaseThreads / kWarpSize])
{
    const double of_warp = warp_sum_in_fixed_order(value);
    __syncthreads();
    if (thread % kWarpSize == 0)
        warps[thread / kWarpSize] = of_warp;
    __syncthreads();
    double sum = 0;
    for (const double warp : warps)
        sum += warp;
    return sum;
}

/// spec cvvdp 3.4 to 3.6 of the base band: one block a frame.
__device__ __forceinline__ void block_base(const CvvdpPyramidParams &params)
{
    __shared__ double warps[kCvvdpBaseThreads / kWarpSize];
    const unsigned thread = threadIdx.x, frame = blockIdx.z, band = params.band_count - 1;
    const CvvdpLevel &level = params.levels[band];
    const unsigned pixels = level.width_px * level.height_px;
    const auto value = [&](unsigned plane, unsigned i) {
        const unsigned long long at = static_cast<unsigned long long>(i / level.width_px) * level.pitch;
        return __ldg(level_plane(params, band, frame, plane) + at + i % level.width_px);
    };
    const auto mean = [&](unsigned plane) {
        double sum = 0;
        for (unsigned i = thread; i < pixels; i += kCvvdpBaseThreads)
            sum += static_cast<double>(fmaxf(value(plane, i), kCvvdpLeastMean));
        return block_sum_in_fixed_order(sum, thread, warps) / pixels;
    };
    const double ref_mean = mean(0), dis_mean = mean(kCvvdpChannels);
    const float place =
        fminf(fmaxf(fmaf(kCvvdpPositionScale, thread_log2(static_cast<float>(ref_mean)), kCvvdpPositionOffset), 0),
              static_cast<float>(kCvvdpCsfPoints - 1));
    const unsigned index = min(static_cast<unsigned>(place), kCvvdpCsfPoints - 2);
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        const float *const table = params.tables[band].sensitivity[c] + index;
        const float sensitivity = thread_exp2(fmaf(place - static_cast<float>(index), table[1] - table[0], table[0]));
        double sum = 0;
        for (unsigned i = thread; i < pixels; i += kCvvdpBaseThreads) {
            const double ref = fmin(static_cast<double>(value(c, i)) / ref_mean, 1000.0);
            const double dis = fmin(static_cast<double>(value(kCvvdpChannels + c, i)) / dis_mean, 1000.0);
            const double d = fabs(dis - ref) * static_cast<double>(sensitivity);
            sum += d * d + 2 * 0.00001 * d;
        }
        sum = block_sum_in_fixed_order(sum, thread, warps);
        if (thread == 0)
            params.sums[frame]->squares[band][c] = sum;
    }
}

/// The sums of a band's strips, in a fixed order: a warp a channel. blockIdx.x is the band.
__device__ __forceinline__ void block_sum(const CvvdpPyramidParams &params)
{
    const unsigned band = blockIdx.x, frame = blockIdx.z, lane = threadIdx.x % kWarpSize,
                   channel = threadIdx.x / kWarpSize;
    const unsigned first = params.levels[band].first_strip,
                   end = band + 2 < params.band_count ? params.levels[band + 1].first_strip : params.strip_count;
    const double *const slots =
        params.slots + static_cast<unsigned long long>(frame) * params.strip_count * kCvvdpChannels + channel;
    double sum = 0;
    for (unsigned strip = first + lane; strip < end; strip += kWarpSize)
        sum += slots[static_cast<unsigned long long>(strip) * kCvvdpChannels];
    sum = warp_sum_in_fixed_order(sum);
    if (lane == 0)
        params.sums[frame]->squares[band][channel] = sum;
}

} // namespace

#define VMAF_CVVDP_CHANNELS(name, Sample, chroma)                                                                      \
    extern "C" __global__ void __launch_bounds__(kCvvdpChannelsThreads)                                                \
        name(const __grid_constant__ CvvdpChannelsParams params)                                                       \
    {                                                                                                                  \
        block_channels<Sample, ChromaRows::chroma>(params);                                                            \
    }
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_grey_8bit, std::uint8_t, none)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_half_8bit, std::uint8_t, one)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_full_8bit, std::uint8_t, two)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_grey_16bit, std::uint16_t, none)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_half_16bit, std::uint16_t, one)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_full_16bit, std::uint16_t, two)

extern "C" __global__ void __launch_bounds__(kCvvdpReduceThreads)
    vmaf_cvvdp_reduce(const __grid_constant__ CvvdpPyramidParams params)
{
    block_reduce(params);
}

extern "C" __global__ void __launch_bounds__(kCvvdpStripThreads)
    vmaf_cvvdp_bands(const __grid_constant__ CvvdpPyramidParams params)
{
    block_bands(params);
}

extern "C" __global__ void __launch_bounds__(kCvvdpBaseThreads)
    vmaf_cvvdp_base(const __grid_constant__ CvvdpPyramidParams params)
{
    block_base(params);
}

extern "C" __global__ void __launch_bounds__(kCvvdpSumThreads)
    vmaf_cvvdp_sum(const __grid_constant__ CvvdpPyramidParams params)
{
    block_sum(params);
}

} // namespace vmaf
