#include <type_traits>

#include "common/common.cuh"
#include "common/rgb.cuh"
#include "common/special_functions.cuh"
#include "feature/ssimulacra2/ssimulacra2_cuda_params.h"
#include "feature/ssimulacra2/ssimulacra2_weights.h"

// spec ssimulacra2 3 on batches of frames: scale 0 from the samples, which also writes linear RGB
// of scale 1; scales 2 to 5 of that; the error maps of scales 1 to 5; the sum of what the blocks
// left behind, in a fixed order.
//
// Operations a pixel of scale 0: conversion of both pictures 112 and 24 of the special function
// unit, seven blurs 129 (spec ssimulacra2 5.4), variances 49 (5.7), maps 44 and 4; of the other
// scales, a third as many pixels: 75 and 12, nine blurs 171, 147, 87 and 6. With the halo some 590
// a luma pixel: 0.042 ms at 1080p. With loads, stores and addresses a GPU runs 910 (640 at scale
// 0): 0.065 ms. Bytes: 3 read, 8 written and 9 read a pixel for the pyramid.

namespace vmaf {
inline namespace ssimulacra2_kernels {

constexpr int kTile = kSsimulacra2TileColumns;
constexpr int kStrip = kSsimulacra2StripColumns;
constexpr int kReach = kSsimulacra2Reach;
constexpr int kChunk = kSsimulacra2ChunkRows;
constexpr unsigned kPixelThreads = kTile * kChunk / 2; // a thread converts two pixels, one below the other
constexpr int kGroup = 4;                              // columns that a thread blurs
static_assert(kChunk == kReach, "a chunk's blurs are those of the rows of the chunk before");
static_assert(kStrip % kGroup == 0 && kStrip / kGroup <= static_cast<int>(kWarpSize), "a warp blurs a row");
static_assert(kSsimulacra2StripRows % kChunk == 0 && kStrip % 2 == 0, "strips hold whole pixels of the next scale");

constexpr float kTap0 = kSsimulacra2Taps[0], kTap1 = kSsimulacra2Taps[1], kTap2 = kSsimulacra2Taps[2],
                kTap3 = kSsimulacra2Taps[3], kTap4 = kSsimulacra2Taps[4];

/// A Newton step brings the approximate root to 1 ulp (spec ssimulacra2 5.2).
__device__ __forceinline__ float thread_cube_root(float x)
{
    const float inverse = thread_exp2(thread_log2(x) * (-1.0F / 3));
    const float inverse2 = inverse * inverse;
    const float root = x * inverse2;
    const float excess = fmaf(root, inverse, -1); // three times the inverse's error; the root has two of them
    return fmaf(root * (-2.0F / 3), excess, root);
}

struct Xyb {
    float plane[kSsimulacra2Planes];
};

/// Without the subtraction of the bias's root, which cancels in X and B.
template <int Cone> __device__ __forceinline__ float thread_cone(const Rgb &c)
{
    constexpr float kR = kSsimulacra2Cones[Cone][0], kG = kSsimulacra2Cones[Cone][1], kB = kSsimulacra2Cones[Cone][2];
    return thread_cube_root(fmaf(kR, c.r, fmaf(kG, c.g, fmaf(kB, c.b, kSsimulacra2Bias))));
}

/// spec ssimulacra2 3.4. Grey pictures have exactly constant X and B.
template <bool Grey> __device__ __forceinline__ Xyb thread_xyb(const Rgb &c)
{
    constexpr float kShift = 0.01F - kSsimulacra2BiasRoot;
    if constexpr (Grey)
        return {0.42F, thread_cube_root(c.r + kSsimulacra2Bias) + kShift, 0.55F};
    const float l = thread_cone<0>(c), m = thread_cone<1>(c), s = thread_cone<2>(c);
    const float sum = l + m;
    return {fmaf(l - m, 7, 0.42F), fmaf(sum, 0.5F, kShift), fmaf(sum, -0.5F, s) + 0.55F};
}

/// Calls `body` with every plane as a constant.
template <class Body> __device__ __forceinline__ void for_each_plane(Body body)
{
    body(std::integral_constant<int, 0>());
    body(std::integral_constant<int, 1>());
    body(std::integral_constant<int, 2>());
}

/// What a kernel computes of a plane: all maps, or those that have a weight at scale 0 of six
/// scales.
template <bool All, int Plane> struct PlaneSignals {
    using Before = PlaneSignals<All, Plane - 1>;
    static constexpr unsigned kMaps = ssimulacra2_maps(Plane, 0, All ? 0 : kSsimulacra2Scales);
    static constexpr unsigned kTerms = ssimulacra2_terms(Plane, 0, All ? 0 : kSsimulacra2Scales);
    static constexpr bool kSsim = has_ssim(kMaps);
    static constexpr int kFirst = Before::kEnd; ///< the blur of x; that of d is the next, for ssim then that of d*d
    static constexpr int kEnd = kFirst + (kSsim ? 3 : 2);
    static constexpr int kStatistic = Before::kStatistics; ///< of those of the planes with ssim
    static constexpr int kStatistics = kStatistic + (kSsim ? 1 : 0);
    static constexpr unsigned kAllTerms = Before::kAllTerms | kTerms << Plane * kSsimulacra2TermsOfScale;
};
template <bool All> struct PlaneSignals<All, -1> {
    static constexpr int kEnd = 0;
    static constexpr int kStatistics = 0;
    static constexpr unsigned kAllTerms = 0;
};
template <bool All> struct Signals {
    static constexpr int kBlurs = PlaneSignals<All, kSsimulacra2Planes - 1>::kEnd;
    static constexpr int kStatistics = PlaneSignals<All, kSsimulacra2Planes - 1>::kStatistics;
    static constexpr unsigned kTerms = PlaneSignals<All, kSsimulacra2Planes - 1>::kAllTerms; ///< bit i: sum i of a slot
    static constexpr unsigned kThreads = (kBlurs + kStatistics) * kWarpSize;                 ///< a warp for each
    static_assert(kThreads >= kPixelThreads, "a thread for every pair of pixels");
};

constexpr int kRingChunks = 3; // what the blur across rows of one chunk reads
constexpr int kRing = kRingChunks * kChunk;

/// What the phases of a block exchange.
template <bool All> struct Exchange {
    /// A chunk's pixels are scored with the blurs of the next one. Where there is no room for two
    /// chunks, threads keep theirs.
    static constexpr int kRowChunks = All ? 1 : 2;

    alignas(16) float rows[kRowChunks][kSsimulacra2Planes][2][kChunk][kTile]; ///< x and d
    alignas(16) float blurred[Signals<All>::kBlurs][kChunk][kStrip];          ///< the blurs, kReach rows above
    alignas(16) float2 moments[Signals<All>::kStatistics][kRing][kStrip]; ///< of x + y along the row: mean, variance
};
static_assert(sizeof(Exchange<false>) == kSsimulacra2Scale0SharedBytes &&
              sizeof(Exchange<true>) == kSsimulacra2AllMapsSharedBytes);

/// Two pixels of both pictures in XYB as they were before the blur: x and d = y - x.
struct PixelPair {
    Xyb x[2], d[2];
};

/// Sums of the maps over the pixels of one thread, as far as they have a weight.
template <bool All> struct ThreadSums {
    float sums[kSsimulacra2Planes][kSsimulacra2Norms][kSsimulacra2Maps];

    template <int Plane, int Map> __device__ __forceinline__ void add(float e)
    {
        constexpr unsigned kTerms = PlaneSignals<All, Plane>::kTerms; // norm 1's, then norm 4's
        if constexpr ((kTerms >> Map & 1) != 0)
            sums[Plane][0][Map] += e;
        if constexpr ((kTerms >> (kSsimulacra2Maps + Map) & 1) != 0)
            sums[Plane][1][Map] += (e * e) * (e * e);
    }
};

/// The column and the rows of a thread's pixels.
struct PixelPlace {
    int column; ///< in the tile
    int pair;   ///< of rows in the chunk
    int x;      ///< in the picture; may lie outside

    __device__ __forceinline__ PixelPlace(unsigned thread, unsigned strip_x)
        : column(static_cast<int>(thread) % kTile), pair(static_cast<int>(thread) / kTile),
          x(static_cast<int>(strip_x) * kStrip - kReach + column)
    {
    }
    __device__ __forceinline__ bool in_strip() const { return column >= kReach && column < kReach + kStrip; }
};

/// Stores the thread's pixels. Those outside the picture count 0 (spec ssimulacra2 3.6).
template <bool All>
__device__ __forceinline__ void thread_store(Exchange<All> &exchange, const PixelPlace &place, int chunk,
                                             const PixelPair &pixels)
{
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int plane = 0; plane < static_cast<int>(kSsimulacra2Planes); ++plane) {
            auto &rows = exchange.rows[chunk % Exchange<All>::kRowChunks][plane];
            rows[0][2 * place.pair + i][place.column] = pixels.x[i].plane[plane];
            rows[1][2 * place.pair + i][place.column] = pixels.d[i].plane[plane];
        }
}

/// What the thread stored: read again, it takes no registers while the thread filters.
template <bool All>
__device__ __forceinline__ PixelPair thread_stored(const Exchange<All> &exchange, const PixelPlace &place, int chunk)
{
    PixelPair pixels;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int plane = 0; plane < static_cast<int>(kSsimulacra2Planes); ++plane) {
            const auto &rows = exchange.rows[chunk % Exchange<All>::kRowChunks][plane];
            pixels.x[i].plane[plane] = rows[0][2 * place.pair + i][place.column];
            pixels.d[i].plane[plane] = rows[1][2 * place.pair + i][place.column];
        }
    return pixels;
}

