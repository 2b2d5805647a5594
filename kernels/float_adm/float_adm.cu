#include "common/filter_strip.cuh"
#include "common/half_tile.cuh"
#include "feature/float_adm/float_adm_cuda_params.h"

// spec float_features 3.6 to 3.9 on batches of frames. Bands A of scales 0 to 2 are made one after
// the other; then all scales are summed in one launch, the longest strips first, which makes the
// other bands of the region again. Reads 2 samples a pixel twice, 2 floats of bands A likewise;
// writes half a float a pixel of each band A and nine sums a row. Operations a position of a band,
// as the definition counts them: 120 for the DWT of both pictures, three divisions, 90 for the rest
// of decoupling, 110 for masks and terms, 24 of them in doubles and 39 conversions from or to
// doubles; some 490 instructions. In 10 of 8 rows and 32 of 28 columns, over 64 % of the bands:
// floor at 2160p, 8 bit: 16.6 MB twice = 8 us; 1.3 G lane instructions = 43 us, 1.0 G of the
// conversions' pipe, a sixteenth of a multiprocessor's cycle each, 25 us.

namespace vmaf {
inline namespace float_adm_kernels {

constexpr unsigned kPictures = kFloatAdmPictures;
constexpr int kWalkedRows = kStripRows + 2;      // with the masks' neighbours
constexpr int kSampleRows = 2 * kWalkedRows + 2; // under the DWT's taps
constexpr int kFirstLane = 2, kEndLane = kFirstLane + kFloatAdmWarpColumns;
using Terms = TileTerms<kFloatAdmRowSums, kFloatAdmTileColumns>;

/// spec adm 3.1: index -1 means 1, j >= n means 2n-1-j; held inside tiny lines, and far outside.
__device__ __forceinline__ int adm_reflect(int index, int size)
{
    const int inner = index < 0 ? -index : index >= size ? 2 * size - 1 - index : index;
    return min(max(inner, 0), size - 1);
}

__device__ __forceinline__ float *low_band(const FloatAdmKernelParams &params, unsigned frame, unsigned scale,
                                           unsigned picture)
{
    return params.low_band_floats + frame * params.frame_floats + params.low_bands[scale].offset[picture];
}

/// What the DWT of a scale reads.
struct DwtInput {
    CudaPlane plane;
    int width_px;
    int height_px;
};

__device__ __forceinline__ DwtInput input_of(const FloatAdmKernelParams &params, unsigned frame, unsigned scale,
                                             unsigned picture)
{
    const CudaPairFrame &pair = params.batch.frames[frame];
    if (scale == 0)
        return {(picture == 0 ? pair.ref : pair.dis)[0], params.width_px, params.height_px};
    const FloatAdmScale &before = params.adm.scale[scale - 1];
    return {{reinterpret_cast<const unsigned char *>(low_band(params, frame, scale - 1, picture)),
             static_cast<long long>(params.low_bands[scale - 1].pitch * sizeof(float))},
            static_cast<int>(before.width),
            static_cast<int>(before.height)};
}

/// A tile of band A of params.scale.
template <class Sample>
__device__ __forceinline__ void block_make_low_band(const FloatAdmKernelParams &params, int left, int top,
                                                    unsigned frame, unsigned picture, unsigned thread)
{
    __shared__ HalfTile<4> shared;
    const DwtInput input = input_of(params, frame, params.scale, picture);
    const HalfSource source{input.plane, input.width_px, input.height_px, params.unit, params.low, 4, 1};
    const FloatAdmScale &scale = params.adm.scale[params.scale];
    const int width = static_cast<int>(scale.width), height = static_cast<int>(scale.height);
    const unsigned pitch = params.low_bands[params.scale].pitch;
    float *band = low_band(params, frame, params.scale, picture);
    block_halve<Sample, 4>(source, left, top, thread, shared, adm_reflect, [&](int x, int y, float value) {
        if (x < width && y < height)
            band[static_cast<unsigned long long>(y) * pitch + x] = value;
    });
}

__device__ __forceinline__ float thread_filtered(const float (&taps)[4], float a, float b, float c, float d)
{
    return taps[0] * a + taps[1] * b + taps[2] * c + taps[3] * d;
}

/// Samples 2x and 2x + 1 in the four rows under the taps of a band's row.
struct LaneSamples {
    float row[4][2];

    __device__ __forceinline__ void bands(const FloatAdmKernelParams &params, float (&bands)[kAdmBands]) const
    {
        float low[2], high[2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            low[i] = thread_filtered(params.low, row[0][i], row[1][i], row[2][i], row[3][i]);
            high[i] = thread_filtered(params.high, row[0][i], row[1][i], row[2][i], row[3][i]);
        }
        const float low_before = __shfl_up_sync(kFullWarp, low[1], 1);
        const float low_after = __shfl_down_sync(kFullWarp, low[0], 1);
        const float high_before = __shfl_up_sync(kFullWarp, high[1], 1);
        const float high_after = __shfl_down_sync(kFullWarp, high[0], 1);
        bands[kAdmH] = thread_filtered(params.low, high_before, high[0], high[1], high_after);
        bands[kAdmV] = thread_filtered(params.high, low_before, low[0], low[1], low_after);
        bands[kAdmD] = thread_filtered(params.high, high_before, high[0], high[1], high_after);
    }
};

/// The lane's columns of both pictures.
template <class Sample> struct LaneColumns {
    const StripRows<kSampleRows> (&rows)[kPictures];
    FloatUnit unit;
    int x[2]; ///< of the samples

    __device__ __forceinline__ void load(unsigned picture, int row, float (&samples)[2]) const
    {
#pragma unroll
        for (int i = 0; i < 2; ++i)
            samples[i] = thread_value<Sample>(rows[picture].row[row], x[i], unit);
    }

    /// The four rows from `first` on; after the row before, whose last two are the first two.
    __device__ __forceinline__ void load(int first, bool follows, LaneSamples (&samples)[kPictures]) const
    {
#pragma unroll
        for (unsigned picture = 0; picture < kPictures; ++picture) {
            float(&row)[4][2] = samples[picture].row;
#pragma unroll
            for (int k = 0; k < 2; ++k)
                for (int i = 0; i < 2; ++i)
                    row[k][i] = row[k + 2][i];
            if (!follows) {
                load(picture, first, row[0]);
                load(picture, first + 1, row[1]);
            }
            load(picture, first + 2, row[2]);
            load(picture, first + 3, row[3]);
        }
    }
};

/// |f * y| of the signals at one position. Either signal masks the other one.
enum Signal { kRestored, kAdditive, kSignals };
struct Strengths {
    float signal[kSignals][kAdmBands];
    float reference[kAdmBands];
};

/// spec float_features 3.7.
__device__ __forceinline__ float thread_restored(float o, float t, bool flag, double gain_limit)
{
    float k = t / (o + 1e-30F);
    k = k > 0 ? k : 0;
    k = k < 1 ? k : 1;
    const float r = k * o;
    const double gained = static_cast<double>(r) * gain_limit, wide_t = static_cast<double>(t);
    const bool take_gained = r > 0 ? gained < wide_t : gained > wide_t;
    const float limited = static_cast<float>(take_gained ? gained : wide_t);
    return flag && r != 0 ? limited : r;
}

__device__ __forceinline__ void thread_decouple(const float (&o)[kAdmBands], const float (&t)[kAdmBands],
                                                const float (&weight)[kAdmBands], double gain_limit,
                                                Strengths &strengths)
{
    const float dp = o[kAdmH] * t[kAdmH] + o[kAdmV] * t[kAdmV];
    const float oo = o[kAdmH] * o[kAdmH] + o[kAdmV] * o[kAdmV];
    const float tt = t[kAdmH] * t[kAdmH] + t[kAdmV] * t[kAdmV];
    const bool flag = dp >= 0 && dp * dp >= kFloatAdmCosSquared * oo * tt;
#pragma unroll
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const float r = thread_restored(o[band], t[band], flag, gain_limit);
        strengths.signal[kRestored][band] = fabsf(weight[band] * r);
        strengths.signal[kAdditive][band] = fabsf(weight[band] * (t[band] - r));
        strengths.reference[band] = fabsf(weight[band] * o[band]);
    }
}

__device__ __forceinline__ float thread_cube(float v)
{
    return v * v * v;
}

/// The sums of the 3x3 masks, which grow from row to row: each in raster order.
struct LaneMasks {
    float above[kSignals][kAdmBands]; ///< of the next row: what its row above gives
    float open[kSignals][kAdmBands];  ///< of this row: all but what its row below gives

