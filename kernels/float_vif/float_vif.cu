#include "common/filter_strip.cuh"
#include "common/half_tile.cuh"
#include "common/prescale.cuh"
#include "feature/float_vif/float_vif_cuda_params.h"

// spec float_features 3.1 to 3.3 on batches of frames. The smaller scales' pictures are made one
// after the other; then all scales are scored in one launch, the longest strips first. Reads 2
// samples a pixel of scale 0, three times (L1, L2), 2 floats of the others; writes 2 floats a pixel
// of the smaller scales and two sums a row. Operations a pixel of scale 0, as the definition counts
// them: 340 for five images' filters, 3 products, some 100 for the statistic; with loads and shared
// memory some 560 instructions, and 0.55 times that for all smaller scales. Floor at 2160p, 8 bit:
// 16.6 MB = 4 us; 7.2 G lane instructions = 250 us.

namespace vmaf {
inline namespace float_vif_kernels {

// ---- pictures ----

__device__ __forceinline__ float *scratch_picture(const FloatVifKernelParams &params, unsigned frame, unsigned scale,
                                                  unsigned picture)
{
    return params.pictures + frame * params.frame_floats + params.levels[scale].offset[picture];
}

/// Plane of samples at scale 0, unless they were resampled; else of floats.
__device__ __forceinline__ CudaPlane plane_of(const FloatVifKernelParams &params, unsigned frame, unsigned scale,
                                              unsigned picture)
{
    if (scale == 0 && !params.prescaled)
        return (picture == 0 ? params.batch.frames[frame].ref : params.batch.frames[frame].dis)[0];
    return {reinterpret_cast<const unsigned char *>(scratch_picture(params, frame, scale, picture)),
            static_cast<long long>(params.levels[scale].pitch * sizeof(float))};
}

/// Pixels of scale 0, resampled: one column of kStripRows rows.
template <class Sample>
__device__ __forceinline__ void thread_prescale(const FloatVifKernelParams &params, unsigned frame, unsigned picture,
                                                int x, int top)
{
    const FloatVifLevel &level = params.levels[0];
    if (x >= level.width_px)
        return;
    const CudaPlane &from = (picture == 0 ? params.batch.frames[frame].ref : params.batch.frames[frame].dis)[0];
    float *pixels = scratch_picture(params, frame, 0, picture);
    for (int y = top; y < min(top + kStripRows, level.height_px); ++y)
        pixels[static_cast<unsigned long long>(y) * level.pitch + x] =
            thread_prescaled(params.prescaler, x, y, [&](int from_x, int from_y) {
                return thread_value<Sample>(row_of(from, from_y), from_x, params.unit);
            });
}

/// Taps: 0 where they are counted at run time.
constexpr int most(int taps, int at_run_time)
{
    return taps == 0 ? at_run_time : taps;
}

template <int Taps> using NextShared = HalfTile<most(Taps, kFloatVifMaxNextTaps)>;

/// A tile of a picture of params.scale: even rows and columns of the scale before, filtered.
template <class Sample, int Taps>
__device__ __forceinline__ void block_make_next(const FloatVifKernelParams &params, int left, int top, unsigned frame,
                                                unsigned picture, unsigned thread, NextShared<Taps> &shared)
{
    const FloatVifLevel &from = params.levels[params.scale - 1], &to = params.levels[params.scale];
    const int tap_count = Taps == 0 ? to.taps : Taps;
    const HalfSource source{plane_of(params, frame, params.scale - 1, picture),
                            from.width_px,
                            from.height_px,
                            params.unit,
                            params.taps[params.scale],
                            tap_count,
                            tap_count / 2};
    float *pixels = scratch_picture(params, frame, params.scale, picture);
    block_halve<Sample, Taps>(source, left, top, thread, shared, mirror_often, [&](int x, int y, float value) {
        if (x < to.width_px && y < to.height_px)
            pixels[static_cast<unsigned long long>(y) * to.pitch + x] = value;
    });
}

/// Shared memory of the largest of those that use it in turn.
template <class Largest> struct alignas(16) Memory {
    unsigned char bytes[sizeof(Largest)];
};

// ---- statistic ----

/// LG of spec float_features 3.3, for a >= 1, infinity or NaN.
__device__ __forceinline__ float thread_log2(float a)
{
    constexpr float k0 = -0.012671635276421F, k1 = 0.064841182402670F, k2 = -0.157048836463065F,
                    k3 = 0.257167726303123F, k4 = -0.353800560300520F, k5 = 0.480131410397451F,
                    k6 = -0.721314327952201F, k7 = 1.442694803896991F;
    constexpr unsigned kNan = 0x7fc00000; // as the chapter counts it; the device's own has another mantissa
    const unsigned bits = a == a ? __float_as_uint(a) : kNan;
    const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127;
    const float t = __uint_as_float((bits & 0x7fffff) | 0x3f800000) - 1;
    return static_cast<float>(exponent) +
           (((((((k0 * t + k1) * t + k2) * t + k3) * t + k4) * t + k5) * t + k6) * t + k7) * t;
}

struct NumDen {
    float num, den;
};

__device__ __forceinline__ NumDen thread_statistic(const FloatVifNoise &n, float m1, float m2, float xx, float yy,
                                                   float xy)
{
    constexpr float eps = 1.0e-10F;
    const float v1 = xx - m1 * m1, v2 = yy - m2 * m2;
    const float s2 = v2 > 0 ? v2 : 0, s12 = xy - m1 * m2;
    float s1 = v1 > 0 ? v1 : 0;
    float g = s12 / (s1 + eps);
    float v = s2 - g * s12;
    const bool ref_flat = s1 < eps, dis_flat = s2 < eps;
    g = ref_flat ? 0 : g;
    v = ref_flat ? s2 : v;
    s1 = ref_flat ? 0 : s1;
    g = dis_flat ? 0 : g;
    v = dis_flat ? 0 : v;
    v = g < 0 ? s2 : v;
    g = g < 0 ? 0 : g;
    v = v > eps ? v : eps;
    g = g < n.gain_limit ? g : n.gain_limit;

    const float signal = g * g * s1;
    const float to_noise = static_cast<float>(1 + static_cast<double>(signal) / (static_cast<double>(v) + n.sigma_nsq));
    const float ref_to_noise =
        n.exact_inverse ? 1 + s1 * n.inverse : static_cast<float>(1 + static_cast<double>(s1) / n.sigma_nsq);
    const bool low = s1 < n.least_variance;
    const float unrelated = s12 < 0 ? 0 : thread_log2(to_noise);
    return {low ? 1 - s2 * n.low_factor : unrelated, low ? 1 : thread_log2(ref_to_noise)};
}

// ---- strips ----

template <int Taps> struct Shared {
    static constexpr int kMostTaps = most(Taps, kFloatVifMaxTaps);

    StripRows<kStripRows + kMostTaps - 1> rows[kFloatVifPictures];
    FilteredColumns<kFloatVifPlanes, kMostTaps> columns;
    TileTerms<kFloatVifSides> terms;
};

/// The vertical pass of all images at one column, in the rows from `first` on; `at` is its place in
/// the tile.
template <class Sample, int Taps>
__device__ __forceinline__ void thread_filter_column(const FloatVifKernelParams &params, const FloatVifLevel &level,
                                                     const float *taps, Shared<Taps> &shared, int x, int first, int at)
{
    const int inner_x = mirror_often(x, level.width_px);
    const auto value = [&](int picture, int row) {
        return thread_value<Sample>(shared.rows[picture].row[first + row], inner_x, params.unit);
    };
    if constexpr (Taps > 0) {
        constexpr int kValues = kThreadPixels + Taps - 1;
        float ref[kValues], dis[kValues], products[kValues], filtered[kThreadPixels];
#pragma unroll
        for (int i = 0; i < kValues; ++i) {
            ref[i] = value(0, i);
            dis[i] = value(1, i);
        }
        const auto filter = [&](const float(&a)[kValues], const float(&b)[kValues], int image) {
#pragma unroll
            for (int i = 0; i < kValues; ++i)
                products[i] = a[i] * b[i];
            thread_filter<Taps>(products, taps, filtered);
            shared.columns.store(image, first, at, filtered);
        };
        thread_filter<Taps>(ref, taps, filtered);
        shared.columns.store(kFloatVifRef, first, at, filtered);
        thread_filter<Taps>(dis, taps, filtered);
        shared.columns.store(kFloatVifDis, first, at, filtered);
        filter(ref, dis, kFloatVifRefDis);
        filter(ref, ref, kFloatVifRefRef);
        filter(dis, dis, kFloatVifDisDis);
    } else {
        for (int i = 0; i < kThreadPixels; ++i) {
            float sums[kFloatVifPlanes] = {};
            for (int k = 0; k < level.taps; ++k) {
                const float ref = value(0, i + k), dis = value(1, i + k), tap = taps[k];
                const float images[kFloatVifPlanes] = {ref, dis, ref * ref, dis * dis, ref * dis};
#pragma unroll
                for (int image = 0; image < kFloatVifPlanes; ++image)
                    sums[image] = k == 0 ? tap * images[image] : sums[image] + tap * images[image];
            }
#pragma unroll
            for (int image = 0; image < kFloatVifPlanes; ++image)
                shared.columns.value[image][first + i][at] = sums[image];
        }
    }
}

/// The horizontal pass and the terms of kThreadPixels pixels of a row.
template <int Taps>
__device__ __forceinline__ void thread_terms(const FloatVifKernelParams &params, const FloatVifLevel &level,
                                             const float *taps, Shared<Taps> &shared, int row, int first)
{
    float moments[kFloatVifPlanes][kThreadPixels];
#pragma unroll
    for (int image = 0; image < kFloatVifPlanes; ++image) {
        if constexpr (Taps > 0) {
            thread_filter_row(shared.columns, image, row, first, taps, moments[image]);
        } else {
            const float *values = &shared.columns.value[image][row][first];
#pragma unroll
            for (int i = 0; i < kThreadPixels; ++i)
                moments[image][i] = taps[0] * values[i];
            for (int k = 1; k < level.taps; ++k)
#pragma unroll
                for (int i = 0; i < kThreadPixels; ++i)
                    moments[image][i] += taps[k] * values[i + k];
        }
    }
#pragma unroll
    for (int i = 0; i < kThreadPixels; ++i) {
        const NumDen terms =
            thread_statistic(params.noise, moments[kFloatVifRef][i], moments[kFloatVifDis][i],
                             moments[kFloatVifRefRef][i], moments[kFloatVifDisDis][i], moments[kFloatVifRefDis][i]);
        shared.terms.at(0, row, first + i) = terms.num;
        shared.terms.at(1, row, first + i) = terms.den;
    }
}

__device__ __forceinline__ float *row_sums_of(const FloatVifKernelParams &params, unsigned frame, unsigned scale,
                                              unsigned side)
{
    const unsigned list = (frame * kFloatVifScales + scale) * kFloatVifSides + side;
    return params.row_sums + static_cast<unsigned long long>(list) * params.row_sum_rows;
}

template <class Sample, int Taps>
__device__ __forceinline__ void block_score_strip(const FloatVifKernelParams &params, unsigned scale, unsigned strip,
                                                  unsigned frame, unsigned thread, unsigned char *memory)
{
    auto &shared = *reinterpret_cast<Shared<Taps> *>(memory);
    const FloatVifLevel &level = params.levels[scale];
    const float *taps = params.taps[scale];
    const int halo = (Taps == 0 ? level.taps : Taps) - 1, reach = halo / 2;
    const int top = static_cast<int>(strip) * kStripRows;
    for (int picture = 0; picture < kFloatVifPictures; ++picture)
        shared.rows[picture].fill(plane_of(params, frame, scale, picture), top - reach, level.height_px, thread);
    __syncthreads();
    const int column = static_cast<int>(thread) % kTileColumns;
    const int first_row = static_cast<int>(thread) / kTileColumns * kThreadPixels;
    const int row = static_cast<int>(thread) % kStripRows;
    const int first_column = static_cast<int>(thread) / kStripRows * kThreadPixels;
    float sum = 0;
    // The tile before the first one: its last columns are the first one's neighbours.
    for (int left = -kTileColumns; left < level.width_px; left += kTileColumns) {
        if (left >= 0)
            shared.columns.carry(first_row, halo + column);
        if (left >= 0 || column >= kTileColumns - halo)
            thread_filter_column<Sample>(params, level, taps, shared, left + reach + column, first_row, halo + column);
        if (left < 0)
            continue;
        __syncthreads();
        thread_terms(params, level, taps, shared, row, first_column);
        __syncthreads();
        if (thread < kFloatVifSides * kStripRows)
            shared.terms.add(thread, min(level.width_px - left, kTileColumns), sum);
    }
    const int y = top + row;
    if (thread < kFloatVifSides * kStripRows && y < level.height_px)
        row_sums_of(params, frame, scale, thread / kStripRows)[y] = sum;
}

/// Strips of all scales. Sample: of scale 0.
template <class Sample, bool TapsAtRunTime>
__device__ __forceinline__ void block_score(const FloatVifKernelParams &params, unsigned strip, unsigned frame,
                                            unsigned thread, unsigned char *memory)
{
    unsigned scale = params.first_scale;
    while (scale + 1 < kFloatVifScales && strip >= params.levels[scale + 1].first_strip)
        ++scale;
    strip -= params.levels[scale].first_strip;
    if constexpr (TapsAtRunTime) {
        if (scale == 0)
            block_score_strip<Sample, 0>(params, scale, strip, frame, thread, memory);
        else
            block_score_strip<float, 0>(params, scale, strip, frame, thread, memory);
    } else {
        switch (scale) {
        case 0:
            return block_score_strip<Sample, kFloatVifTaps[0]>(params, scale, strip, frame, thread, memory);
        case 1:
            return block_score_strip<float, kFloatVifTaps[1]>(params, scale, strip, frame, thread, memory);
        case 2:
            return block_score_strip<float, kFloatVifTaps[2]>(params, scale, strip, frame, thread, memory);
        default:
            return block_score_strip<float, kFloatVifTaps[3]>(params, scale, strip, frame, thread, memory);
        }
    }
}

constexpr unsigned kBlocksPerSm = 3;

} // namespace float_vif_kernels

// Grid: columns, strips of rows, both pictures of every frame.
extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_prescale_8bit(const __grid_constant__ FloatVifKernelParams params)
{
    thread_prescale<std::uint8_t>(params, blockIdx.z / 2, blockIdx.z % 2, blockIdx.x * kStripThreads + threadIdx.x,
                                  blockIdx.y * kStripRows);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_prescale_16bit(const __grid_constant__ FloatVifKernelParams params)
{
    thread_prescale<std::uint16_t>(params, blockIdx.z / 2, blockIdx.z % 2, blockIdx.x * kStripThreads + threadIdx.x,
                                   blockIdx.y * kStripRows);
}

// Grid: tiles of the next scale across and down, both pictures of every frame.
#define VMAF_FLOAT_VIF_NEXT(Sample, Taps)                                                                              \
    __shared__ NextShared<Taps> memory;                                                                                \
    block_make_next<Sample, Taps>(params, blockIdx.x * kHalfTileColumns, blockIdx.y * kStripRows, blockIdx.z / 2,      \
                                  blockIdx.z % 2, threadIdx.x, memory)

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_scale1_8bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_NEXT(std::uint8_t, kFloatVifTaps[1]);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_scale1_16bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_NEXT(std::uint16_t, kFloatVifTaps[1]);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_scale2(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_NEXT(float, kFloatVifTaps[2]);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_scale3(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_NEXT(float, kFloatVifTaps[3]);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_next_8bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_NEXT(std::uint8_t, 0);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_next_16bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_NEXT(std::uint16_t, 0);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_vif_next_float(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_NEXT(float, 0);
}

// Grid: frames, strips of all scales: strips of scale 0 of all frames come first, small ones fill
// the device up at the end.
#define VMAF_FLOAT_VIF_ROWS(Sample, TapsAtRunTime)                                                                     \
    constexpr int kMostTaps = TapsAtRunTime ? 0 : kFloatVifTaps[0];                                                    \
    __shared__ Memory<Shared<kMostTaps>> memory;                                                                       \
    block_score<Sample, TapsAtRunTime>(params, blockIdx.y, blockIdx.x, threadIdx.x, memory.bytes)

extern "C" __global__ void __launch_bounds__(kStripThreads, kBlocksPerSm)
    vmaf_float_vif_rows_8bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_ROWS(std::uint8_t, false);
}

extern "C" __global__ void __launch_bounds__(kStripThreads, kBlocksPerSm)
    vmaf_float_vif_rows_16bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_ROWS(std::uint16_t, false);
}

extern "C" __global__ void __launch_bounds__(kStripThreads, kBlocksPerSm)
    vmaf_float_vif_rows_float(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_ROWS(float, false);
}

extern "C" __global__ void __launch_bounds__(kStripThreads, kBlocksPerSm)
    vmaf_float_vif_any_rows_8bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_ROWS(std::uint8_t, true);
}

extern "C" __global__ void __launch_bounds__(kStripThreads, kBlocksPerSm)
    vmaf_float_vif_any_rows_16bit(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_ROWS(std::uint16_t, true);
}

extern "C" __global__ void __launch_bounds__(kStripThreads, kBlocksPerSm)
    vmaf_float_vif_any_rows_float(const __grid_constant__ FloatVifKernelParams params)
{
    VMAF_FLOAT_VIF_ROWS(float, true);
}

// Grid: sides, scales, frames. A block is a warp.
extern "C" __global__ void __launch_bounds__(kWarpSize)
    vmaf_float_vif_sum(const __grid_constant__ FloatVifKernelParams params)
{
    const unsigned side = blockIdx.x, scale = blockIdx.y, frame = blockIdx.z;
    if (scale < params.first_scale)
        return;
    const float total =
        warp_ordered_sum(row_sums_of(params, frame, scale, side), params.levels[scale].height_px, threadIdx.x);
    FloatVifScaleSums &sums = static_cast<FloatVifSums *>(params.batch.frames[frame].sums)->scale[scale];
    if (threadIdx.x == 0)
        (side == 0 ? sums.num : sums.den) = total;
}

} // namespace vmaf