/// The vertical blur of a thread's columns: for each the parts of the next 8 rows' results that are
/// known so far.
struct ColumnBlur {
    float parts[2 * kReach][kGroup];

    /// Takes in a row blurred along itself, gives the result kReach rows above.
    __device__ __forceinline__ float push(int column, float v)
    {
        constexpr float kTaps[2 * kReach + 1] = {kTap4, kTap3, kTap2, kTap1, kTap0, kTap1, kTap2, kTap3, kTap4};
        const float result = fmaf(kTap4, v, parts[0][column]);
#pragma unroll
        for (int i = 0; i < 2 * kReach - 1; ++i)
            parts[i][column] = fmaf(kTaps[i + 1], v, parts[i + 1][column]);
        parts[2 * kReach - 1][column] = kTap4 * v;
        return result;
    }
};

__device__ __forceinline__ float thread_blur_along_row(const float *v)
{
    const float far = fmaf(kTap4, v[0] + v[8], kTap3 * (v[1] + v[7]));
    return fmaf(kTap0, v[4], fmaf(kTap1, v[3] + v[5], fmaf(kTap2, v[2] + v[6], far)));
}

/// The values that a lane's columns are blurred of.
struct LaneValues {
    float v[kGroup + 2 * kReach];

    __device__ __forceinline__ LaneValues(const float (&row)[kTile], int lane)
    {
        const float4 *from = reinterpret_cast<const float4 *>(&row[lane * kGroup]);
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            const float4 four = from[i];
            v[4 * i] = four.x;
            v[4 * i + 1] = four.y;
            v[4 * i + 2] = four.z;
            v[4 * i + 3] = four.w;
        }
    }
};

