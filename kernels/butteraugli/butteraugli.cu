#include <type_traits>

#include "common/common.cuh"
#include "common/rgb.cuh"
#include "common/special_functions.cuh"
#include "feature/butteraugli/butteraugli_cuda_params.h"

// spec butteraugli 3 on batches of frames, full and half size in one launch where they do not wait
// for each other: colours and linear colour of half size; the low frequencies; the medium ones and
// what is made of them; the high ones; the mask; the distances of half size, then of full size with
// the map's sums; the sums over blocks, in a fixed order.
//
// On one H200 341 us a frame at 1080p, four at once (381 alone), 1,332 at 2160p: 193 M warp
// instructions a 1080p frame, 2,980 instructions a luma pixel, where 2,250 FP32 ones are needed
// with half size and halos (spec butteraugli 5.4 counts 2,050); at the 1.045e12 warp instructions a
// second that the device issues 0.18 ms. Millions of them: colours 32.4, of half size 6.0, low
// 43.8, medium 27.1, high 22.2, mask 7.7, distances of half size 10.3, distances 43.1. Bytes: the
// colours and h, D, activity and AC go through memory, 600 MB a 1080p frame, 0.14 ms at 4.2e12 a
// second.
//
// Compiled without contraction: both pictures go through the same operations, so equal pictures
// differ by exactly 0.

namespace vmaf {
inline namespace butteraugli_kernels {

constexpr int kGroup = kButteraugliGroup;
constexpr int kTile = kButteraugliTileColumns;
constexpr int kChunk = kButteraugliChunkRows;

__device__ __forceinline__ float squared(float v)
{
    return v * v;
}
__device__ __forceinline__ float clamped(float v, float low, float high)
{
    return fminf(fmaxf(v, low), high);
}

/// Clamped by two bounds of either order.
__device__ __forceinline__ float between(float v, float one, float other)
{
    return clamped(v, fminf(one, other), fmaxf(one, other));
}

/// Within 1 ulp.
__device__ __forceinline__ float thread_inverse(float x)
{
    const float guess = thread_reciprocal(x);
    return fmaf(guess, fmaf(-x, guess, 1), guess);
}

struct Group {
    float v[kGroup];
};

__device__ __forceinline__ Group thread_load_group(const float *from)
{
    const float4 four = *reinterpret_cast<const float4 *>(from);
    return {{four.x, four.y, four.z, four.w}};
}
/// To global memory, in one instruction: an ordinary assignment becomes four where others stand
/// beside it.
__device__ __forceinline__ void thread_write_group(float *to, const Group &group)
{
    __stcg(reinterpret_cast<float4 *>(to), make_float4(group.v[0], group.v[1], group.v[2], group.v[3]));
}

/// What lies `planes` planes behind `at`.
template <class Float>
__device__ __forceinline__ Float *behind(Float *at, const ButteraugliLevel &level, unsigned planes)
{
    return at + static_cast<unsigned long long>(level.plane_floats) * planes;
}

__device__ __forceinline__ float *plane_of(const ButteraugliKernelParams &params, const ButteraugliLevel &level,
                                           unsigned frame, unsigned plane)
{
    return behind(params.planes + frame * params.frame_floats + level.offset, level, plane);
}

// ---- spec butteraugli 3.3 ----

constexpr int kColourRows = kButteraugliColourRows;
constexpr int kColourReach = kButteraugliReach[kButteraugliOpsinBlur];
constexpr int kColourColumns = kTile + 2 * kColourReach;
constexpr int kChannels = 6;    ///< R, G, B of ref, then of dis
constexpr unsigned kPlanes = 5; ///< X, Y, and the differences of X, Y, B
static_assert(kColourColumns % kGroup == 0, "rows of whole groups");

/// Linear colour of a tile and around it, in nits.
struct ColourTile {
    alignas(16) float v[kChannels][kColourRows + 2 * kColourReach][kColourColumns];
};

/// gamma, as exact as with a correctly rounded logarithm; logf() would test whether its argument is
/// too small, too large or no number.
__device__ __forceinline__ float thread_gamma(float m)
{
    // A power of two times 1 + f, f from -1/3 to 1/3; ln(1 + f) = f + f^2 p(f), p through its
    // values at 8 Chebyshev points, off by 2.3e-8.
    constexpr int kMantissa = 0x7fffff, kTwoThirds = 0x3f2aaaab;
    constexpr double kFactor = kButteraugliGammaFactor, kLn2 = 0.69314718055994530942;
    constexpr double kP[] = {-0.4999998556, 0.3333332017, -0.2500414619, 0.2000378032,
                             -0.1648301753, 0.141183099,  -0.1504076372, 0.1342574901};
    const int bits = __float_as_int(m + static_cast<float>(kButteraugliGammaOffset));
    const int exponent = (bits - kTwoThirds) & ~kMantissa;
    const float f = __int_as_float(bits - exponent) - 1;
    float p = static_cast<float>(kFactor * kP[7]);
#pragma unroll
    for (int i = 6; i >= 0; --i)
        p = fmaf(p, f, static_cast<float>(kFactor * kP[i]));
    const float of_exponent = fmaf(static_cast<float>(exponent), static_cast<float>(kFactor * kLn2 / (kMantissa + 1)),
                                   -static_cast<float>(kButteraugliGammaLess));
    return fmaf(f * f, p, fmaf(f, static_cast<float>(kFactor), of_exponent));
}

/// p of a cone, v and u in nits.
template <int Cone> __device__ __forceinline__ float thread_perceived(const float (&v)[3], const float (&u)[3])
{
    constexpr float kR = static_cast<float>(kButteraugliCones[Cone][0]),
                    kG = static_cast<float>(kButteraugliCones[Cone][1]),
                    kB = static_cast<float>(kButteraugliCones[Cone][2]),
                    kBias = static_cast<float>(kButteraugliBias[Cone]);
    const float m = fmaxf(fmaf(kR, u[0], fmaf(kG, u[1], fmaf(kB, u[2], kBias))), kBias);
    const float s = fmaxf(thread_gamma(m) * thread_inverse(m), static_cast<float>(kButteraugliLeastSensitivity));
    return fmaxf(fmaf(kR, v[0], fmaf(kG, v[1], fmaf(kB, v[2], kBias))) * s, kBias);
}

struct Xyb {
    float x, y, b;
};

__device__ __forceinline__ Xyb thread_xyb(const float (&v)[3], const float (&u)[3])
{
    const float p0 = thread_perceived<0>(v, u), p1 = thread_perceived<1>(v, u);
    return {p0 - p1, p0 + p1, thread_perceived<2>(v, u)};
}

/// In nits, from samples, two rows at a time.
template <class Sample, RgbLight Light> struct SampleColours {
    const CudaPairFrame &frame;
    float intensity;

    template <ChromaRows Chroma>
    __device__ __forceinline__ void load_pair(const RgbSampling &sampling, int x, const int (&rows)[2], Rgb (&ref)[2],
                                              Rgb (&dis)[2]) const
    {
        thread_load_rgb<Sample, Chroma, Light>(sampling, frame.ref, x, rows, ref);
        thread_load_rgb<Sample, Chroma, Light>(sampling, frame.dis, x, rows, dis);
    }

    __device__ __forceinline__ void load(const RgbSampling &sampling, int x, const int (&rows)[2], Rgb (&ref)[2],
                                         Rgb (&dis)[2]) const
    {
        if (sampling.grey)
            load_pair<ChromaRows::none>(sampling, x, rows, ref, dis);
        else if (sampling.chroma_shift_y != 0)
            load_pair<ChromaRows::one>(sampling, x, rows, ref, dis);
        else
            load_pair<ChromaRows::two>(sampling, x, rows, ref, dis);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            ref[i] = {ref[i].r * intensity, ref[i].g * intensity, ref[i].b * intensity};
            dis[i] = {dis[i].r * intensity, dis[i].g * intensity, dis[i].b * intensity};
        }
    }
};

/// From nits in scratch memory.
struct LinearColours {
    const float *first;
    const ButteraugliLevel &level;