    /// Goes on by one row. @return the finished sums over bands, by masker, of the row before.
    __device__ __forceinline__ void advance(const Strengths &strengths, int x, int width, float (&finished)[kSignals])
    {
#pragma unroll
        for (int signal = 0; signal < kSignals; ++signal) {
#pragma unroll
            for (unsigned band = 0; band < kAdmBands; ++band) {
                const float strength = strengths.signal[signal][band];
                const float n = static_cast<float>(kFloatAdmNeighbourShare * static_cast<double>(strength));
                const float before = __shfl_up_sync(kFullWarp, n, 1), after = __shfl_down_sync(kFullWarp, n, 1);
                const float right = x == width - 1 ? n : after;
                const float left = x == 0 ? right : before; // spec adm 3.5
                const float q = open[signal][band] + left + n + right;
                finished[signal] = band == 0 ? q : finished[signal] + q;
                const float to_centre = static_cast<float>(static_cast<double>(above[signal][band] + left) +
                                                           kFloatAdmCentreShare * static_cast<double>(strength));
                open[signal][band] = to_centre + right;
                above[signal][band] = left + n + right;
            }
        }
    }
};

/// The warp's columns of a tile, of rows `top` to `top` + rows - 1.
template <class Sample>
__device__ __forceinline__ void warp_make_terms(const FloatAdmKernelParams &params, const FloatAdmScale &scale,
                                                const LaneColumns<Sample> &columns, int x, int top, int rows,
                                                int tile_column, bool stores, Terms &terms)
{
    const int width = static_cast<int>(scale.width), height = static_cast<int>(scale.height);
    LaneSamples samples[kPictures];
    LaneMasks masks;
    float held[kSignals][kAdmBands]; // strengths of the row before
    int before = -2;
#pragma unroll 1
    for (int step = 0; step < rows + 2; ++step) {
        const int at = top - 1 + step;
        const int y = at < 0 ? min(1, height - 1) : min(at, height - 1); // spec adm 3.5
        columns.load(2 * (y - (top - 1)), y == before + 1, samples);
        before = y;
        float bands[kPictures][kAdmBands];
        samples[0].bands(params, bands[0]);
        samples[1].bands(params, bands[1]);
        Strengths strengths;
        thread_decouple(bands[0], bands[1], scale.weight, params.adm.gain_limit, strengths);
        float threshold[kSignals] = {};
        if (!params.adm.bypass_mask)
            masks.advance(strengths, x, width, threshold);
        if (stores && step >= 2)
#pragma unroll
            for (unsigned band = 0; band < kAdmBands; ++band) {
                const float num = held[kRestored][band] - threshold[kAdditive];
                const float aim = held[kAdditive][band] - threshold[kRestored];
                terms.at(band, step - 2, tile_column) = thread_cube(num > 0 ? num : 0);
                terms.at(kAdmBands + band, step - 2, tile_column) = thread_cube(aim > 0 ? aim : 0);
            }
        if (stores && step >= 1 && step <= kStripRows)
#pragma unroll
            for (unsigned band = 0; band < kAdmBands; ++band)
                terms.at(2 * kAdmBands + band, step - 1, tile_column) = thread_cube(strengths.reference[band]);
#pragma unroll
        for (int signal = 0; signal < kSignals; ++signal)
#pragma unroll
            for (unsigned band = 0; band < kAdmBands; ++band)
                held[signal][band] = strengths.signal[signal][band];
    }
}

__device__ __forceinline__ float *row_sums_of(const FloatAdmKernelParams &params, unsigned frame, unsigned scale,
                                              unsigned sum)
{
    const unsigned list = (frame * kAdmScales + scale) * kFloatAdmRowSums + sum;
    return params.row_sums + static_cast<unsigned long long>(list) * params.row_sum_rows;
}

struct Shared {
    StripRows<kSampleRows> rows[kPictures];
    Terms terms;
};

template <class Sample>
__device__ __forceinline__ void block_sum_strip(const FloatAdmKernelParams &params, unsigned scale_index,
                                                unsigned strip, unsigned frame, unsigned thread, Shared &shared)
{
    const FloatAdmScale &scale = params.adm.scale[scale_index];
    const int top = static_cast<int>(scale.top + strip * kStripRows);
    const int rows = min(static_cast<int>(scale.bottom) - top, kStripRows);
    const int left = static_cast<int>(scale.left), right = static_cast<int>(scale.right);
    DwtInput input{};
    for (unsigned picture = 0; picture < kPictures; ++picture) {
        input = input_of(params, frame, scale_index, picture);
        shared.rows[picture].fill(input.plane, 2 * (top - 1) - 1, input.height_px, thread, adm_reflect);
    }
    __syncthreads();
    const int lane = static_cast<int>(thread % kWarpSize), warp = static_cast<int>(thread / kWarpSize);
    const bool stores = lane >= kFirstLane && lane < kEndLane;
    const int column = warp * kFloatAdmWarpColumns + lane - kFirstLane;
    const unsigned chain = thread;
    float sum = 0;
    for (int tile = left; tile < right; tile += kFloatAdmTileColumns) {
        const int x = tile + column;
        if (tile + warp * kFloatAdmWarpColumns < right) {
            const LaneColumns<Sample> columns{
                shared.rows, params.unit, {adm_reflect(2 * x, input.width_px), adm_reflect(2 * x + 1, input.width_px)}};
            warp_make_terms(params, scale, columns, x, top, rows, column, stores, shared.terms);
        }
        __syncthreads();
        if (chain < kFloatAdmRowSums * kStripRows)
            shared.terms.add(chain, min(right - tile, kFloatAdmTileColumns), sum);
        __syncthreads();
    }
    const int row = static_cast<int>(chain % kStripRows);
    if (chain < kFloatAdmRowSums * kStripRows && row < rows)
        row_sums_of(params, frame, scale_index, chain / kStripRows)[strip * kStripRows + row] = sum;
}

/// Strips of all scales. Sample: of the pictures.
template <class Sample>
__device__ __forceinline__ void block_sum(const FloatAdmKernelParams &params, unsigned strip, unsigned frame,
                                          unsigned thread)
{
    __shared__ Shared shared;
    unsigned scale = params.first_scale;
    while (scale + 1 < kAdmScales && strip >= params.first_strip[scale + 1])
        ++scale;
    strip -= params.first_strip[scale];
    if (scale == 0)
        block_sum_strip<Sample>(params, scale, strip, frame, thread, shared);
    else
        block_sum_strip<float>(params, scale, strip, frame, thread, shared);
}

static_assert(kFloatAdmRowSums * kStripRows <= kFloatAdmThreads, "a lane a chain");
static_assert(sizeof(FloatAdmSums) == kFloatAdmRowSums * kAdmScales * sizeof(float), "num, aim, den");

} // namespace float_adm_kernels