__device__ __forceinline__ void thread_store_group(float (&row)[kStrip], int lane, const float (&values)[kGroup])
{
    *reinterpret_cast<float4 *>(&row[lane * kGroup]) = make_float4(values[0], values[1], values[2], values[3]);
}

// The filters of one chunk's rows, row by row: unrolled, their code would not fit the cache of
// instructions.

/// The blur of the values or of their squares.
template <bool Squared>
__device__ __forceinline__ void thread_blur(const float (&rows)[kChunk][kTile], int lane, ColumnBlur &columns,
                                            float (&blurred)[kChunk][kStrip])
{
#pragma unroll 1
    for (int row = 0; row < kChunk; ++row) {
        LaneValues values(rows[row], lane);
        if (Squared)
#pragma unroll
            for (float &v : values.v)
                v *= v;
        float out[kGroup];
#pragma unroll
        for (int i = 0; i < kGroup; ++i)
            out[i] = columns.push(i, thread_blur_along_row(values.v + i));
        thread_store_group(blurred[row], lane, out);
    }
}

/// spec ssimulacra2 5.7: means and variances of s = x + y along the rows. What is squared are
/// distances from a value of the row.
__device__ __forceinline__ void thread_row_statistics(const float (&rows)[2][kChunk][kTile], int lane,
                                                      float2 (*moments)[kStrip])
{
#pragma unroll 1
    for (int row = 0; row < kChunk; ++row) {
        const LaneValues x(rows[0][row], lane), d(rows[1][row], lane);
        const float offset =
            fmaf(2, rows[0][row][kReach], rows[1][row][kReach]); // the strip's first column: never outside
        constexpr int kCount = kGroup + 2 * kReach;
        float distance[kCount], squared[kCount];
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            distance[i] = fmaf(2, x.v[i], d.v[i]) - offset;
            squared[i] = distance[i] * distance[i];
        }
        float mean[kGroup], variance[kGroup];
#pragma unroll
        for (int i = 0; i < kGroup; ++i) {
            const float m = thread_blur_along_row(distance + i);
            variance[i] = fmaxf(fmaf(-m, m, thread_blur_along_row(squared + i)), 0);
            mean[i] = m + offset;
        }
        float4 *const to = reinterpret_cast<float4 *>(&moments[row][lane * kGroup]);
        to[0] = make_float4(mean[0], variance[0], mean[1], variance[1]);
        to[1] = make_float4(mean[2], variance[2], mean[3], variance[3]);
    }
}

/// What a warp does of every chunk.
struct WarpTask {
    enum class Kind { blur, blur_of_squares, statistics };

    Kind kind;
    int plane;
    int source; ///< of a blur: x (0) or d (1)
    int result; ///< the blur's or the statistic's number