    __device__ __forceinline__ void load(const RgbSampling &, int x, const int (&rows)[2], Rgb (&ref)[2],
                                         Rgb (&dis)[2]) const
    {
        const auto at = [&](unsigned channel, int row) {
            return behind(first, level, channel)[static_cast<unsigned>(row) * level.pitch + static_cast<unsigned>(x)];
        };
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            ref[i] = {at(0, rows[i]), at(1, rows[i]), at(2, rows[i])};
            dis[i] = {at(3, rows[i]), at(4, rows[i]), at(5, rows[i])};
        }
    }
};

template <class Source>
__device__ __forceinline__ void block_load_colours(const ButteraugliKernelParams &params, const ButteraugliLevel &level,
                                                   int left, int top, unsigned thread, const Source &source,
                                                   ColourTile &tile)
{
    constexpr int kPairs = kColourRows / 2 + kColourReach;
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    for (int task = static_cast<int>(thread); task < kPairs * kColourColumns; task += kButteraugliTileThreads) {
        const int column = task % kColourColumns, row = 2 * (task / kColourColumns);
        const int y = top - kColourReach + row;
        const int rows[2] = {mirror_with_edge(y, height), mirror_with_edge(y + 1, height)};
        Rgb ref[2], dis[2];
        source.load(params.sampling, mirror_with_edge(left - kColourReach + column, width), rows, ref, dis);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            tile.v[0][row + i][column] = ref[i].r;
            tile.v[1][row + i][column] = ref[i].g;
            tile.v[2][row + i][column] = ref[i].b;
            tile.v[3][row + i][column] = dis[i].r;
            tile.v[4][row + i][column] = dis[i].g;
            tile.v[5][row + i][column] = dis[i].b;
        }
    }
    __syncthreads();
}

/// spec butteraugli 3.9: the tile's linear colour at half size. What lies beyond the edge repeats
/// it.
__device__ __forceinline__ void block_halve(const ButteraugliKernelParams &params, unsigned frame, int left, int top,
                                            unsigned thread, const ColourTile &tile)
{
    constexpr int kColumns = kTile / 2;
    static_assert(kColumns * kColourRows / 2 == kButteraugliTileThreads, "a pixel a thread");
    const ButteraugliLevel &half = params.levels[1];
    const int column = static_cast<int>(thread) % kColumns, row = static_cast<int>(thread) / kColumns;
    const unsigned x = static_cast<unsigned>(left / 2 + column), y = static_cast<unsigned>(top / 2 + row);
    if (x >= half.width_px || y >= half.height_px)
        return;
    float *to = plane_of(params, half, frame, kButteraugliLinear) + y * half.pitch + x;
#pragma unroll
    for (unsigned channel = 0; channel < kChannels; ++channel) {
        const auto at = [&](int dx, int dy) {
            return tile.v[channel][kColourReach + 2 * row + dy][kColourReach + 2 * column + dx];
        };
        *behind(to, half, channel) = ((at(0, 0) + at(1, 0)) + (at(0, 1) + at(1, 1))) * 0.25F;
    }
}

__device__ __forceinline__ float thread_blur5(const float (&taps)[kButteraugliMostReach + 1], const float *v)
{
    return fmaf(taps[2], v[0] + v[4], fmaf(taps[1], v[1] + v[3], taps[0] * v[2]));
}

/// A channel of the group that begins at `row` and `column` without what is beside it: as it is,
/// and blurred.
__device__ __forceinline__ void
thread_blur_colours(const ButteraugliKernelParams &params,
                    const float (&channel)[kColourRows + 2 * kColourReach][kColourColumns], int row, int column,
                    float (&sharp)[kGroup], float (&blurred)[kGroup])
{
    constexpr int kRows = 2 * kColourReach + 1, kColumns = 2 * kGroup;
    float v[kColumns][kRows];
#pragma unroll
    for (int y = 0; y < kRows; ++y)
#pragma unroll
        for (int x = 0; x < kColumns; x += kGroup) {
            const Group group = thread_load_group(&channel[row + y][column + x]);
#pragma unroll
            for (int i = 0; i < kGroup; ++i)
                v[x + i][y] = group.v[i];
        }
    float down[kColumns];
#pragma unroll
    for (int x = 0; x < kColumns; ++x)
        down[x] = thread_blur5(params.taps[kButteraugliOpsinBlur], v[x]);
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
        sharp[i] = v[kColourReach + i][kColourReach];
        blurred[i] = thread_blur5(params.taps[kButteraugliOpsinBlur], down + i);
    }
}

/// `halve`: makes linear colour of half size too.
template <class Source>
__device__ __forceinline__ void block_colours(const ButteraugliKernelParams &params, const ButteraugliLevel &level,
                                              uint2 block, unsigned frame, unsigned thread, const Source &source,
                                              bool halve)
{
    __shared__ ColourTile tile;
    const int left = static_cast<int>(block.x) * kTile, top = static_cast<int>(block.y) * kColourRows;
    block_load_colours(params, level, left, top, thread, source, tile);
    if (halve)
        block_halve(params, frame, left, top, thread, tile);

    constexpr int kGroups = kTile / kGroup;
    const int group = static_cast<int>(thread) % kGroups, row = static_cast<int>(thread) / kGroups;
    const unsigned x = static_cast<unsigned>(left + group * kGroup), y = static_cast<unsigned>(top + row);
    if (x >= level.width_px || y >= level.height_px)
        return;
    float sharp[kChannels][kGroup], blurred[kChannels][kGroup];
#pragma unroll
    for (int channel = 0; channel < kChannels; ++channel)
        thread_blur_colours(params, tile.v[channel], row, group * kGroup, sharp[channel], blurred[channel]);
    Group out[kPlanes];
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
        Xyb xyb[2];
#pragma unroll
        for (int picture = 0; picture < 2; ++picture) {
            const int first = 3 * picture;
            const float v[3] = {sharp[first][i], sharp[first + 1][i], sharp[first + 2][i]};
            const float u[3] = {blurred[first][i], blurred[first + 1][i], blurred[first + 2][i]};
            xyb[picture] = thread_xyb(v, u);
        }
        out[0].v[i] = xyb[0].x;
        out[1].v[i] = xyb[0].y;
        out[2].v[i] = xyb[0].x - xyb[1].x;
        out[3].v[i] = xyb[0].y - xyb[1].y;
        out[4].v[i] = xyb[0].b - xyb[1].b;
    }
    float *to = plane_of(params, level, frame, kButteraugliColour) + y * level.pitch + x;