// Grid: tiles of band A across and down, both pictures of every frame.
extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_adm_low_8bit(const __grid_constant__ FloatAdmKernelParams params)
{
    block_make_low_band<std::uint8_t>(params, blockIdx.x * kHalfTileColumns, blockIdx.y * kStripRows, blockIdx.z / 2,
                                      blockIdx.z % 2, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_adm_low_16bit(const __grid_constant__ FloatAdmKernelParams params)
{
    block_make_low_band<std::uint16_t>(params, blockIdx.x * kHalfTileColumns, blockIdx.y * kStripRows, blockIdx.z / 2,
                                       blockIdx.z % 2, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_adm_low_float(const __grid_constant__ FloatAdmKernelParams params)
{
    block_make_low_band<float>(params, blockIdx.x * kHalfTileColumns, blockIdx.y * kStripRows, blockIdx.z / 2,
                               blockIdx.z % 2, threadIdx.x);
}

// Grid: frames, strips of all scales: strips of scale 0 of all frames come first, small ones fill
// the device up at the end.
extern "C" __global__ void __launch_bounds__(kFloatAdmThreads)
    vmaf_float_adm_rows_8bit(const __grid_constant__ FloatAdmKernelParams params)
{
    block_sum<std::uint8_t>(params, blockIdx.y, blockIdx.x, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kFloatAdmThreads)
    vmaf_float_adm_rows_16bit(const __grid_constant__ FloatAdmKernelParams params)
{
    block_sum<std::uint16_t>(params, blockIdx.y, blockIdx.x, threadIdx.x);
}

// Grid: sums, scales, frames. A block is a warp.
extern "C" __global__ void __launch_bounds__(kWarpSize)
    vmaf_float_adm_sum(const __grid_constant__ FloatAdmKernelParams params)
{
    const unsigned sum = blockIdx.x, scale = blockIdx.y, frame = blockIdx.z;
    if (scale < params.first_scale)
        return;
    const FloatAdmScale &geometry = params.adm.scale[scale];
    const float total = warp_ordered_sum(row_sums_of(params, frame, scale, sum),
                                         static_cast<int>(geometry.bottom - geometry.top), threadIdx.x);
    constexpr unsigned kPlaces = kAdmScales * kAdmBands;
    const unsigned place = sum / kAdmBands * kPlaces + scale * kAdmBands + sum % kAdmBands;
    if (threadIdx.x == 0)
        static_cast<float *>(params.batch.frames[frame].sums)[place] = total;
}

} // namespace vmaf