    template <bool All> __device__ __forceinline__ static WarpTask of(int warp, std::bool_constant<All>)
    {
        WarpTask task{Kind::blur, 0, 0, warp};
        for_each_plane([&](auto plane) {
            constexpr int kPlane = decltype(plane)::value;
            using Signal = PlaneSignals<All, kPlane>;
            if (warp >= Signal::kFirst && warp < Signal::kEnd) {
                const int signal = warp - Signal::kFirst;
                task = {signal < 2 ? Kind::blur : Kind::blur_of_squares, kPlane, signal < 2 ? signal : 1, warp};
            }
            if (Signal::kSsim && warp == Signals<All>::kBlurs + Signal::kStatistic)
                task = {Kind::statistics, kPlane, 0, Signal::kStatistic};
        });
        return task;
    }

    template <bool All>
    __device__ __forceinline__ void run(Exchange<All> &exchange, int lane, int chunk, ColumnBlur &columns) const
    {
        if (lane >= kStrip / kGroup)
            return;
        const auto &rows = exchange.rows[chunk % Exchange<All>::kRowChunks][plane];
        const int slot = chunk % kRingChunks * kChunk;
        if (kind == Kind::blur)
            thread_blur<false>(rows[source], lane, columns, exchange.blurred[result]);
        else if (kind == Kind::blur_of_squares)
            thread_blur<true>(rows[source], lane, columns, exchange.blurred[result]);
        else
            thread_row_statistics(rows, lane, exchange.moments[result] + slot);
    }
};

/// Statistic across rows, for two pixels one below the other.
struct ColumnStatistic {
    float mean;        ///< along the row of the upper pixel
    float variance[2]; ///< of s, with squared distances from that mean

    template <bool All>
    __device__ __forceinline__ ColumnStatistic(const Exchange<All> &exchange, int statistic, int chunk, int pair,
                                               int column)
    {
        // The rows, in pairs, from the same pair two chunks above to that of this chunk.
        static_assert(kChunk == 4 && kRingChunks == 3, "a chunk has two pairs of rows");
        constexpr int kPairs = kReach + 1, kRows = 2 * kPairs;
        const auto slot = [chunk](int above) { return (chunk + kRingChunks - above) % kRingChunks * kChunk; };
        const int same = 2 * pair;
        const int pairs[kPairs] = {slot(2) + same, pair == 0 ? slot(2) + 2 : slot(1), slot(1) + same,
                                   pair == 0 ? slot(1) + 2 : slot(0), slot(0) + same};
        float2 of_row[kRows];
#pragma unroll
        for (int i = 0; i < kPairs; ++i) {
            of_row[2 * i] = exchange.moments[statistic][pairs[i]][column];
            of_row[2 * i + 1] = exchange.moments[statistic][pairs[i] + 1][column];
        }
        mean = of_row[kReach].x;
        float moments[kRows]; // of each row around the mean
#pragma unroll
        for (int row = 0; row < kRows; ++row) {
            const float distance = of_row[row].x - mean;
            moments[row] = fmaf(distance, distance, of_row[row].y);
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
            variance[i] = thread_blur_along_row(moments + i);
    }
};

/// spec ssimulacra2 3.5: e_ssim. `mean` and `variance` are those of ColumnStatistic.
__device__ __forceinline__ float thread_ssim(float mu1, float d, float squared_difference, float mean, float variance)
{
    const float d2 = d * d;
    const float v = squared_difference - d2;
    const float distance = fmaf(2, mu1, d) - mean;
    const float n = fmaxf(fmaf(0.5F, fmaf(-distance, distance, variance) + v, kSsimulacra2C2), kSsimulacra2C2 / 2);
    return fmaxf(fmaf((1 - d2) * v, thread_reciprocal(n), d2), 0);
}

/// t, whose sign tells artefacts from lost detail. x and d are the pixel, mu1 and blurred_d its
/// blurs.
__device__ __forceinline__ float thread_edge_change(float x, float d, float mu1, float blurred_d)
{
    const float edge = x - mu1;
    const float size = fabsf(edge);
    return (fabsf(edge + (d - blurred_d)) - size) * thread_reciprocal(1 + size);
}

/// The maps of a thread's two pixels of the chunk before. What lies outside the picture, which only
/// the lower one may, adds 0.
template <bool All>
__device__ __forceinline__ void thread_score(const Exchange<All> &exchange, const PixelPlace &place, int chunk,
                                             const PixelPair &pixels, bool has_lower, ThreadSums<All> &sums)
{
    const int column = place.column - kReach;
    for_each_plane([&](auto plane) {
        constexpr int kPlane = decltype(plane)::value;
        using Signal = PlaneSignals<All, kPlane>;
        const auto blurred = [&](int signal, int i) {
            return exchange.blurred[Signal::kFirst + signal][2 * place.pair + i][column];
        };
        float mu1[2], blurred_d[2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            mu1[i] = blurred(0, i);
            blurred_d[i] = blurred(1, i);
        }
        if constexpr (Signal::kSsim) {
            const ColumnStatistic s(exchange, Signal::kStatistic, chunk, place.pair, column);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const float e = thread_ssim(mu1[i], blurred_d[i], blurred(2, i), s.mean, s.variance[i]);
                sums.template add<kPlane, kSsimMap>(i == 0 || has_lower ? e : 0);
            }
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const float change =
                thread_edge_change(pixels.x[i].plane[kPlane], pixels.d[i].plane[kPlane], mu1[i], blurred_d[i]);
            const float t = i == 0 || has_lower ? change : 0;
            sums.template add<kPlane, kArtefactMap>(fmaxf(t, 0));
            sums.template add<kPlane, kDetailMap>(fmaxf(-t, 0));
        }
    });
}