#pragma unroll
    for (unsigned plane = 0; plane < kPlanes; ++plane)
        thread_write_group(behind(to, level, plane), out[plane]);
}

// ---- spec butteraugli 3.2: blurs down a strip ----

/// What a blur at `index` of a line is multiplied by, samples outside counted 0.
template <int Blur>
__device__ __forceinline__ float thread_norm(const ButteraugliKernelParams &params, int index, int size)
{
    constexpr int kReach = kButteraugliReach[Blur];
    const int before = min(max(index, 0), kReach), behind = min(max(size - 1 - index, 0), kReach);
    const float inside = (1 - params.tails[Blur][before]) - params.tails[Blur][behind];
    return before < kReach || behind < kReach ? thread_inverse(inside) : 1;
}

template <int Blur, int Planes> struct Strip {
    static constexpr int kReach = kButteraugliReach[Blur];
    static constexpr int kStrip = kButteraugliStrips[Blur].columns, kBeside = kButteraugliStrips[Blur].beside;
    static constexpr int kColumns = kStrip + 2 * kBeside;
    static_assert(kStrip % kGroup == 0 && kChunk == kGroup,
                  "a block's first kStrip threads make a chunk, a group each");
    /// So long that two groups of each row, which threads read together, lie in different banks.
    static constexpr int kRow = (kColumns + 31) / 32 * 32 + 8;
    /// Rows that go in before the first result comes out: whole chunks, so that results do too.
    static constexpr int kLead = (2 * kReach + kChunk - 1) / kChunk * kChunk;

    /// Chunks of the vertical blur: a block makes one while threads that lag behind still read the
    /// other.
    alignas(16) float rows[2][Planes][kChunk][kRow];
    alignas(16) float norms[kStrip]; ///< of the columns
};

/// The vertical blur of a column: the parts of the next rows' results that are known so far.
template <int Reach> struct Column {
    float parts[2 * Reach] = {};

    /// Takes in a row, gives the result `Reach` rows above.
    __device__ __forceinline__ float push(const float (&taps)[kButteraugliMostReach + 1], float v)
    {
        const float result = fmaf(taps[Reach], v, parts[0]);
#pragma unroll
        for (int i = 0; i < 2 * Reach - 1; ++i)
            parts[i] = fmaf(taps[i + 1 < Reach ? Reach - 1 - i : i + 1 - Reach], v, parts[i + 1]);
        parts[2 * Reach - 1] = taps[Reach] * v;
        return result;
    }
};

/// The horizontal blur of the group that is kBeside columns behind `from`.
template <int Blur>
__device__ __forceinline__ Group thread_blur_group(const ButteraugliKernelParams &params, const float *from)
{
    constexpr int kReach = kButteraugliReach[Blur], kBeside = kButteraugliStrips[Blur].beside;
    Group sums{};
#pragma unroll
    for (int first = -kBeside; first <= kBeside; first += kGroup) {
        const Group group = thread_load_group(from + kBeside + first);
#pragma unroll
        for (int j = 0; j < kGroup; ++j)
#pragma unroll
            for (int i = 0; i < kGroup; ++i) {
                const int distance = first + j < i ? i - first - j : first + j - i;
                if (distance <= kReach)
                    sums.v[i] = fmaf(params.taps[Blur][distance], group.v[j], sums.v[i]);
            }
    }
    return sums;
}

/// Blurs `Planes` planes of a level from `first` on: each thread a column of all of them, down the
/// strip, then a group of a row of what all have made. finish(at, blurred) gets every group of the
/// strip that is inside the picture: where it lies in the level's first plane, and blurred(plane).
template <int Blur, int Planes, class Finish>
__device__ __forceinline__ void block_blur(const ButteraugliKernelParams &params, const ButteraugliLevel &level,
                                           float *planes, unsigned first, unsigned strip, unsigned thread,
                                           Strip<Blur, Planes> &shared, Finish finish)
{
    using Shared = Strip<Blur, Planes>;
    constexpr int kReach = Shared::kReach, kLead = Shared::kLead, kStrip = Shared::kStrip;
    const unsigned across = (level.width_px + kStrip - 1) / kStrip;
    const int left = static_cast<int>(strip % across) * kStrip,
              top = static_cast<int>(strip / across * params.strip_rows);
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    const int end = min(top + static_cast<int>(params.strip_rows), height);

    const int column = static_cast<int>(thread), column_x = left - Shared::kBeside + column;
    const bool has_column = column < Shared::kColumns && column_x >= 0 && column_x < width;
    if (column < Shared::kColumns && !has_column)
#pragma unroll
        for (int i = 0; i < 2 * Planes * kChunk; ++i)
            (&shared.rows[0][0][0][column])[i * Shared::kRow] = 0;

    const int group_row = static_cast<int>(thread) % kChunk, group_column = static_cast<int>(thread) / kChunk * kGroup;
    const bool has_group = group_column < kStrip && left + group_column < width;
    if (column < kStrip)
        shared.norms[column] = thread_norm<Blur>(params, left + column, width);

    Column<kReach> columns[Planes];
    // By the row of the results. Rows above the picture add nothing.
    int y = top - kLead + max(0, (kLead - kReach - top) / kChunk * kChunk);
    // Pointers go down with the loop: made anew from rows and columns they would take more
    // instructions than what they read.
    const float *next_row =
        behind(planes, level, first) + (static_cast<long long>(y + kReach) * level.pitch + column_x);
    float *at =
        planes + (static_cast<unsigned>(top + group_row) * level.pitch + static_cast<unsigned>(left + group_column));
    // Ahead of time where there are registers for it.
    constexpr bool kAhead = Planes == 1;
    float next[Planes][kChunk];
    const auto load = [&](int above) {
#pragma unroll
        for (int row = 0; row < kChunk; ++row) {
            // Above the picture it is a large number too.
            const bool inside = static_cast<unsigned>(above + row) < level.height_px;
#pragma unroll
            for (unsigned plane = 0; plane < Planes; ++plane)
                next[plane][row] = inside ? *behind(next_row, level, plane) : 0;
            next_row += level.pitch;
        }
    };
    if (kAhead && has_column)
        load(y + kReach);
    for (; y < end; y += kChunk) {
        auto &made = shared.rows[(y & kChunk) != 0];
        if (has_column) {
            if (!kAhead)
                load(y + kReach);
#pragma unroll
            for (int row = 0; row < kChunk; ++row)
#pragma unroll
                for (int plane = 0; plane < Planes; ++plane)
                    made[plane][row][column] = columns[plane].push(params.taps[Blur], next[plane][row]);
        }
        __syncthreads();
        if (kAhead && has_column)
            load(y + kReach + kChunk);
        if (y < top)
            continue;
        const int own_y = y + group_row;
        if (has_group && own_y < end) {
            Group scales = thread_load_group(&shared.norms[group_column]);
            if (own_y < kReach || own_y + kReach >= height) {
                const float norm = thread_norm<Blur>(params, own_y, height);
#pragma unroll
                for (int i = 0; i < kGroup; ++i)
                    scales.v[i] *= norm;
            }
            finish(at, [&](int plane) {
                Group group = thread_blur_group<Blur>(params, &made[plane][group_row][group_column]);
#pragma unroll
                for (int i = 0; i < kGroup; ++i)
                    group.v[i] *= scales.v[i];
                return group;
            });
        }
        at += static_cast<std::size_t>(kChunk) * level.pitch;
    }
}

