#include "common/common.cuh"
#include "common/special_functions.cuh"
#include "feature/ssim/ssim_cuda_params.h"

// spec ssim 3 on batches of frames: the low-pass pyramid of float_ms_ssim, or the reduced images of
// float_ssim; l, c, s of every position; the sums of what the blocks left behind, in a fixed order.
//
// A product is binary32, a sum of products binary64, in the order of the taps. Products become
// binary64 by moving their bits: the units that convert are four times slower than those that add.
// Operations a position: filters 5 * 39 along the rows and 5 * 33 down the columns (a sample's six
// products go into eleven sums), terms 140, loads 20: 520, of which 120 binary64 additions; 80 for
// a sample of an image that is halved. At 1080p 0.037 ms for scale 0 and 0.065 ms for all of
// float_ms_ssim; by default float_ssim has a sixteenth of the positions. Bytes: 2 read a pixel; 8
// written for a third as many, read twice.

namespace vmaf {
inline namespace ssim_kernels {

constexpr int kTaps = kSsimTaps, kMargin = kSsimMargin, kMiddle = kTaps / 2;
constexpr int kColumns = kSsimStripColumns, kChunk = kSsimChunkRows;
constexpr int kRun = 16;                             // positions of a row that a thread filters
constexpr int kRunQuads = (kRun + kMargin + 3) / 4;  // of samples that they need
constexpr int kQuads = (kColumns + kMargin + 3) / 4; // of samples in a row of a strip
constexpr int kRowPitch = 4 * kQuads, kMomentPitch = kColumns + 4;
static_assert(kSsimPlanes * kChunk * (kColumns / kRun) == kSsimWindowThreads, "a run of a row for every thread");
static_assert(kQuads % 2 == 1 && kMomentPitch / 4 % 2 == 1, "quads of eight rows are in different banks");
static_assert(kColumns - kRun + 4 * kRunQuads <= kRowPitch, "runs read whole quads");

/// Sums of binary64 hold the numbers times 2^-896: a binary32 number's bits, moved. They round as
/// the numbers' own sums do, zeros and subnormal numbers included (spec ssim 5).
template <bool Signed> __device__ __forceinline__ double thread_widen(float v)
{
    const unsigned bits = __float_as_uint(v);
    const unsigned high = Signed ? static_cast<unsigned>(static_cast<int>(bits) >> 3) & 0x8fffffffU : bits >> 3;
    return __hiloint2double(static_cast<int>(high), static_cast<int>(bits << 29));
}

__device__ __forceinline__ float thread_narrow(double sum)
{
    return static_cast<float>(sum * 0x1p896);
}

/// A sample times the taps of the window filter.
template <bool Signed> struct Products {
    double of[kMiddle + 1];

    explicit __device__ __forceinline__ Products(float v)
    {
        constexpr SsimWindowTaps kWindow = kSsimWindowTaps;
#pragma unroll
        for (int k = 0; k <= kMiddle; ++k)
            of[k] = thread_widen<Signed>(v * kWindow.tap[k]);
    }
    __device__ __forceinline__ double tap(int k) const
    {
        return of[k <= kMiddle ? k : kMargin - k];
    }
};

/// What the phases of a block exchange: samples of a chunk's rows, of ref and dis; those filtered
/// along the rows, then moments.
struct Chunk {
    alignas(16) float rows[2][kChunk][kRowPitch];
    alignas(16) float moments[kSsimPlanes][kChunk][kMomentPitch];
};

/// G along a row, of `a` or of its product with `b`: kRun positions.
template <bool Signed>
__device__ __forceinline__ void thread_filter_row(const float *a, const float *b, bool product, float *out)
{
    double sums[kRun];
#pragma unroll
    for (int quad = 0; quad < kRunQuads; ++quad) {
        const float4 first = reinterpret_cast<const float4 *>(a)[quad];
        const float4 second = reinterpret_cast<const float4 *>(b)[quad];
        const float values[4] = {first.x, first.y, first.z, first.w};
        const float factors[4] = {second.x, second.y, second.z, second.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const Products<Signed> products(product ? values[i] * factors[i] : values[i]);
#pragma unroll
            for (int k = 0; k < kTaps; ++k) {
                const int x = 4 * quad + i - k; // the position that has the sample under tap k
                if (x >= 0 && x < kRun)
                    sums[x] = k == 0 ? products.tap(0) : sums[x] + products.tap(k);
            }
        }
    }
#pragma unroll
    for (int x = 0; x < kRun; x += 4)
        *reinterpret_cast<float4 *>(out + x) = make_float4(thread_narrow(sums[x]), thread_narrow(sums[x + 1]),
                                                           thread_narrow(sums[x + 2]), thread_narrow(sums[x + 3]));
}

/// Thread t filters one row of one moment, whose number is t / 64.
template <bool Signed> __device__ __forceinline__ void thread_filter_rows(Chunk &chunk, unsigned thread)
{
    const unsigned moment = thread / kColumns, row = thread % kChunk, x = thread % kColumns / kChunk * kRun;
    const unsigned first = moment == kSsimDis || moment == kSsimDisDis, second = moment >= kSsimDisDis;
    thread_filter_row<Signed>(&chunk.rows[first][row][x], &chunk.rows[second][row][x], moment >= kSsimRefRef,
                              &chunk.moments[moment][row][x]);
}

/// G down a column: for each of the next 10 rows' results the sum that is known so far.
template <bool Signed> struct ColumnFilter {
    double sums[kMargin];

    /// Takes in a row, gives the moment whose window ends there.
    __device__ __forceinline__ float push(float v)
    {
        const Products<Signed> products(v);
        const float moment = thread_narrow(sums[0] + products.tap(kMargin));
#pragma unroll
        for (int i = 0; i + 1 < kMargin; ++i)
            sums[i] = sums[i + 1] + products.tap(kMargin - 1 - i);
        sums[kMargin - 1] = products.tap(0);
        return moment;
    }

    /// A column of one moment; row i becomes the moment whose window ends there.
    __device__ __forceinline__ void push_rows(Chunk &chunk, unsigned thread)
    {
        float(&column)[kChunk][kMomentPitch] = chunk.moments[thread / kColumns];
#pragma unroll 4
        for (int i = 0; i < kChunk; ++i)
            column[i][thread % kColumns] = push(column[i][thread % kColumns]);
    }
};

/// The quotient, rounded as by a division but where it lies within 2^-40 last places of the middle
/// of two numbers: 1 where both are equal. The divisor is not small; a division would test that.
__device__ __forceinline__ double thread_quotient(double dividend, float divisor)
{
    const double by = static_cast<double>(divisor), guess = static_cast<double>(thread_reciprocal(divisor));
    const double inverse = fma(guess, fma(-by, guess, 1.0), guess); // to 44 bits
    const double quotient = dividend * inverse;
    return fma(inverse, fma(-by, quotient, dividend), quotient);
}

/// spec ssim 3.3.
__device__ __forceinline__ void thread_add_terms(const Chunk &chunk, unsigned row, unsigned column, SsimSums &sums)
{
    constexpr float kC1 = kSsimC1, kC2 = kSsimC2, kC3 = kSsimC3;
    const auto moment = [&](unsigned number) { return chunk.moments[number][row][column]; };
    const float mr = moment(kSsimRef), mt = moment(kSsimDis);
    const float vr = fmaxf(moment(kSsimRefRef) - mr * mr, 0), vt = fmaxf(moment(kSsimDisDis) - mt * mt, 0);
    const float cv = moment(kSsimRefDis) - mr * mt;
    const float sg = sqrtf(vr * vt);
    const double l = thread_quotient((2 * static_cast<double>(mr)) * static_cast<double>(mt) + static_cast<double>(kC1),
                                     (mr * mr + mt * mt) + kC1);
    const double c = thread_quotient(2 * static_cast<double>(sg) + static_cast<double>(kC2), (vr + vt) + kC2);
    const float cp = cv < 0 && sg <= 0 ? 0 : cv;
    const double s = static_cast<double>((cp + kC3) / (sg + kC3));
    sums.l += l;
    sums.c += c;
    sums.s += s;
    sums.q += l * c * s;
}

/// The images of a block, of which four samples of a row are read at a time: as integers of 8 or 16
/// bits, or as they are in scratch memory.
struct ByteQuad {
    using Sample = std::uint8_t;
    uchar4 v;
};
struct WordQuad {
    using Sample = std::uint16_t;
    ushort4 v;
};
struct FloatQuad {
    using Sample = float;
    float4 v;
};

template <class Quad> struct Images {
    using Sample = typename Quad::Sample;
    CudaPlane ref, dis;
    int width_px, height_px;
    float unit;
    bool vectors; ///< whether quads can be read at once

    __device__ __forceinline__ Images(const CudaPlane &ref_, const CudaPlane &dis_, const SsimLevel &level, float unit_)
        : ref(ref_), dis(dis_), width_px(level.width_px), height_px(level.height_px), unit(unit_),
          vectors(rows_are_aligned(ref_, sizeof(Quad)) && rows_are_aligned(dis_, sizeof(Quad)))
    {
    }

    /// Beyond the image its last column and row are repeated.
    __device__ __forceinline__ Quad fetch(unsigned picture, int x, int y) const
    {
        const Sample *row = reinterpret_cast<const Sample *>(row_of(picture == 0 ? ref : dis, min(y, height_px - 1)));
        if (vectors && x + 4 <= width_px)
            return {__ldg(reinterpret_cast<const decltype(Quad::v) *>(row + x))};
        const auto sample = [&](int i) { return __ldg(row + min(x + i, width_px - 1)); };
        return {{sample(0), sample(1), sample(2), sample(3)}};
    }

    __device__ __forceinline__ float4 widen(const Quad &quad) const
    {
        return make_float4(static_cast<float>(quad.v.x) * unit, static_cast<float>(quad.v.y) * unit,
                           static_cast<float>(quad.v.z) * unit, static_cast<float>(quad.v.w) * unit);
    }
};

/// A thread's share of the next chunk's samples, on their way.
template <class Quad> struct NextRows {
    static constexpr unsigned kTasks = 2 * kChunk * kQuads;
    static constexpr unsigned kShare = (kTasks + kSsimWindowThreads - 1) / kSsimWindowThreads;
    Quad quads[kShare];

    __device__ __forceinline__ void fetch(const Images<Quad> &images, int left, int top, unsigned thread)
    {
#pragma unroll
        for (unsigned i = 0; i < kShare; ++i) {
            const unsigned task = thread + i * kSsimWindowThreads, row = task / kQuads;
            if (task < kTasks)
                quads[i] = images.fetch(row / kChunk, left + static_cast<int>(4 * (task % kQuads)),
                                        top + static_cast<int>(row % kChunk));
        }
    }

    __device__ __forceinline__ void store(const Images<Quad> &images, Chunk &chunk, unsigned thread) const
    {
#pragma unroll
        for (unsigned i = 0; i < kShare; ++i) {
            const unsigned task = thread + i * kSsimWindowThreads, row = task / kQuads;
            if (task < kTasks)
                *reinterpret_cast<float4 *>(&chunk.rows[row / kChunk][row % kChunk][4 * (task % kQuads)]) =
                    images.widen(quads[i]);
        }
    }
};

/// The sums over a block's threads, in a fixed order.
template <unsigned Threads>
__device__ __forceinline__ void block_reduce(const SsimSums &sums, unsigned thread, SsimSums &result)
{
    constexpr unsigned kWarps = Threads / kWarpSize;
    __shared__ SsimSums warps[kWarps];
    const SsimSums warp{warp_sum_in_fixed_order(sums.l), warp_sum_in_fixed_order(sums.c),
                        warp_sum_in_fixed_order(sums.s), warp_sum_in_fixed_order(sums.q)};
    if (thread % kWarpSize == 0)
        warps[thread / kWarpSize] = warp;
    __syncthreads();
    if (thread != 0)
        return;
    SsimSums total = warps[0];
#pragma unroll
    for (unsigned i = 1; i < kWarps; ++i) {
        total.l += warps[i].l;
        total.c += warps[i].c;
        total.s += warps[i].s;
        total.q += warps[i].q;
    }
    result = total;
}

/// One strip of positions.
template <bool Signed, class Quad>
__device__ __forceinline__ void block_evaluate(const Images<Quad> &images, unsigned strip, const SsimLevel &level,
                                               unsigned thread, SsimSums &slot)
{
    __shared__ Chunk chunk;
    const int left = static_cast<int>(strip % level.strips_across) * kColumns;
    const int top = static_cast<int>(strip / level.strips_across * level.strip_rows);
    const int columns = min(kColumns, level.width_px - kMargin - left);
    const int rows = min(static_cast<int>(level.strip_rows), level.height_px - kMargin - top);
    ColumnFilter<Signed> filter{};
    SsimSums sums{};
    NextRows<Quad> next;
    next.fetch(images, left, top, thread);
    for (int first = -kMargin; first < rows; first += kChunk) { // the position row that ends with the chunk's first row
        next.store(images, chunk, thread);
        __syncthreads();
        thread_filter_rows<Signed>(chunk, thread);
        __syncthreads();
        filter.push_rows(chunk, thread);
        __syncthreads();
        next.fetch(images, left, top + first + kMargin + kChunk, thread);
        for (unsigned place = thread; place < kChunk * kColumns; place += kSsimWindowThreads) {
            const int row = static_cast<int>(place) / kColumns, column = static_cast<int>(place) % kColumns;
            if (first + row >= 0 && first + row < rows && column < columns)
                thread_add_terms(chunk, row, column, sums);
        }
    }
    block_reduce<kSsimWindowThreads>(sums, thread, slot);
}

__device__ __forceinline__ SsimSums &slot_of(const SsimKernelParams &params, const SsimLevel &level, unsigned frame,
                                             unsigned strip)
{
    return params.slots[static_cast<unsigned long long>(frame) * params.strip_count + level.first_strip + strip];
}

template <class Quad>
__device__ __forceinline__ void block_evaluate_samples(const SsimKernelParams &params, unsigned strip, unsigned frame,
                                                       unsigned thread)
{
    const SsimLevel &level = params.levels[0];
    const CudaPairFrame &pair = params.batch.frames[frame];
    const Images<Quad> images(pair.ref[0], pair.dis[0], level, params.sample_unit);
    block_evaluate<false>(images, strip, level, thread, slot_of(params, level, frame, strip));
}

/// An image in scratch memory.
__device__ __forceinline__ float *image_of(const SsimKernelParams &params, const SsimLevel &level, unsigned picture,
                                           unsigned frame)
{
    return params.planes + frame * params.frame_floats + level.offset +
           picture * static_cast<unsigned long long>(level.pitch) * level.height_px;
}

__device__ __forceinline__ CudaPlane plane_of(const SsimKernelParams &params, const SsimLevel &level, unsigned picture,
                                              unsigned frame)
{
    return {reinterpret_cast<const unsigned char *>(image_of(params, level, picture, frame)),
            static_cast<long long>(level.pitch * sizeof(float))};
}

__device__ __forceinline__ void block_evaluate_image(const SsimKernelParams &params, unsigned strip, unsigned frame,
                                                     unsigned thread)
{
    unsigned number = 1;
    while (number + 1 < params.level_count && strip >= params.levels[number].strip_count) {
        strip -= params.levels[number].strip_count;
        ++number;
    }
    const SsimLevel &level = params.levels[number];
    const Images<FloatQuad> images(plane_of(params, level, 0, frame), plane_of(params, level, 1, frame), level, 1);
    block_evaluate<true>(images, strip, level, thread, slot_of(params, level, frame, strip));
}

/// One level's sums over its slots, in a fixed order.
__device__ __forceinline__ void block_sum_slots(const SsimKernelParams &params, unsigned number, unsigned frame,
                                                unsigned thread)
{
    const SsimLevel &level = params.levels[params.first_evaluated + number];
    const SsimSums *slots = &slot_of(params, level, frame, 0);
    SsimSums sums{};
    for (unsigned strip = thread; strip < level.strip_count; strip += kSsimSumThreads) {
        sums.l += slots[strip].l;
        sums.c += slots[strip].c;
        sums.s += slots[strip].s;
        sums.q += slots[strip].q;
    }
    block_reduce<kSsimSumThreads>(sums, thread, static_cast<SsimSums *>(params.batch.frames[frame].sums)[number]);
}

constexpr int kReach = kMsSsimReach;
constexpr int kHalveColumns = kSsimHalveColumns, kHalveChunk = kSsimHalveChunkRows;
constexpr int kHalvePairs = kHalveColumns + kReach; // of columns that the filter reads
static_assert(kSsimHalveMostStripRows % (kHalveChunk / 2) == 0 && kReach % (kHalveChunk / 2) == 0,
              "strips are whole chunks");
static_assert(kReach * kHalveChunk <= kHalveColumns, "a task for every thread");

/// Rows of the scale before, in columns of even and odd numbers.
struct HalveChunk {
    float even[kHalveChunk][kHalvePairs];
    float odd[kHalveChunk][kHalvePairs];
};

template <class Sample> struct HalveSource {
    CudaPlane plane;
    int width_px, height_px;
    float unit;

    __device__ __forceinline__ float at(const unsigned char *row, int x) const
    {
        return static_cast<float>(reinterpret_cast<const Sample *>(row)[x]) * unit;
    }

    __device__ __forceinline__ void load(HalveChunk &chunk, int left, int top, int row, int pair) const
    {
        const unsigned char *from = row_of(plane, mirror_with_edge(top + row, height_px));
        const int x = left + 2 * pair;
        chunk.even[row][pair] = at(from, mirror_with_edge(x, width_px));
        chunk.odd[row][pair] = at(from, mirror_with_edge(x + 1, width_px));
    }

    __device__ __forceinline__ void load(HalveChunk &chunk, int left, int top, unsigned thread) const
    {
#pragma unroll
        for (int row = 0; row < kHalveChunk; ++row)
            load(chunk, left, top, row, static_cast<int>(thread));
        if (thread < kReach * kHalveChunk)
            load(chunk, left, top, static_cast<int>(thread) / kReach,
                 kHalveColumns + static_cast<int>(thread) % kReach);
    }
};

/// The sums of a column for the next five rows of the new scale; the first one's last row of taps
/// comes next.
template <bool Signed> struct HalveColumn {
    double sums[kReach + 1];

    /// Adds the row under tap v of sum n, where v = Far - 2 n.
    template <int Far, int First> __device__ __forceinline__ void add_row(const float *even, const float *odd)
    {
        constexpr MsSsimLowPass kLowPass = kMsSsimLowPass;
        constexpr int kDistances = Far == kReach ? 3 : 2; // |v| is 4, 2, 0 or 3, 1
#pragma unroll
        for (int u = -kReach; u <= kReach; ++u) {
            const float sample = u % 2 == 0 ? even[(u + kReach) / 2] : odd[(u + kReach) / 2];
            const int column = u < 0 ? -u : u;
            double products[kDistances];
#pragma unroll
            for (int i = 0; i < kDistances; ++i) {
                const float tap = kLowPass.tap[Far - 2 * i][column];
                products[i] = thread_widen<Signed>(sample * (tap < 0 ? -tap : tap));
            }
#pragma unroll
            for (int n = First; n <= kReach; ++n) {
                const int v = Far - 2 * (n - First), distance = v < 0 ? -v : v;
                const double product = products[(Far - distance) / 2];
                sums[n] = kLowPass.tap[distance][column] < 0 ? sums[n] - product : sums[n] + product;
            }
        }
    }

    /// Takes in a row of even number. @return a sample of the new scale.
    __device__ __forceinline__ float push_even(const float *even, const float *odd)
    {
        add_row<kReach, 0>(even, odd);
        return thread_narrow(sums[0]);
    }

    __device__ __forceinline__ void push_odd(const float *even, const float *odd)
    {
        add_row<kReach - 1, 1>(even, odd);
#pragma unroll
        for (int n = 0; n < kReach; ++n)
            sums[n] = sums[n + 1];
        sums[kReach] = 0;
    }
};

/// A strip of one image: spec ssim 3.5's low-pass filter.
template <bool Signed, class Sample>
__device__ __forceinline__ void block_halve(const HalveSource<Sample> &source, const SsimLevel &level, int strip_rows,
                                            uint2 strip, unsigned thread, float *image)
{
    __shared__ HalveChunk chunk;
    const int x0 = static_cast<int>(strip.x) * kHalveColumns, y0 = static_cast<int>(strip.y) * strip_rows;
    const int x = x0 + static_cast<int>(thread), end = min(y0 + strip_rows, level.height_px);
    HalveColumn<Signed> column{};
    for (int y = y0 - kReach; y < end; y += kHalveChunk / 2) { // the sample that the chunk's first row completes
        source.load(chunk, 2 * x0 - kReach, 2 * y + kReach, thread);
        __syncthreads();
#pragma unroll 1
        for (int i = 0; i < kHalveChunk / 2; ++i) {
            const float sample = column.push_even(&chunk.even[2 * i][thread], &chunk.odd[2 * i][thread]);
            if (y + i >= y0 && y + i < end && x < level.width_px)
                image[static_cast<unsigned long long>(y + i) * level.pitch + x] = sample;
            column.push_odd(&chunk.even[2 * i + 1][thread], &chunk.odd[2 * i + 1][thread]);
        }
        __syncthreads();
    }
}

template <bool Signed, class Sample>
__device__ __forceinline__ void block_halve_picture(const SsimKernelParams &params, const CudaPlane &plane, float unit,
                                                    uint2 strip, unsigned picture, unsigned frame, unsigned thread)
{
    const SsimLevel &from = params.levels[params.made_level - 1], &to = params.levels[params.made_level];
    const HalveSource<Sample> source{plane, from.width_px, from.height_px, unit};
    block_halve<Signed>(source, to, static_cast<int>(params.made_strip_rows), strip, thread,
                        image_of(params, to, picture, frame));
}

/// The luma that a block reads which makes an image of each picture.
__device__ __forceinline__ const CudaPlane &luma_of(const SsimKernelParams &params, unsigned picture, unsigned frame)
{
    const CudaPairFrame &pair = params.batch.frames[frame];
    return picture == 0 ? pair.ref[0] : pair.dis[0];
}

template <class Sample>
__device__ __forceinline__ void block_halve_samples(const SsimKernelParams &params, uint3 block, unsigned thread)
{
    const unsigned picture = block.z % 2, frame = block.z / 2;
    block_halve_picture<false, Sample>(params, luma_of(params, picture, frame), params.sample_unit,
                                       make_uint2(block.x, block.y), picture, frame, thread);
}

__device__ __forceinline__ void block_halve_image(const SsimKernelParams &params, uint3 block, unsigned thread)
{
    const unsigned picture = block.z % 2, frame = block.z / 2;
    block_halve_picture<true, float>(params, plane_of(params, params.levels[params.made_level - 1], picture, frame), 1,
                                     make_uint2(block.x, block.y), picture, frame, thread);
}

/// spec ssim 3.4: one sample of a reduced image. The sum is exact, in any order.
template <class Sample>
__device__ __forceinline__ void thread_reduce(const SsimKernelParams &params, uint3 block, unsigned thread)
{
    const unsigned picture = block.z % 2, frame = block.z / 2;
    const SsimLevel &from = params.levels[0], &to = params.levels[params.made_level];
    const int x = static_cast<int>(block.x * kSsimReduceColumns + thread % kSsimReduceColumns);
    const int y = static_cast<int>(block.y * kSsimReduceRows + thread / kSsimReduceColumns);
    if (x >= to.width_px || y >= to.height_px)
        return;
    const CudaPlane &plane = luma_of(params, picture, frame);
    const int factor = static_cast<int>(params.factor);
    const float tap = 1.0F / static_cast<float>(factor * factor);
    double sum = 0;
    for (int v = 0; v < factor; ++v) {
        const unsigned char *row = row_of(plane, mirror_with_edge(y * factor - factor / 2 + v, from.height_px));
        for (int u = 0; u < factor; ++u) {
            const int column = mirror_with_edge(x * factor - factor / 2 + u, from.width_px);
            const float sample = static_cast<float>(__ldg(reinterpret_cast<const Sample *>(row) + column));
            sum += static_cast<double>(sample * params.sample_unit * tap);
        }
    }
    image_of(params, to, picture, frame)[static_cast<unsigned long long>(y) * to.pitch + x] = static_cast<float>(sum);
}

} // namespace ssim_kernels

// Grid: strips of level 0, -, frames.
extern "C" __global__ void __launch_bounds__(kSsimWindowThreads, 2)
    vmaf_ssim_samples_8bit(const __grid_constant__ SsimKernelParams params)
{
    block_evaluate_samples<ByteQuad>(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kSsimWindowThreads, 2)
    vmaf_ssim_samples_16bit(const __grid_constant__ SsimKernelParams params)
{
    block_evaluate_samples<WordQuad>(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

// Grid: strips of all other levels, -, frames.
extern "C" __global__ void __launch_bounds__(kSsimWindowThreads, 2)
    vmaf_ssim_images(const __grid_constant__ SsimKernelParams params)
{
    block_evaluate_image(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

// Grid: strips of the new level across and down, frames and pictures.
extern "C" __global__ void __launch_bounds__(kSsimHalveColumns)
    vmaf_ssim_halve_8bit(const __grid_constant__ SsimKernelParams params)
{
    block_halve_samples<std::uint8_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kSsimHalveColumns)
    vmaf_ssim_halve_16bit(const __grid_constant__ SsimKernelParams params)
{
    block_halve_samples<std::uint16_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kSsimHalveColumns)
    vmaf_ssim_halve_image(const __grid_constant__ SsimKernelParams params)
{
    block_halve_image(params, blockIdx, threadIdx.x);
}

// Grid: tiles of the reduced image across and down, frames and pictures.
extern "C" __global__ void __launch_bounds__(kSsimReduceColumns *kSsimReduceRows)
    vmaf_ssim_reduce_8bit(const __grid_constant__ SsimKernelParams params)
{
    thread_reduce<std::uint8_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kSsimReduceColumns *kSsimReduceRows)
    vmaf_ssim_reduce_16bit(const __grid_constant__ SsimKernelParams params)
{
    thread_reduce<std::uint16_t>(params, blockIdx, threadIdx.x);
}

// Grid: evaluated levels, -, frames.
extern "C" __global__ void __launch_bounds__(kSsimSumThreads)
    vmaf_ssim_sum(const __grid_constant__ SsimKernelParams params)
{
    block_sum_slots(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