/// The sums over a block's threads, in a fixed order, to `slot`. `scratch` holds
/// kSsimulacra2SlotSums for each warp.
template <int Warps, bool All>
__device__ __forceinline__ void block_reduce(const ThreadSums<All> &sums, unsigned thread, double *scratch,
                                             Ssimulacra2Slot &slot)
{
    const unsigned lane = thread % kWarpSize, warp = thread / kWarpSize;
    const float *values = &sums.sums[0][0][0];
#pragma unroll
    for (int i = 0; i < static_cast<int>(kSsimulacra2SlotSums); ++i) {
        const double sum = (Signals<All>::kTerms >> i & 1) != 0 ? warp_sum_in_fixed_order(values[i]) : 0;
        if (lane == 0)
            scratch[warp * kSsimulacra2SlotSums + i] = sum;
    }
    __syncthreads();
    if (thread >= kSsimulacra2SlotSums)
        return;
    double sum = 0;
    for (int w = 0; w < Warps; ++w)
        sum += scratch[w * kSsimulacra2SlotSums + thread];
    (&slot.sums[0][0][0])[thread] = sum;
}

/// The error maps of one strip. `source` gives the linear colour of a thread's pixels.
template <bool All, class Source>
__device__ __forceinline__ void block_score(const Ssimulacra2KernelParams &params, const Ssimulacra2Level &level,
                                            unsigned strip, unsigned thread, const Source &source,
                                            Ssimulacra2Slot &slot)
{
    constexpr int kWarps = Signals<All>::kThreads / kWarpSize;
    static_assert(sizeof(Exchange<All>) >= kWarps * sizeof(Ssimulacra2Slot), "the reduction uses the same memory");
    auto &exchange = *reinterpret_cast<Exchange<All> *>(dynamic_shared());

    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    const PixelPlace place(thread, strip % level.strips_across);
    const int top = static_cast<int>(strip / level.strips_across * kSsimulacra2StripRows);
    const int rows = min(static_cast<int>(kSsimulacra2StripRows), height - top);
    const int chunks =
        (rows + kChunk - 1) / kChunk + 2; // the blurs come 4 rows later and the first ones want 4 rows before
    const bool has_pixels = thread < kPixelThreads, in_strip = has_pixels && place.in_strip();

    const WarpTask task = WarpTask::of(static_cast<int>(thread / kWarpSize), std::bool_constant<All>());
    ColumnBlur columns{};
    ThreadSums<All> sums{};
    constexpr bool kRowsStay = Exchange<All>::kRowChunks > 1;
    PixelPair before{}; // of the chunk before, unless its rows stay
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const int y = top - kReach + chunk * kChunk + 2 * place.pair; // of the upper pixel
        if (has_pixels) {
            PixelPair pixels;
            source.load(params, place, y, in_strip && y >= top && y < top + rows, pixels);
            thread_store(exchange, place, chunk, pixels);
        }
        __syncthreads();
        task.run(exchange, static_cast<int>(thread % kWarpSize), chunk, columns);
        __syncthreads();
        if (in_strip && place.x < width && chunk >= 2 && y - kReach < height)
            thread_score(exchange, place, chunk, kRowsStay ? thread_stored(exchange, place, chunk - 1) : before,
                         y - kReach + 1 < height, sums);
        if (!kRowsStay && has_pixels)
            before = thread_stored(exchange, place, chunk);
    }
    __syncthreads(); // the exchange becomes the reduction's scratch memory
    block_reduce<kWarps>(sums, thread, reinterpret_cast<double *>(&exchange), slot);
}

/// Turns linear colour of both pictures into what is blurred of the pixel; 0 outside the picture.
template <bool Grey>
__device__ __forceinline__ void thread_convert(const Rgb &ref, const Rgb &dis, bool inside, Xyb &x, Xyb &d)
{
    const Xyb y = thread_xyb<Grey>(dis);
    x = thread_xyb<Grey>(ref);
#pragma unroll
    for (int plane = 0; plane < static_cast<int>(kSsimulacra2Planes); ++plane) {
        d.plane[plane] = inside ? y.plane[plane] - x.plane[plane] : 0;
        x.plane[plane] = inside ? x.plane[plane] : 0;
    }
}