/// The level that block `index` belongs to, and its strip.
template <int Blur> struct StripPlace {
    unsigned level, strip;

    __device__ __forceinline__ StripPlace(const ButteraugliKernelParams &params, unsigned index)
    {
        const unsigned full = butteraugli_strips(params.levels[0], kButteraugliStrips[Blur].columns, params.strip_rows);
        level = index < full ? 0 : 1;
        strip = index < full ? index : index - full;
    }
};

/// The low frequencies of one plane, taken off it.
__device__ __forceinline__ void block_low(const ButteraugliKernelParams &params, unsigned index, unsigned plane,
                                          unsigned frame, unsigned thread)
{
    __shared__ Strip<kButteraugliLowBlur, 1> shared;
    const StripPlace<kButteraugliLowBlur> place(params, index);
    const ButteraugliLevel &level = params.levels[place.level];
    block_blur<kButteraugliLowBlur, 1>(params, level, plane_of(params, level, frame, plane), kButteraugliColour,
                                       place.strip, thread, shared, [&](float *at, auto blurred) {
                                           const Group low = blurred(0);
                                           Group rest = thread_load_group(behind(at, level, kButteraugliColour));
#pragma unroll
                                           for (int i = 0; i < kGroup; ++i)
                                               rest.v[i] -= low.v[i];
                                           thread_write_group(behind(at, level, kButteraugliRest), rest);
                                       });
}

// ---- spec butteraugli 3.4 to 3.7 ----

__device__ __forceinline__ float removed(float t, float w)
{
    return t - clamped(t, -w, w);
}
__device__ __forceinline__ float amplified(float t, float w)
{
    return t + clamped(t, -w, w);
}
__device__ __forceinline__ float bounded(float t, float most)
{
    const float inside = clamped(t, -most, most);
    return fmaf(kButteraugliClampSlope, t - inside, inside);
}

__device__ __forceinline__ float thread_line_difference(float p, float q, const ButteraugliTuning::Lines &lines)
{
    const float t = between(q, 0.55F * p, 1.05F * p) - q;
    return fmaf(lines.equal, p - q, lines.one_sided * t) * thread_inverse(fmaf(0.5F, fabsf(p) + fabsf(q), lines.norm));
}

__device__ __forceinline__ float thread_suppressed(float x, float y)
{
    constexpr float kMost = (1 - kButteraugliLeastSuppressed) * kButteraugliSuppress;
    return x * fmaf(kMost, thread_inverse(fmaf(y, y, kButteraugliSuppress)), kButteraugliLeastSuppressed);
}

__device__ __forceinline__ float thread_low_error(float dx, float dy, float db)
{
    constexpr float kX = kButteraugliLowError[0], kY = kButteraugliLowError[1], kB = kButteraugliLowError[2];
    return fmaf(
        kX, squared(kButteraugliLowX * dx),
        fmaf(kY, squared(kButteraugliLowY * dy), kB * squared(kButteraugliLowB * fmaf(-kButteraugliLowYInB, dy, db))));
}

__device__ __forceinline__ void block_medium(const ButteraugliKernelParams &params, unsigned index, unsigned frame,
                                             unsigned thread)
{
    __shared__ Strip<kButteraugliMediumBlur, 5> shared;
    const StripPlace<kButteraugliMediumBlur> place(params, index);
    const ButteraugliLevel &level = params.levels[place.level];
    const ButteraugliTuning &tuning = params.tuning;
    block_blur<kButteraugliMediumBlur, 5>(
        params, level, plane_of(params, level, frame, 0), kButteraugliRest, place.strip, thread, shared,
        [&](float *at, auto medium) {
            const auto read = [&](unsigned plane) { return thread_load_group(behind(at, level, plane)); };
            const auto write = [&](unsigned plane, const Group &group) {
                thread_write_group(behind(at, level, plane), group);
            };
            {
                // Before anything comes into the differences' place.
                Group low[3], dc;
#pragma unroll
                for (unsigned plane = 0; plane < 3; ++plane) {
                    const Group colour = read(kButteraugliColour + 2 + plane),
                                rest = read(kButteraugliRest + 2 + plane);
#pragma unroll
                    for (int i = 0; i < kGroup; ++i)
                        low[plane].v[i] = colour.v[i] - rest.v[i];
                }
#pragma unroll
                for (int i = 0; i < kGroup; ++i)
                    dc.v[i] = thread_low_error(low[0].v[i], low[1].v[i], low[2].v[i]);
                write(kButteraugliDc, dc);
            }
            constexpr float kX = kButteraugliMediumError[0], kY = kButteraugliMediumError[1],
                            kB = kButteraugliMediumError[2];
            Group ac = medium(4);
#pragma unroll
            for (int i = 0; i < kGroup; ++i)
                ac.v[i] = kB * squared(ac.v[i]);
            Group high_y, dis_high_y;
            {
                const Group m = medium(1), dm = medium(3), rest = read(kButteraugliRest + 1),
                            rest_dy = read(kButteraugliRest + 3);
                Group lines;
#pragma unroll
                for (int i = 0; i < kGroup; ++i) {
                    const float ref = amplified(m.v[i], kButteraugliMediumAmplifyY),
                                dis = amplified(m.v[i] - dm.v[i], kButteraugliMediumAmplifyY);
                    lines.v[i] = thread_line_difference(ref, dis, tuning.lines[kButteraugliMediumY]);
                    ac.v[i] = fmaf(kY, squared(ref - dis), ac.v[i]);
                    high_y.v[i] = rest.v[i] - m.v[i];
                    dis_high_y.v[i] = high_y.v[i] - (rest_dy.v[i] - dm.v[i]);
                }
                write(kButteraugliMediumLines + 1, lines);
            }
            {
                const Group m = medium(0), dm = medium(2), rest = read(kButteraugliRest),
                            rest_dx = read(kButteraugliRest + 2);
                Group lines, suppressed, dis_suppressed;
#pragma unroll
                for (int i = 0; i < kGroup; ++i) {
                    const float ref = removed(m.v[i], kButteraugliMediumRemoveX),
                                dis = removed(m.v[i] - dm.v[i], kButteraugliMediumRemoveX);
                    lines.v[i] = thread_line_difference(ref, dis, tuning.lines[kButteraugliMediumX]);
                    ac.v[i] = fmaf(kX, squared(ref - dis), ac.v[i]);
                    const float high = rest.v[i] - m.v[i];
                    suppressed.v[i] = thread_suppressed(high, high_y.v[i]);
                    dis_suppressed.v[i] = thread_suppressed(high - (rest_dx.v[i] - dm.v[i]), dis_high_y.v[i]);
                }
                write(kButteraugliMediumLines, lines);
                write(kButteraugliSharp, suppressed);
                write(kButteraugliSharp + 2, dis_suppressed);
            }
            write(kButteraugliAc, ac);
            write(kButteraugliSharp + 1, high_y);
            write(kButteraugliSharp + 3, dis_high_y);
        });
}