__device__ __forceinline__ int clamp_index(int index, int size)
{
    return min(max(index, 0), size - 1);
}

/// A pixel of a scale from 1 on: its linear colour, plane after plane, kSsimulacra2Group floats
/// apart. A scale has at most 6 x 8192 x 8192 floats: 32 bits count them.
__device__ __forceinline__ float *pixel_of(const Ssimulacra2KernelParams &params, const Ssimulacra2Level &level,
                                           unsigned frame, unsigned x, unsigned y)
{
    return params.planes + frame * params.frame_floats + level.offset +
           ((y * level.pitch + x / kSsimulacra2Group * kSsimulacra2Group) * kSsimulacra2LinearPlanes +
            x % kSsimulacra2Group);
}

/// Scale 0: samples. Also writes scale 1, of which each pair of columns makes a pixel.
template <class Sample, RgbLight Light> struct SampleSource {
    const CudaPairFrame &frame;
    unsigned frame_index;

    /// spec ssimulacra2 3.3. Lanes 2n and 2n + 1 have the pixel's columns; one writes ref, the
    /// other dis.
    __device__ __forceinline__ void halve(const Ssimulacra2KernelParams &params, const PixelPlace &place, int y,
                                          bool owned, const Rgb (&ref)[2], const Rgb (&dis)[2]) const
    {
        const bool second = place.column % 2 == 1;
        const auto quad = [second](float ref_column, float dis_column) {
            const float other = __shfl_xor_sync(kFullWarp, second ? ref_column : dis_column, 1);
            return ((second ? dis_column : ref_column) + other) * 0.25F;
        };
        const float means[3] = {quad(ref[0].r + ref[1].r, dis[0].r + dis[1].r),
                                quad(ref[0].g + ref[1].g, dis[0].g + dis[1].g),
                                quad(ref[0].b + ref[1].b, dis[0].b + dis[1].b)};
        const Ssimulacra2Level &half = params.levels[1];
        const int x = place.x >> 1;
        if (!owned || x >= static_cast<int>(half.width_px))
            return;
        float *at = pixel_of(params, half, frame_index, x, y / 2) +
                    (second ? kSsimulacra2LinearPlanes / 2 * kSsimulacra2Group : 0);
#pragma unroll
        for (unsigned channel = 0; channel < 3; ++channel)
            at[channel * kSsimulacra2Group] = means[channel];
    }

    template <ChromaRows Chroma>
    __device__ __forceinline__ void load_pair(const Ssimulacra2KernelParams &params, const PixelPlace &place, int y,
                                              bool owned, PixelPair &pixels) const
    {
        const Ssimulacra2Level &level = params.levels[0];
        const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
        const int x = clamp_index(place.x, width);
        const int rows[2] = {clamp_index(y, height), clamp_index(y + 1, height)};
        Rgb ref[2], dis[2];
        thread_load_rgb<Sample, Chroma, Light>(params.sampling, frame.ref, x, rows, ref);
        thread_load_rgb<Sample, Chroma, Light>(params.sampling, frame.dis, x, rows, dis);
        halve(params, place, y, owned, ref, dis);
#pragma unroll
        for (int i = 0; i < 2; ++i)
            thread_convert<Chroma == ChromaRows::none>(ref[i], dis[i], place.x == x && y + i == rows[i], pixels.x[i],
                                                       pixels.d[i]);
    }

    /// `owned`: no other block scores the upper pixel.
    __device__ __forceinline__ void load(const Ssimulacra2KernelParams &params, const PixelPlace &place, int y,
                                         bool owned, PixelPair &pixels) const
    {
        if (params.sampling.grey)
            load_pair<ChromaRows::none>(params, place, y, owned, pixels);
        else if (params.sampling.chroma_shift_y != 0)
            load_pair<ChromaRows::one>(params, place, y, owned, pixels);
        else
            load_pair<ChromaRows::two>(params, place, y, owned, pixels);
    }
};

/// Scales 1 to 5: linear colour.
struct LinearSource {
    const Ssimulacra2Level &level;
    unsigned frame_index;