/// High bands of a picture's pixel.
struct HighBands {
    float hf, uhf;
};

__device__ __forceinline__ HighBands thread_high_bands_x(float h, float low)
{
    return {removed(low, kButteraugliHighRemoveX), removed(h - low, kButteraugliUltraRemoveX)};
}

__device__ __forceinline__ HighBands thread_high_bands_y(float h, float low)
{
    const float y = bounded(low, kButteraugliHighClampY);
    return {amplified(kButteraugliHighGainY * y, kButteraugliHighAmplifyY),
            kButteraugliUltraGainY * bounded(h - y, kButteraugliUltraClampY)};
}

/// Activity from the sum of squares of what both planes have.
__device__ __forceinline__ float thread_activity(float squares)
{
    return thread_square_root(fmaf(kButteraugliActivity, thread_square_root(squares), kButteraugliActivityBias)) -
           kButteraugliActivityBiasRoot;
}

__device__ __forceinline__ float thread_high_error(float p, float q, const ButteraugliTuning::High &weights)
{
    const float e = between(q, 0.4F * p, p) - q;
    return fmaf(weights.equal, squared(p - q), weights.one_sided * squared(e));
}

__device__ __forceinline__ void block_high(const ButteraugliKernelParams &params, unsigned index, unsigned frame,
                                           unsigned thread)
{
    __shared__ Strip<kButteraugliHighBlur, 4> shared;
    const StripPlace<kButteraugliHighBlur> place(params, index);
    const ButteraugliLevel &level = params.levels[place.level];
    const ButteraugliTuning &tuning = params.tuning;
    block_blur<kButteraugliHighBlur, 4>(
        params, level, plane_of(params, level, frame, 0), kButteraugliSharp, place.strip, thread, shared,
        [&](float *at, auto blurred) {
            const auto read = [&](unsigned plane) { return thread_load_group(behind(at, level, plane)); };
            const auto write = [&](unsigned plane, const Group &group) {
                thread_write_group(behind(at, level, plane), group);
            };
            Group ac = read(kButteraugliAc), activity[2] = {};
#pragma unroll
            for (unsigned plane = 0; plane < 2; ++plane) {
                const Group low[2] = {blurred(plane), blurred(2 + plane)},
                            sharp[2] = {read(kButteraugliSharp + plane), read(kButteraugliSharp + 2 + plane)};
                Group hf_lines, uhf_lines;
#pragma unroll
                for (int i = 0; i < kGroup; ++i) {
                    const auto bands = plane == 0 ? thread_high_bands_x : thread_high_bands_y;
                    const HighBands ref = bands(sharp[0].v[i], low[0].v[i]), dis = bands(sharp[1].v[i], low[1].v[i]);
                    hf_lines.v[i] = thread_line_difference(ref.hf, dis.hf, tuning.lines[kButteraugliHighX + plane]);
                    uhf_lines.v[i] = thread_line_difference(ref.uhf, dis.uhf, tuning.lines[kButteraugliUltraX + plane]);
                    ac.v[i] += thread_high_error(ref.hf, dis.hf, tuning.high[plane]);
                    const float weight = plane == 0 ? kButteraugliActivityX : kButteraugliActivityY;
                    activity[0].v[i] += squared(weight * (ref.uhf + ref.hf));
                    activity[1].v[i] += squared(weight * (dis.uhf + dis.hf));
                }
                write(kButteraugliHighLines + plane, hf_lines);
                write(kButteraugliHighLines + 2 + plane, uhf_lines);
            }
            write(kButteraugliAc, ac);
#pragma unroll
            for (unsigned picture = 0; picture < 2; ++picture) {
#pragma unroll
                for (int i = 0; i < kGroup; ++i)
                    activity[picture].v[i] = thread_activity(activity[picture].v[i]);
                write(kButteraugliActivityOf + picture, activity[picture]);
            }
        });
}

__device__ __forceinline__ void block_mask(const ButteraugliKernelParams &params, unsigned index, unsigned frame,
                                           unsigned thread)
{
    __shared__ Strip<kButteraugliMaskBlur, 2> shared;
    const StripPlace<kButteraugliMaskBlur> place(params, index);
    const ButteraugliLevel &level = params.levels[place.level];
    block_blur<kButteraugliMaskBlur, 2>(params, level, plane_of(params, level, frame, 0), kButteraugliActivityOf,
                                        place.strip, thread, shared, [&](float *at, auto blurred) {
                                            float *const ac = behind(at, level, kButteraugliAc);
                                            const Group ref = blurred(0), dis = blurred(1);
                                            Group sum = thread_load_group(ac);
#pragma unroll
                                            for (int i = 0; i < kGroup; ++i)
                                                sum.v[i] =
                                                    fmaf(kButteraugliMaskError, squared(ref.v[i] - dis.v[i]), sum.v[i]);
                                            thread_write_group(ac, sum);
                                            thread_write_group(behind(at, level, kButteraugliMask), ref);
                                        });
}

// ---- spec butteraugli 3.5, 3.8 to 3.10 ----

constexpr int kDistanceRows = kButteraugliDistanceRows;
constexpr int kBeside = kButteraugliMaltaReach;
constexpr int kErosionReach = kButteraugliErosionReach;
static_assert(kBeside == kGroup && kErosionReach <= kBeside);