    template <bool Grey>
    __device__ __forceinline__ void load_pair(const Ssimulacra2KernelParams &params, const PixelPlace &place, int y,
                                              PixelPair &pixels) const
    {
        const int x = clamp_index(place.x, static_cast<int>(level.width_px));
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int row = clamp_index(y + i, static_cast<int>(level.height_px));
            const float *at = pixel_of(params, level, frame_index, x, row);
            const auto linear = [at](unsigned plane) {
                return Rgb{at[plane * kSsimulacra2Group], at[(plane + 1) * kSsimulacra2Group],
                           at[(plane + 2) * kSsimulacra2Group]};
            };
            thread_convert<Grey>(linear(0), linear(kSsimulacra2LinearPlanes / 2), place.x == x && y + i == row,
                                 pixels.x[i], pixels.d[i]);
        }
    }

    __device__ __forceinline__ void load(const Ssimulacra2KernelParams &params, const PixelPlace &place, int y, bool,
                                         PixelPair &pixels) const
    {
        if (params.sampling.grey)
            load_pair<true>(params, place, y, pixels);
        else
            load_pair<false>(params, place, y, pixels);
    }
};

template <class Sample, bool All, RgbLight Light>
__device__ __forceinline__ void block_score_samples(const Ssimulacra2KernelParams &params, unsigned strip,
                                                    unsigned frame, unsigned thread)
{
    const SampleSource<Sample, Light> source{params.batch.frames[frame], frame};
    block_score<All>(params, params.levels[0], strip, thread, source, params.slots[frame * params.strip_count + strip]);
}

/// The part of one scale that a square holds, to be halved again.
template <int Side> struct Square {
    alignas(sizeof(float2)) float planes[kSsimulacra2LinearPlanes][Side][Side + 2];
};

/// Two floats side by side. Beyond the picture the edge is repeated: nobody wrote what is there.
__device__ __forceinline__ float2 thread_load_two(const float *from, bool both)
{
    return both ? *reinterpret_cast<const float2 *>(from) : make_float2(*from, *from);
}

/// Writes Side x Side pixels of `scale`, the mean of four of the scale before (spec ssimulacra2
/// 3.3), which `value` finds by plane and place in the square.
template <int Side, class Value>
__device__ __forceinline__ void block_halve_once(const Ssimulacra2KernelParams &params, unsigned scale, uint2 square,
                                                 unsigned frame, unsigned thread, Value value, Square<Side> &result)
{
    constexpr unsigned kPixels = Side * Side, kTasks = kSsimulacra2LinearPlanes * kPixels;
    constexpr unsigned kRounds = (kTasks + kSsimulacra2HalveThreads - 1) / kSsimulacra2HalveThreads;
    const Ssimulacra2Level &from = params.levels[scale - 1], &to = params.levels[scale];
    const unsigned last_column = from.width_px - 1 - square.x * 2 * Side; // in the square, or beyond it
    const unsigned last_row = from.height_px - 1 - square.y * 2 * Side;
    float2 top[kRounds], bottom[kRounds]; // all are under way before one is awaited
#pragma unroll
    for (unsigned round = 0; round < kRounds; ++round) {
        const unsigned task = round * kSsimulacra2HalveThreads + thread;
        if (kTasks % kSsimulacra2HalveThreads != 0 && task >= kTasks)
            continue;
        const unsigned plane = task / kPixels, row = 2 * (task / Side % Side);
        const unsigned column = min(2 * (task % Side), last_column / 2 * 2);
        top[round] = thread_load_two(value(plane, column, min(row, last_row)), column < last_column);
        bottom[round] = thread_load_two(value(plane, column, min(row + 1, last_row)), column < last_column);
    }
#pragma unroll
    for (unsigned round = 0; round < kRounds; ++round) {
        const unsigned task = round * kSsimulacra2HalveThreads + thread;
        const unsigned plane = task / kPixels, row = task / Side % Side, column = task % Side;
        const unsigned x = square.x * Side + column, y = square.y * Side + row;
        if (task >= kTasks || x >= to.width_px || y >= to.height_px)
            continue;
        const float mean = ((top[round].x + top[round].y) + (bottom[round].x + bottom[round].y)) * 0.25F;
        result.planes[plane][row][column] = mean;
        pixel_of(params, to, frame, x, y)[plane * kSsimulacra2Group] = mean;
    }
    __syncthreads();
}

/// Scales 2 to 5 from a square of scale 1.
__device__ __forceinline__ void block_halve(const Ssimulacra2KernelParams &params, uint2 square, unsigned frame,
                                            unsigned thread)
{
    constexpr int kSide = kSsimulacra2HalveTile;
    __shared__ Square<kSide / 2> second;
    __shared__ Square<kSide / 4> third;
    __shared__ Square<kSide / 8> fourth;
    __shared__ Square<kSide / 16> fifth;
    const auto read = [](const auto &from) {
        return [&from](unsigned plane, unsigned x, unsigned y) { return &from.planes[plane][y][x]; };
    };
    const Ssimulacra2Level &first = params.levels[1];
    const auto pixel = [&](unsigned plane, unsigned x, unsigned y) {
        return pixel_of(params, first, frame, square.x * kSide + x, square.y * kSide + y) + plane * kSsimulacra2Group;
    };
    block_halve_once(params, 2, square, frame, thread, pixel, second);
    if (params.scale_count > 3)
        block_halve_once(params, 3, square, frame, thread, read(second), third);
    if (params.scale_count > 4)
        block_halve_once(params, 4, square, frame, thread, read(third), fourth);
    if (params.scale_count > 5)
        block_halve_once(params, 5, square, frame, thread, read(fourth), fifth);
}

/// One scale's sums over its slots, in a fixed order.
__device__ __forceinline__ void block_sum_slots(const Ssimulacra2KernelParams &params, unsigned scale, unsigned frame,
                                                unsigned thread)
{
    constexpr unsigned kWarps = kSsimulacra2ReduceThreads / kWarpSize;
    __shared__ double warp_sums[kWarps][kSsimulacra2SlotSums];
    const Ssimulacra2Level &level = params.levels[scale];
    const Ssimulacra2Slot *slots = params.slots + frame * params.strip_count + level.first_strip;
    double sums[kSsimulacra2SlotSums] = {};
    for (unsigned strip = thread; strip < level.strip_count; strip += kSsimulacra2ReduceThreads)
#pragma unroll
        for (unsigned i = 0; i < kSsimulacra2SlotSums; ++i)
            sums[i] += (&slots[strip].sums[0][0][0])[i];
#pragma unroll
    for (unsigned i = 0; i < kSsimulacra2SlotSums; ++i) {
        const double sum = warp_sum_in_fixed_order(sums[i]);
        if (thread % kWarpSize == 0)
            warp_sums[thread / kWarpSize][i] = sum;
    }
    __syncthreads();
    if (thread >= kSsimulacra2SlotSums)
        return;
    double sum = 0;
    for (unsigned warp = 0; warp < kWarps; ++warp)
        sum += warp_sums[warp][thread];
    Ssimulacra2Sums &result = *static_cast<Ssimulacra2Sums *>(params.batch.frames[frame].sums);
    constexpr unsigned kTerms = kSsimulacra2Norms * kSsimulacra2Maps;
    (&result.sums[thread / kTerms][scale][0][0])[thread % kTerms] = sum;
}

} // namespace ssimulacra2_kernels

static_assert(Signals<false>::kThreads == kSsimulacra2Scale0Threads &&
              Signals<true>::kThreads == kSsimulacra2AllMapsThreads);

// Grid: strips of scale 0, -, frames.
#define VMAF_SSIMULACRA2_SCALE0(name, Sample, All, light)                                                              \
    extern "C" __global__ void __launch_bounds__(Signals<All>::kThreads, All ? 2 : 3)                                  \
        name(const __grid_constant__ Ssimulacra2KernelParams params)                                                   \
    {                                                                                                                  \
        block_score_samples<Sample, All, RgbLight::light>(params, blockIdx.x, blockIdx.z, threadIdx.x);                \
    }
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_8bit, std::uint8_t, false, srgb)
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_16bit, std::uint16_t, false, srgb)
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_all_maps_8bit, std::uint8_t, true, srgb)
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_all_maps_16bit, std::uint16_t, true, srgb)
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_light_8bit, std::uint8_t, false, tagged)
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_light_16bit, std::uint16_t, false, tagged)
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_all_maps_light_8bit, std::uint8_t, true, tagged)
VMAF_SSIMULACRA2_SCALE0(vmaf_ssimulacra2_scale0_all_maps_light_16bit, std::uint16_t, true, tagged)

// Grid: squares of scale 1 across and down, frames.
extern "C" __global__ void __launch_bounds__(kSsimulacra2HalveThreads)
    vmaf_ssimulacra2_halve(const __grid_constant__ Ssimulacra2KernelParams params)
{
    block_halve(params, make_uint2(blockIdx.x, blockIdx.y), blockIdx.z, threadIdx.x);
}

// Grid: strips of scales 1 to 5, -, frames.
extern "C" __global__ void __launch_bounds__(Signals<true>::kThreads, 2)
    vmaf_ssimulacra2_scales(const __grid_constant__ Ssimulacra2KernelParams params)
{
    const unsigned frame = blockIdx.z, strip = params.levels[0].strip_count + blockIdx.x;
    unsigned scale = 1;
    while (scale + 1 < params.scale_count && strip >= params.levels[scale + 1].first_strip)
        ++scale;
    const Ssimulacra2Level &level = params.levels[scale];
    const LinearSource source{level, frame};
    block_score<true>(params, level, strip - level.first_strip, threadIdx.x, source,
                      params.slots[frame * params.strip_count + strip]);
}

// Grid: scales, -, frames.
extern "C" __global__ void __launch_bounds__(kSsimulacra2ReduceThreads)
    vmaf_ssimulacra2_sum(const __grid_constant__ Ssimulacra2KernelParams params)
{
    block_sum_slots(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