/// A plane's tile and what lies around it.
struct DistanceTile {
    alignas(16) float v[kDistanceRows + 2 * kBeside][kTile + 2 * kBeside];
};

/// Copies a group to shared memory, on some devices until thread_wait_for_copies().
__device__ __forceinline__ void thread_copy_group(float *to, const float *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
#else
    *reinterpret_cast<float4 *>(to) = *reinterpret_cast<const float4 *>(from);
#endif
}

__device__ __forceinline__ void thread_wait_for_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Begins to load a tile, whole groups by copies.
__device__ __forceinline__ void block_load_tile(const ButteraugliLevel &level, const float *plane, int left, int top,
                                                float outside, unsigned thread, DistanceTile &tile)
{
    constexpr int kGroups = (kTile + 2 * kBeside) / kGroup, kTileRows = kDistanceRows + 2 * kBeside;
    constexpr int kRowsAtOnce = static_cast<int>(kButteraugliTileThreads) / kGroups;
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    const int first_row = static_cast<int>(thread) / kGroups, column = static_cast<int>(thread) % kGroups * kGroup;
    const int x = left - kBeside + column;
    const bool whole = x >= 0 && x + kGroup <= width;
    if (first_row >= kRowsAtOnce)
        return;
    int y = top - kBeside + first_row;
    const float *from = plane + (static_cast<long long>(y) * level.pitch + x);
    float *to = &tile.v[first_row][column];
#pragma unroll 1
    for (int row = first_row; row < kTileRows; row += kRowsAtOnce) {
        const bool inside = y >= 0 && y < height;
        if (whole && inside)
            thread_copy_group(to, from);
        else
#pragma unroll
            for (int i = 0; i < kGroup; ++i)
                to[i] = inside && x + i >= 0 && x + i < width ? from[i] : outside;
        y += kRowsAtOnce;
        from += static_cast<std::size_t>(kRowsAtOnce) * level.pitch;
        to += kRowsAtOnce * (kTile + 2 * kBeside);
    }
}

__device__ __forceinline__ void thread_load_row(const DistanceTile &tile, int row, int column, float (&v)[3 * kGroup])
{
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        const Group group = thread_load_group(&tile.v[row][column + i * kGroup]);
#pragma unroll
        for (int j = 0; j < kGroup; ++j)
            v[i * kGroup + j] = group.v[j];
    }
}

/// Nine rows of twelve columns, in whose middle row lies the thread's group.
struct Window {
    float v[2 * kBeside + 1][3 * kGroup];

    __device__ __forceinline__ Window(const DistanceTile &tile, int row, int column)
    {
#pragma unroll
        for (int y = 0; y < 2 * kBeside + 1; ++y)
            thread_load_row(tile, row + y, column, v[y]);
    }

    /// A row down, by the tile's row that comes in.
    __device__ __forceinline__ void move_down(const DistanceTile &tile, int row, int column)
    {
#pragma unroll
        for (int y = 0; y < 2 * kBeside; ++y)
#pragma unroll
            for (int i = 0; i < 3 * kGroup; ++i)
                v[y][i] = v[y + 1][i];
        thread_load_row(tile, row, column, v[2 * kBeside]);
    }

    /// The two values at (dx, dy) and opposite.
    template <int Dx, int Dy> __device__ __forceinline__ float pair(int i) const
    {
        return v[kBeside + Dy][kBeside + i + Dx] + v[kBeside - Dy][kBeside + i - Dx];
    }

    __device__ __forceinline__ float fine_lines(int i) const
    {
        const float centre = v[kBeside][kBeside + i];
        // The centre and the pair beside it, which several lines share.
        const float across = centre + pair<1, 0>(i), down = centre + pair<0, 1>(i), falling = centre + pair<1, 1>(i),
                    rising = centre + pair<-1, 1>(i);
        const auto add = [](float sum, float line) { return fmaf(line, line, sum); };
        float once = squared(across + pair<2, 0>(i) + pair<3, 0>(i) + pair<4, 0>(i));
        once = add(once, down + pair<0, 2>(i) + pair<0, 3>(i) + pair<0, 4>(i));
        once = add(once, falling + pair<2, 2>(i) + pair<3, 3>(i));
        once = add(once, rising + pair<-2, 2>(i) + pair<-3, 3>(i));
        once = add(once, falling + pair<1, 2>(i) + pair<2, 3>(i));
        once = add(once, rising + pair<-1, 2>(i) + pair<-2, 3>(i));
        once = add(once, falling + pair<2, 1>(i) + pair<3, 2>(i));
        once = add(once, rising + pair<-2, 1>(i) + pair<-3, 2>(i));
        float twice = squared(down + pair<-1, 2>(i) + pair<-1, 3>(i) + pair<-1, 4>(i));
        twice = add(twice, down + pair<1, 2>(i) + pair<1, 3>(i) + pair<1, 4>(i));
        twice = add(twice, across + pair<2, 1>(i) + pair<3, 1>(i) + pair<4, 1>(i));
        twice = add(twice, across + pair<2, -1>(i) + pair<3, -1>(i) + pair<4, -1>(i));
        return fmaf(2, twice, once);
    }

    __device__ __forceinline__ float coarse_lines(int i) const
    {
        const float centre = v[kBeside][kBeside + i];
        const float p20 = centre + pair<2, 0>(i), p02 = centre + pair<0, 2>(i), p22 = centre + pair<2, 2>(i),
                    m22 = centre + pair<-2, 2>(i), m12 = centre + pair<-1, 2>(i), p12 = centre + pair<1, 2>(i),
                    p21 = centre + pair<2, 1>(i), m21 = centre + pair<2, -1>(i);
        const auto add = [](float sum, float line) { return fmaf(line, line, sum); };
        float sum = squared(p20 + pair<4, 0>(i));
        sum = add(sum, p02 + pair<0, 4>(i));
        sum = add(sum, p22 + pair<3, 3>(i));
        sum = add(sum, m22 + pair<-3, 3>(i));
        sum = add(sum, m12 + pair<-1, 4>(i));
        sum = add(sum, p12 + pair<1, 4>(i));
        sum = add(sum, p21 + pair<4, 1>(i));
        sum = add(sum, m21 + pair<4, -1>(i));
        sum = add(sum, p12 + pair<2, 3>(i));
        sum = add(sum, m12 + pair<-2, 3>(i));
        sum = add(sum, p21 + pair<3, 2>(i));
        sum = add(sum, m21 + pair<-3, 2>(i));
        sum = add(sum, m21 + pair<4, -2>(i));
        sum = add(sum, p21 + pair<4, 2>(i));
        sum = add(sum, p12 + pair<2, 4>(i));
        return add(sum, m12 + pair<-2, 4>(i));
    }
};

/// The three smallest of all that were put in.
struct Smallest {
    float least, middle, most;

    __device__ __forceinline__ void put(float v)
    {
        const float above_least = fmaxf(least, v);
        least = fminf(least, v);
        const float above_middle = fmaxf(middle, above_least);
        middle = fminf(middle, above_least);
        most = fminf(most, above_middle);
    }
};

__device__ __forceinline__ float thread_masking(float mask, const float (&factors)[3])
{
    return squared(kButteraugliGlobal * fmaf(factors[0], thread_inverse(fmaf(factors[1], mask, factors[2])), 1));
}

/// E, `v` being three rows of V, kErosionReach rows apart, of which the pixel is in the middle at
/// `column`.
__device__ __forceinline__ float thread_distance(const float (&v)[3][3 * kGroup], int column, float ac, float dc)
{
    const float centre = v[1][column];
    Smallest smallest{centre, 2 * centre, 2 * centre};
#pragma unroll
    for (int row = 0; row < 3; ++row)
#pragma unroll
        for (int dx = -kErosionReach; dx <= kErosionReach; dx += kErosionReach)
            if (dx != 0 || row != 1)
                smallest.put(v[row][column + dx]);
    constexpr float kLeast = kButteraugliErosion[0], kMiddle = kButteraugliErosion[1], kMost = kButteraugliErosion[2];
    const float m = fmaf(kLeast, smallest.least, fmaf(kMiddle, smallest.middle, kMost * smallest.most));
    constexpr float kAc[3] = {kButteraugliMaskAc[0], kButteraugliMaskAc[1], kButteraugliMaskAc[2]},
                    kDc[3] = {kButteraugliMaskDc[0], kButteraugliMaskDc[1], kButteraugliMaskDc[2]};
    return thread_square_root(fmaf(thread_masking(m, kDc), dc, thread_masking(m, kAc) * ac));
}

/// Sums over the pixels of one thread.
struct ThreadSums {
    double powers[kButteraugliPowers] = {};
    float max = 0;

    __device__ __forceinline__ void add(float distance)
    {
        const double d = distance, d2 = d * d, d3 = d2 * d, d6 = d3 * d3;
        powers[kButteraugli2] += d2;
        powers[kButteraugli3] += d3;
        powers[kButteraugli6] += d6;
        powers[kButteraugli12] += d6 * d6;
        max = fmaxf(max, distance);
    }
};

constexpr unsigned kTileWarps = kButteraugliTileThreads / kWarpSize;
static_assert(kButteraugliSumThreads == kButteraugliTileThreads, "one reduction serves both");

/// The sums of a block's threads, in a fixed order, to `slot`.
__device__ __forceinline__ void block_reduce(const double (&powers)[kButteraugliPowers], float max, unsigned thread,
                                             ButteraugliSums &slot)
{
    __shared__ ButteraugliSums warps[kTileWarps];
    for (unsigned distance = kWarpSize / 2; distance > 0; distance /= 2)
        max = fmaxf(max, __shfl_down_sync(kFullWarp, max, distance));
#pragma unroll
    for (unsigned power = 0; power < kButteraugliPowers; ++power) {
        const double sum = warp_sum_in_fixed_order(powers[power]);
        if (thread % kWarpSize == 0)
            warps[thread / kWarpSize].powers[power] = sum;
    }
    if (thread % kWarpSize == 0)
        warps[thread / kWarpSize].max = static_cast<double>(max);
    __syncthreads();
    if (thread != 0)
        return;
    ButteraugliSums sums = warps[0];
    for (unsigned warp = 1; warp < kTileWarps; ++warp) {
        for (unsigned power = 0; power < kButteraugliPowers; ++power)
            sums.powers[power] += warps[warp].powers[power];
        sums.max = fmax(sums.max, warps[warp].max);
    }
    slot = sums;
}

/// What the distances are made of: the planes through which lines are drawn, fine ones through the
/// last two, and the mask.
constexpr unsigned kLinePlanes = kButteraugliLinePlanes, kFinePlanes = kButteraugliUltraX;

__device__ __forceinline__ unsigned distance_plane(unsigned index)
{
    if (index == kLinePlanes)
        return kButteraugliMask;
    return index < kButteraugliHighX ? kButteraugliMediumLines + index
                                     : kButteraugliHighLines + (index - kButteraugliHighX);
}

constexpr int kLineRows = 2; ///< of a thread

/// Adds the energies of the lines through a plane's groups, the first of which is in the middle of
/// the window at `row`.
template <bool Fine>
__device__ __forceinline__ void thread_draw_lines(const DistanceTile &tile, int row, int column,
                                                  float (&lines)[kLineRows][kGroup])
{
    Window window(tile, row, column);
#pragma unroll
    for (int i = 0; i < kLineRows; ++i) {
        if (i > 0)
            window.move_down(tile, row + i + 2 * kBeside, column);
#pragma unroll
        for (int j = 0; j < kGroup; ++j)
            lines[i][j] += Fine ? window.fine_lines(j) : window.coarse_lines(j);
    }
}

/// The distances of a tile: of half size to scratch memory, of full size as sums of the map.
template <bool Half>
__device__ __forceinline__ void block_distances(const ButteraugliKernelParams &params, uint2 block, unsigned frame,
                                                unsigned thread, unsigned slot)
{
    __shared__ DistanceTile tiles[2]; // one is loaded while the other one is in use
    constexpr int kGroups = kTile / kGroup;
    static_assert(kGroups * kDistanceRows / kLineRows == kButteraugliTileThreads, "a group of two rows a thread");
    const ButteraugliLevel &level = params.levels[Half ? 1 : 0];
    const int left = static_cast<int>(block.x) * kTile, top = static_cast<int>(block.y) * kDistanceRows;
    const int column = static_cast<int>(thread) % kGroups * kGroup,
              row = static_cast<int>(thread) / kGroups * kLineRows;
    float *const planes = plane_of(params, level, frame, 0);
    float lines[kLineRows][kGroup] = {};
#pragma unroll 1
    for (unsigned plane = 0; plane <= kLinePlanes; ++plane) {
        thread_wait_for_copies();
        __syncthreads();
        constexpr float kLargest = 3.402823466e38F;
        block_load_tile(level, behind(planes, level, distance_plane(plane)), left, top,
                        plane < kLinePlanes ? 0 : kLargest, thread, tiles[plane % 2]);
        if (plane == 0)
            continue;
        if (plane <= kFinePlanes)
            thread_draw_lines<false>(tiles[(plane - 1) % 2], row, column, lines);
        else
            thread_draw_lines<true>(tiles[(plane - 1) % 2], row, column, lines);
    }
    thread_wait_for_copies();
    __syncthreads();
    const DistanceTile &masks = tiles[kLinePlanes % 2];

    const unsigned x = static_cast<unsigned>(left + column), y = static_cast<unsigned>(top + row);
    ThreadSums sums;
    if (x < level.width_px && y < level.height_px) {
        const ButteraugliLevel &half = params.levels[1];
        float of_half[kGroup / 2] = {};
        if (!Half && params.level_count > 1) {
            const float2 two = *reinterpret_cast<const float2 *>(plane_of(params, half, frame, kButteraugliDistance) +
                                                                 (y / 2 * half.pitch + x / 2));
            of_half[0] = two.x;
            of_half[1] = two.y;
        }
        const float full_weight = !Half && params.level_count > 1 ? kButteraugliFullWeight : 1;
#pragma unroll
        for (unsigned i = 0; i < kLineRows; ++i) {
            if (y + i >= level.height_px)
                continue;
            float *const at = planes + ((y + i) * level.pitch + x);
            const Group ac = thread_load_group(behind(at, level, kButteraugliAc)),
                        dc = thread_load_group(behind(at, level, kButteraugliDc));
            float mask[3][3 * kGroup];
#pragma unroll
            for (int j = 0; j < 3; ++j)
                thread_load_row(masks, row + static_cast<int>(i) + kBeside + (j - 1) * kErosionReach, column, mask[j]);
            Group e;
#pragma unroll
            for (int j = 0; j < kGroup; ++j)
                e.v[j] = thread_distance(mask, kBeside + j, ac.v[j] + lines[i][j], dc.v[j]);
            if constexpr (Half)
                thread_write_group(behind(at, level, kButteraugliDistance), e);
            else
#pragma unroll
                for (unsigned j = 0; j < kGroup; ++j)
                    if (x + j < level.width_px)
                        sums.add(fmaf(full_weight, e.v[j], kButteraugliHalfWeight * of_half[j / 2]));
        }
    }
    if (!Half)
        block_reduce(sums.powers, sums.max, thread, params.slots[frame * params.slot_count + slot]);
}

__device__ __forceinline__ void block_sum_slots(const ButteraugliKernelParams &params, unsigned frame, unsigned thread)
{
    const ButteraugliSlot *slots = params.slots + frame * params.slot_count;
    double powers[kButteraugliPowers] = {};
    float max = 0;
    for (unsigned slot = thread; slot < params.slot_count; slot += kButteraugliSumThreads) {
#pragma unroll
        for (unsigned power = 0; power < kButteraugliPowers; ++power)
            powers[power] += slots[slot].powers[power];
        max = fmaxf(max, static_cast<float>(slots[slot].max));
    }
    block_reduce(powers, max, thread, *static_cast<ButteraugliSums *>(params.batch.frames[frame].sums));
}

template <int Blur> constexpr unsigned kStripThreads = kButteraugliStrips[Blur].threads();
template <int Blur> constexpr unsigned kStripBlocks = kButteraugliStrips[Blur].blocks;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
/// Two would spill.
template <> constexpr unsigned kStripBlocks<kButteraugliMediumBlur> = 1;
#endif

} // namespace butteraugli_kernels

// Grid: tiles of full size across and down, frames.
#define VMAF_BUTTERAUGLI_COLOURS(name, Sample, light)                                                                  \
    extern "C" __global__ void __launch_bounds__(kButteraugliTileThreads, 3)                                           \
        name(const __grid_constant__ ButteraugliKernelParams params)                                                   \
    {                                                                                                                  \
        const SampleColours<Sample, RgbLight::light> source{params.batch.frames[blockIdx.z], params.intensity};        \
        const uint2 block = make_uint2(blockIdx.x, blockIdx.y);                                                        \
        block_colours(params, params.levels[0], block, blockIdx.z, threadIdx.x, source, params.level_count > 1);       \
    }
VMAF_BUTTERAUGLI_COLOURS(vmaf_butteraugli_colours_8bit, std::uint8_t, srgb)
VMAF_BUTTERAUGLI_COLOURS(vmaf_butteraugli_colours_16bit, std::uint16_t, srgb)
VMAF_BUTTERAUGLI_COLOURS(vmaf_butteraugli_colours_light_8bit, std::uint8_t, tagged)
VMAF_BUTTERAUGLI_COLOURS(vmaf_butteraugli_colours_light_16bit, std::uint16_t, tagged)

// Grid: tiles of half size across and down, frames.
extern "C" __global__ void __launch_bounds__(kButteraugliTileThreads, 3)
    vmaf_butteraugli_half_colours(const __grid_constant__ ButteraugliKernelParams params)
{
    const ButteraugliLevel &half = params.levels[1];
    const LinearColours source{plane_of(params, half, blockIdx.z, kButteraugliLinear), half};
    block_colours(params, half, make_uint2(blockIdx.x, blockIdx.y), blockIdx.z, threadIdx.x, source, false);
}

// Grid: strips of both sizes, planes, frames.
extern "C" __global__ void __launch_bounds__(kStripThreads<kButteraugliLowBlur>, kStripBlocks<kButteraugliLowBlur>)
    vmaf_butteraugli_low(const __grid_constant__ ButteraugliKernelParams params)
{
    block_low(params, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x);
}

// Grid: strips of both sizes, -, frames.
extern "C" __global__ void __launch_bounds__(kStripThreads<kButteraugliMediumBlur>,
                                             kStripBlocks<kButteraugliMediumBlur>)
    vmaf_butteraugli_medium(const __grid_constant__ ButteraugliKernelParams params)
{
    block_medium(params, blockIdx.x, blockIdx.z, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(kStripThreads<kButteraugliHighBlur>, kStripBlocks<kButteraugliHighBlur>)
    vmaf_butteraugli_high(const __grid_constant__ ButteraugliKernelParams params)
{
    block_high(params, blockIdx.x, blockIdx.z, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(kStripThreads<kButteraugliMaskBlur>, kStripBlocks<kButteraugliMaskBlur>)
    vmaf_butteraugli_mask(const __grid_constant__ ButteraugliKernelParams params)
{
    block_mask(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

// Grid: tiles of half size across and down, frames.
extern "C" __global__ void __launch_bounds__(kButteraugliTileThreads, 2)
    vmaf_butteraugli_half_distances(const __grid_constant__ ButteraugliKernelParams params)
{
    block_distances<true>(params, make_uint2(blockIdx.x, blockIdx.y), blockIdx.z, threadIdx.x, 0);
}

// Grid: tiles of full size across and down, frames.
extern "C" __global__ void __launch_bounds__(kButteraugliTileThreads, 2)
    vmaf_butteraugli_distances(const __grid_constant__ ButteraugliKernelParams params)
{
    block_distances<false>(params, make_uint2(blockIdx.x, blockIdx.y), blockIdx.z, threadIdx.x,
                           blockIdx.y * gridDim.x + blockIdx.x);
}

// Grid: -, -, frames.
extern "C" __global__ void __launch_bounds__(kButteraugliSumThreads)
    vmaf_butteraugli_sum(const __grid_constant__ ButteraugliKernelParams params)
{
    block_sum_slots(params, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
