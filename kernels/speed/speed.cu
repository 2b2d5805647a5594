#include "common/common.cuh"
#include "common/prescale.cuh"
#include "feature/speed/speed_cuda_params.h"
#include "feature/speed/speed_logarithms.h"

// spec speed 3 on batches of frames: the small pictures D, their details A, covariances K, then at
// once the eigenvalues and the QR decomposition of K, variances and entropies of the blocks, the
// scores. Every sum runs in the chapter's order, so every bit is the CPU's; sums that do not depend
// on each other run in parallel.
//
// Bytes: 9/16 of the samples, once; the rest is small. Operations: some 12 a sample that is read; 4
// doubles for each of 325 products of a window. Both are below 2 us a frame at 1080p 4:2:0. What
// counts is the length of the chains, in a batch of any size: with M windows 5 M cycles for the
// means, 8 M for covariances, 15 us for the decomposition, beside it some 500 rotations of 150
// cycles, 45 us, for the eigenvalues.

namespace vmaf {
inline namespace speed_kernels {

constexpr int kBlock = kSpeedBlock;
constexpr int kSize = kSpeedDimension;
constexpr int kStep = kSpeedStep;

template <class T> __device__ __forceinline__ T *of_plane(T *all, unsigned plane, int count_x, int count_y)
{
    return all + static_cast<long long>(count_x) * count_y * plane;
}

/// Samples of a prescaled picture (spec speed 3.2).
template <class Sample> struct Picture {
    const SpeedKernelParams &params;
    const SpeedCudaPlane &from;

    /// Both terms are exact, and their difference.
    __device__ __forceinline__ float converted(int x, int y) const
    {
        const int sample = __ldg(reinterpret_cast<const Sample *>(row_of(from.plane, y)) + x);
        if (from.subtrahend.data == nullptr)
            return static_cast<float>(sample) * params.sample_scale - 128;
        const int other = __ldg(reinterpret_cast<const Sample *>(row_of(from.subtrahend, y)) + x);
        return static_cast<float>(sample - other) * params.sample_scale;
    }

    __device__ __forceinline__ float at(int x, int y) const
    {
        const auto sample = [this](int column, int row) { return converted(column, row); };
        return params.prescale.taps == 0 ? converted(x, y) : thread_prescaled(params.prescale, x, y, sample);
    }
};

/// spec speed 3.3: samples of one row of D. Only the columns that they want are filtered
/// vertically.
template <class Sample>
__device__ __forceinline__ void block_reduce(const SpeedKernelParams &params, uint3 block, unsigned thread)
{
    constexpr int kMost = kSpeedReducedSamples;
    __shared__ float filtered[(kMost - 1) * kStep + kSpeedMaxReducingTaps];
    const int width = static_cast<int>(params.prescaled_width_px),
              height = static_cast<int>(params.prescaled_height_px);
    const int reduced_width = static_cast<int>(params.reduced_width_px), y = static_cast<int>(block.y);
    const int first = static_cast<int>(block.x) * kMost, samples = min(kMost, reduced_width - first);
    const int taps = static_cast<int>(params.reducing_tap_count), reach = taps / 2;
    const Picture<Sample> picture{params, params.planes[block.z]};

    const int in_use = min(taps, kStep); // columns of each kStep
    const int columns = taps < kStep ? samples * taps : (samples - 1) * kStep + taps;
    for (int i = static_cast<int>(thread); i < columns; i += kSpeedReduceThreads) {
        const int column = i / in_use * kStep + i % in_use;
        const int x = mirror(first * kStep - reach + column, width);
        float sum = 0;
#pragma unroll 3
        for (int k = 0; k < taps; ++k)
            sum += params.reducing_taps[k] * picture.at(x, mirror(y * kStep - reach + k, height));
        filtered[column] = sum;
    }
    __syncthreads();
    if (static_cast<int>(thread) >= samples)
        return;
    float sum = 0;
    for (int k = 0; k < taps; ++k)
        sum += params.reducing_taps[k] * filtered[static_cast<int>(thread) * kStep + k];
    of_plane(params.reduced, block.z, reduced_width,
             static_cast<int>(params.reduced_height_px))[static_cast<long long>(y) * reduced_width + first + thread] =
        sum;
}

/// spec speed 3.4: one sample of A.
__device__ __forceinline__ void thread_detail(const SpeedKernelParams &params, unsigned plane, unsigned index)
{
    const int width = static_cast<int>(params.reduced_width_px), height = static_cast<int>(params.reduced_height_px);
    const int columns = kBlock * static_cast<int>(params.blocks_x), rows = kBlock * static_cast<int>(params.blocks_y);
    if (index >= static_cast<unsigned>(columns * rows))
        return;
    const int x = static_cast<int>(index) % columns, y = static_cast<int>(index) / columns;
    const int taps = static_cast<int>(params.mean_tap_count), reach = taps / 2;
    const float *reduced = of_plane(params.reduced, plane, width, height);
    float mean = 0;
    for (int i = 0; i < taps; ++i) {
        const int from_x = mirror(x - reach + i, width);
        float column = 0;
        for (int j = 0; j < taps; ++j)
            column +=
                params.mean_taps[j] * reduced[static_cast<long long>(mirror(y - reach + j, height)) * width + from_x];
        mean += params.mean_taps[i] * column;
    }
    of_plane(params.details, plane, columns, rows)[index] = reduced[static_cast<long long>(y) * width + x] - mean;
}

constexpr int kTileBytes = 40 << 10;
constexpr int kTileColumns = 960; ///< of windows, at most

/// Goes with a part of A in shared memory over all windows, row by row, each from the left.
template <class Number> class Windows {
  public:
    __device__ __forceinline__ Windows(const SpeedKernelParams &params, unsigned plane, unsigned char *shared,
                                       unsigned lane)
        : columns_(kBlock * static_cast<int>(params.blocks_x)), windows_x_(columns_ - (kBlock - 1)),
          windows_y_(kBlock * static_cast<int>(params.blocks_y) - (kBlock - 1)),
          details_(of_plane(params.details, plane, columns_, windows_y_ + kBlock - 1)),
          tile_(reinterpret_cast<Number *>(shared)), lane_(static_cast<int>(lane)),
          tile_columns_(min(windows_x_, kTileColumns)), pitch_(conflict_free_pitch(tile_columns_ + kBlock - 1)),
          tile_rows_(tile_columns_ == windows_x_ ? kNumbers / pitch_ - (kBlock - 1) : 1)
    {
    }

    /// Offset of element p of a window from the window's place in the tile.
    __device__ __forceinline__ int offset(int p) const { return p / kBlock * pitch_ + p % kBlock; }
    __device__ __forceinline__ int count() const { return windows_x_ * windows_y_; }

    /// Calls body(place, count) for every part of a row.
    template <class Body> __device__ __forceinline__ void warp_for_each_row(Body body) const
    {
        for (int top = 0; top < windows_y_; top += tile_rows_)
            for (int left = 0; left < windows_x_; left += tile_columns_) {
                const int rows = min(tile_rows_, windows_y_ - top), columns = min(tile_columns_, windows_x_ - left);
                __syncwarp();
                warp_load(left, top, columns + kBlock - 1, rows + kBlock - 1);
                __syncwarp();
                for (int y = 0; y < rows; ++y)
                    body(tile_ + y * pitch_, columns);
            }
    }

  private:
    static constexpr int kNumbers = kTileBytes / static_cast<int>(sizeof(Number));

    // The elements of a window lie in different banks: row i begins in bank 5 i (of 32 floats, or
    // of 16 doubles in half a warp).
    static __device__ __forceinline__ int conflict_free_pitch(int columns)
    {
        constexpr int kBanks = 128 / static_cast<int>(sizeof(Number));
        static_assert(kBlock * (kTileColumns + kBlock) <= kNumbers && (kTileColumns + kBlock) % kBanks == kBlock, "");
        return (columns - kBlock + kBanks - 1) / kBanks * kBanks + kBlock;
    }

    __device__ __forceinline__ void warp_load(int left, int top, int columns, int rows) const
    {
        for (int y = 0; y < rows; ++y) {
            const float *from = details_ + static_cast<long long>(top + y) * columns_ + left;
#pragma unroll 2
            for (int x = lane_; x < columns; x += kWarpSize)
                tile_[y * pitch_ + x] = from[x];
        }
    }

    int columns_, windows_x_, windows_y_;
    const float *details_;
    Number *tile_;
    int lane_;
    int tile_columns_, pitch_, tile_rows_;
};

/// spec speed 3.5: a warp's elements of K. The lanes from kSize on do what another one does.
__device__ __forceinline__ void warp_covariance(const SpeedKernelParams &params, unsigned plane, unsigned distance,
                                                unsigned lane)
{
    alignas(16) __shared__ unsigned char shared[kTileBytes];
    const int p = static_cast<int>(lane) % kSize, q = (p + static_cast<int>(distance)) % kSize;

    const Windows<float> floats(params, plane, shared, lane);
    float sum = 0;
    floats.warp_for_each_row([&, at = floats.offset(p)](const float *row, int count) {
#pragma unroll 8
        for (int x = 0; x < count; ++x)
            sum += row[at + x];
    });
    const float mean = sum / static_cast<float>(floats.count());
    const double mean_p = mean, mean_q = __shfl_sync(kFullWarp, mean, q);

    const Windows<double> doubles(params, plane, shared, lane);
    double products = 0;
    doubles.warp_for_each_row([&, at_p = doubles.offset(p), at_q = doubles.offset(q)](const double *row, int count) {
#pragma unroll 8
        for (int x = 0; x < count; ++x)
            products += (row[at_p + x] - mean_p) * (row[at_q + x] - mean_q);
    });
    if (lane >= kSize)
        return;
    float(&covariance)[kSize][kSize] = params.models[plane].covariance;
    covariance[p][q] = covariance[q][p] = static_cast<float>(products / static_cast<double>(doubles.count()));
}

/// The sum of the lanes' values from lane `first` to the last row's, in this order.
__device__ __forceinline__ float warp_ordered_sum(float value, int first)
{
    float sum = 0;
#pragma unroll 4
    for (int i = first; i < kSize; ++i)
        sum += __shfl_sync(kFullWarp, value, i);
    return sum;
}

struct EigenShared {
    float a[kSize][kSize + 8];
    float v[kWarpSize], x[kWarpSize];
    float diagonal[kSize], subdiagonal[kSize];
};

/// spec speed 3.6, tridiagonalisation, steps 1 to 3 for column i. Lane r has row r.
__device__ __forceinline__ void warp_reflect(EigenShared &s, int i, int lane)
{
    const int m = i + 1;
    const bool in_matrix = lane < kSize;
    const float below = in_matrix ? s.a[lane][i] : 0;
    const float alpha = __shfl_sync(kFullWarp, below, m);
    if (lane == 0)
        s.subdiagonal[i] = alpha;
    const float tail = sqrtf(warp_ordered_sum(below * below, m + 1));
    if (tail == 0)
        return;
    const float hyp = sqrtf(alpha * alpha + tail * tail);
    const float beta = alpha >= 0 ? -hyp : hyp, scale = alpha - beta, tau = (beta - alpha) / beta;
    float v = below;
    if (scale != 0) {
        v = below / scale;
        if (lane == 0)
            s.subdiagonal[i] = beta;
    }
    v = lane == m ? 1 : lane > m && in_matrix ? v : 0;
    s.v[lane] = v;
    __syncwarp();
    float x = 0;
    if (lane >= m && in_matrix)
#pragma unroll 4
        for (int c = m; c < kSize; ++c)
            x += tau * s.a[c][lane] * s.v[c]; // the block is symmetric
    const float g = warp_ordered_sum(x * v, m);
    const auto f = static_cast<float>(-0.5 * tau * g);
    x += f * v;
    s.x[lane] = x;
    __syncwarp();
    if (lane >= m && in_matrix)
#pragma unroll 4
        for (int r = m; r < kSize; ++r)
            s.a[r][lane] -= s.x[r] * v + s.v[r] * x;
    __syncwarp();
}

/// float(1.0 / sqrt(v)) in double for v in 1..2, from an approximation that a step of Newton's
/// method brings to 2^-43 at least: the float is certain unless two of them are as near.
__device__ __forceinline__ float thread_inverse_root(float v)
{
    const float seed = rsqrtf(v);
    const float product = v * seed, rest = fmaf(v, seed, -product);
    const float excess = fmaf(-rest, seed, fmaf(-product, seed, 1.0F)); // 1 - v seed^2
    const float correction = seed * (excess * fmaf(0.375F, excess, 0.5F));
    const float root = seed + correction, left = correction - (root - seed);
    if (fabsf(fabsf(left) - 0x1p-25F) > 0x1p-40F)
        return root;
    return static_cast<float>(1.0 / sqrt(static_cast<double>(v)));
}

struct Rotation {
    float c, s;
};

__device__ __forceinline__ Rotation thread_rotation(float x, float z)
{
    if (z == 0)
        return {1, 0};
    const bool steep = fabsf(z) > fabsf(x);
    const float g = steep ? -x / z : -z / x;
    const float longer = thread_inverse_root(1 + g * g), shorter = longer * g;
    return steep ? Rotation{shorter, longer} : Rotation{longer, shorter};
}

/// spec speed 3.6, step 1 and 2.
__device__ __forceinline__ float thread_shift(const float *d, const float *e, int n)
{
    const float tb = d[n - 1], t = e[n - 2];
    const float dt = (d[n - 2] - tb) / 2;
    const float hyp = sqrtf(dt * dt + t * t);
    const float mu = dt > 0 ? tb - t * (t / (dt + hyp)) : dt == 0 ? tb - fabsf(t) : tb + t * (t / (hyp - dt));
    return kSpeedNegligible * fabsf(mu) > fabsf(d[0]) + fabsf(e[0]) ? 0 : mu;
}

/// spec speed 3.6, steps 1 to 5, on a block of n >= 2 diagonal elements.
__device__ __forceinline__ void thread_sweep(float *d, float *e, int n)
{
    float x = d[0] - thread_shift(d, e, n), z = e[0];
    float bk = 0, zk = 0, p = d[0], q = e[0], r = d[1], u = n > 2 ? e[1] : 0;
    for (int k = 0; k + 1 < n; ++k) {
        // What the next steps read is on its way while the rotation is computed.
        const float next_r = k + 2 < n ? d[k + 2] : r, next_u = k + 3 < n ? e[k + 2] : u;
        const Rotation rotation = thread_rotation(x, z);
        const float c = rotation.c, s = rotation.s;
        const float b1 = c * bk - s * zk;
        const float p1 = c * (c * p - s * q) + s * (s * r - c * q);
        const float q1 = c * (s * p + c * q) - s * (s * q + c * r);
        const float r1 = s * (s * p + c * q) + c * (s * q + c * r);
        d[k] = p1;
        if (k > 0)
            e[k - 1] = b1;
        bk = q1;
        zk = -s * u;
        p = r1;
        q = c * u;
        r = next_r;
        if (k + 2 < n)
            e[k + 1] = q;
        u = next_u;
        x = bk;
        z = zk;
    }
    d[n - 1] = p;
    e[n - 2] = bk;
}

/// Clears what is too small to matter of the subdiagonal's elements lo .. hi-1. The elements that
/// are left, a bit each.
__device__ __forceinline__ unsigned warp_chop(EigenShared &s, int lo, int hi, int lane)
{
    bool is_left = false;
    if (lane < kSize - 1) {
        const float e = s.subdiagonal[lane];
        const bool chopped = lane >= lo && lane < hi &&
                             fabsf(e) < kSpeedNegligible * (fabsf(s.diagonal[lane]) + fabsf(s.diagonal[lane + 1]));
        if (chopped)
            s.subdiagonal[lane] = 0;
        is_left = !chopped && e != 0;
    }
    const unsigned left = __ballot_sync(kFullWarp, is_left);
    __syncwarp();
    return left;
}

/// spec speed 3.6, "Iteration".
__device__ __forceinline__ void warp_iterate(EigenShared &s, int lane)
{
    unsigned left = warp_chop(s, 0, kSize - 1, lane);
    for (unsigned steps = 0; left != 0 && steps < kSpeedMaxSteps; ++steps) {
        const int last = 32 - __clz(static_cast<int>(left)); // elements first .. last-1 of the subdiagonal are not 0
        const unsigned zeros = ~left & ((1U << (last - 1)) - 1);
        const int first = 32 - __clz(static_cast<int>(zeros));
        if (lane == 0)
            thread_sweep(s.diagonal + first, s.subdiagonal + first, last - first + 1);
        __syncwarp();
        left = warp_chop(s, first, last, lane);
    }
}

__device__ __forceinline__ void warp_eigenvalues(SpeedCudaModel &model, int lane)
{
    __shared__ EigenShared s;
    for (int r = 0; r < kSize; ++r)
        if (lane < kSize)
            s.a[r][lane] = model.covariance[r][lane];
    __syncwarp();
    for (int i = 0; i + 2 < kSize; ++i)
        warp_reflect(s, i, lane);
    if (lane < kSize)
        s.diagonal[lane] = s.a[lane][lane];
    if (lane == 0)
        s.subdiagonal[kSize - 2] = s.a[kSize - 1][kSize - 2];
    __syncwarp();
    warp_iterate(s, lane);
    bool small = false;
    if (lane < kSize) {
        model.eigenvalues[lane] = s.diagonal[lane];
        small = s.diagonal[lane] < kSpeedSingular;
    }
    small = __any_sync(kFullWarp, small);
    if (lane == 0)
        model.has_small_eigenvalue = small;
}

constexpr int kPitch = kWarpSize + 1; ///< columns are read too

struct QrShared {
    float z[2][kSize][kPitch], g[2][kSize][kPitch]; ///< before and after a step, in turn
    float h[kSize][kWarpSize];
    float v[kWarpSize];
};

/// spec speed 3.7, steps 1 and 2: v of the reflection that clears column `step` of z below the
/// diagonal.
__device__ __forceinline__ void warp_reflection(const float (&z)[kSize][kPitch], int step, bool diagonal_is_negative,
                                                int lane, float (&result)[kWarpSize])
{
    float v = lane >= step && lane < kSize ? z[lane][step] : 0;
    const float norm = sqrtf(warp_ordered_sum(v * v, step));
    if (lane == step)
        v = diagonal_is_negative ? v - norm : v + norm;
    const float scale = sqrtf(warp_ordered_sum(v * v, step));
    result[lane] = v / scale;
}

/// spec speed 3.7 to step 3, R. Warp r has row r of all matrices, lane c their column c. Rows above
/// `step` are done; sums of the whole matrices would only add zeros before.
__device__ __forceinline__ void block_decompose(SpeedCudaModel &model, unsigned thread)
{
    __shared__ QrShared s;
    const int row = static_cast<int>(thread / kWarpSize), lane = static_cast<int>(thread % kWarpSize);
    float g = row == lane ? 1 : 0;
    s.z[0][row][lane] = lane < kSize ? model.covariance[row][lane] : 0;
    s.g[0][row][lane] = g;
    __syncthreads();
    for (int step = 0; step + 1 < kSize; ++step) {
        const auto &z = s.z[step % 2], &old_g = s.g[step % 2];
        if (row == 0)
            warp_reflection(z, step, !(model.covariance[step][step] >= 0), lane, s.v);
        __syncthreads();
        if (row >= step) {
            const float product = -2 * s.v[row] * s.v[lane];
            s.h[row][lane] = lane == row ? product + 1 : product;
            __syncwarp();
            float z_sum = 0, g_sum = 0;
#pragma unroll 4
            for (int i = step; i < kSize; ++i) {
                const float h = s.h[row][i];
                z_sum += h * z[i][lane];
                g_sum += h * old_g[i][lane];
            }
            g = g_sum;
            s.z[(step + 1) % 2][row][lane] = z_sum;
            s.g[(step + 1) % 2][row][lane] = g;
        }
        __syncthreads();
    }
    s.h[row][lane] = g;
    __syncwarp();
    float r = 0;
    if (lane < kSize) {
        for (int i = 0; i < kSize; ++i)
            r += s.h[row][i] * model.covariance[i][lane];
        model.g[row][lane] = g;
        model.r[row][lane] = r;
    }
    const int small = __syncthreads_or(lane == row && fabsf(r) < kSpeedSingular);
    if (thread == 0)
        model.has_small_divisor = small != 0;
}

struct EntropyShared {
    float g[kSize][kSize + 3], r[kSize][kSize + 3]; ///< rows are aligned to 16 bytes
    float eigenvalues[kSize];
    float variances[kSpeedEntropyBlocks];
    double logarithms[kSize][kSpeedEntropyBlocks];
};

/// spec speed 3.7, steps 3 and 4, and S: the variance of a block with the samples y.
__device__ __forceinline__ float thread_variance(const EntropyShared &s, const float (&y)[kSize])
{
    float x[kSize];
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
        x[i] = 0;
#pragma unroll
        for (int j = 0; j < kSize; ++j)
            x[i] += s.g[i][j] * y[j];
    }
#pragma unroll
    for (int i = kSize - 1; i >= 0; --i) {
#pragma unroll
        for (int j = i + 1; j < kSize; ++j)
            x[i] -= x[j] * s.r[i][j];
        x[i] /= s.r[i][i];
    }
    float variance = 0;
#pragma unroll
    for (int p = 0; p < kSize; ++p)
        variance += x[p] * y[p] / kSize;
    return variance;
}

__device__ __forceinline__ float thread_argument(float eigenvalue, float variance, float sigma_nn)
{
    return (eigenvalue < 0 ? 0 : eigenvalue) * variance + sigma_nn;
}

__device__ __forceinline__ bool is_singular(const SpeedCudaModel &model)
{
    return model.has_small_eigenvalue != 0 || model.has_small_divisor != 0;
}

/// spec speed 3.7, S and E of some blocks. Those of a singular plane do not matter.
__device__ __forceinline__ void block_entropies(const SpeedKernelParams &params, unsigned plane, unsigned first,
                                                unsigned thread)
{
    __shared__ EntropyShared s;
    const SpeedCudaModel &model = params.models[plane];
    if (is_singular(model))
        return;
    for (unsigned i = thread; i < kSize * kSize; i += kSpeedEntropyThreads) {
        s.g[i / kSize][i % kSize] = model.g[i / kSize][i % kSize];
        s.r[i / kSize][i % kSize] = model.r[i / kSize][i % kSize];
    }
    if (thread < kSize)
        s.eigenvalues[thread] = model.eigenvalues[thread];
    __syncthreads();
    const unsigned count = params.blocks_x * params.blocks_y, t = first + thread;
    const bool has_block = thread < kSpeedEntropyBlocks && t < count;
    if (has_block) {
        const int columns = kBlock * static_cast<int>(params.blocks_x);
        const float *samples = of_plane(params.details, plane, columns, kBlock * static_cast<int>(params.blocks_y)) +
                               static_cast<long long>(t / params.blocks_x) * kBlock * columns +
                               t % params.blocks_x * kBlock;
        float y[kSize];
#pragma unroll
        for (int p = 0; p < kSize; ++p)
            y[p] = samples[p / kBlock * columns + p % kBlock];
        s.variances[thread] = thread_variance(s, y);
    } else if (thread < kSpeedEntropyBlocks) {
        s.variances[thread] = 0;
    }
    __syncthreads();
    for (unsigned i = thread; i < kSize * kSpeedEntropyBlocks; i += kSpeedEntropyThreads) {
        const unsigned k = i / kSpeedEntropyBlocks, block = i % kSpeedEntropyBlocks;
        const float argument = thread_argument(s.eigenvalues[k], s.variances[block], params.sigma_nn);
        s.logarithms[k][block] = log2(static_cast<double>(argument));
    }
    __syncthreads();
    if (!has_block)
        return;
    float bits = 0;
    for (int k = 0; k < kSize; ++k)
        bits = speed_add_bits(bits, thread_argument(s.eigenvalues[k], s.variances[thread], params.sigma_nn),
                              s.logarithms[k][thread]);
    const long long at = static_cast<long long>(count) * plane + t;
    params.variances[at] = s.variances[thread];
    params.entropies[at] = bits;
}

__device__ __forceinline__ float thread_weighted(float entropy, double weight)
{
    return speed_weighted(entropy, weight, log2(weight));
}

/// spec speed 3.8: what block t of a pair adds.
__device__ __forceinline__ float thread_difference(const SpeedKernelParams &params, long long ref_at, long long dis_at)
{
    const float ref = params.entropies[ref_at], dis = params.entropies[dis_at];
    if (ref < params.noise_entropy && dis < params.noise_entropy)
        return 0;
    const SpeedWeights weights =
        speed_weights(params.weight_var_mode, params.variances[ref_at], params.variances[dis_at]);
    return fabsf(thread_weighted(ref, weights.ref) - thread_weighted(dis, weights.dis));
}

/// spec speed 3.8. Without a covariance on either side all terms are 0.
__device__ __forceinline__ void block_score(const SpeedKernelParams &params, unsigned pair, unsigned thread)
{
    __shared__ float terms[kSpeedScoreThreads];
    const unsigned ref = 2 * pair, dis = ref + 1, count = params.blocks_x * params.blocks_y;
    SpeedPlaneScore &score = *params.scores[pair];
    if (is_singular(params.models[ref]) || is_singular(params.models[dis])) {
        if (thread == 0)
            score = {0, 1};
        return;
    }
    float sum = 0;
    for (unsigned first = 0; first < count; first += kSpeedScoreThreads) {
        const unsigned t = first + thread, terms_here = min(count - first, kSpeedScoreThreads);
        __syncthreads();
        if (t < count)
            terms[thread] = thread_difference(params, static_cast<long long>(count) * ref + t,
                                              static_cast<long long>(count) * dis + t);
        __syncthreads();
        if (thread == 0)
#pragma unroll 8
            for (unsigned i = 0; i < terms_here; ++i)
                sum += terms[i];
    }
    if (thread == 0)
        score = {sum / static_cast<float>(count), 0};
}

} // namespace speed_kernels

// Grid: parts of a row, rows of the reduced plane, planes.
extern "C" __global__ void __launch_bounds__(kSpeedReduceThreads)
    vmaf_speed_reduce_8bit(const __grid_constant__ SpeedKernelParams params)
{
    block_reduce<std::uint8_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kSpeedReduceThreads)
    vmaf_speed_reduce_16bit(const __grid_constant__ SpeedKernelParams params)
{
    block_reduce<std::uint16_t>(params, blockIdx, threadIdx.x);
}

// Grid: parts of a plane, -, planes.
extern "C" __global__ void __launch_bounds__(kSpeedDetailThreads)
    vmaf_speed_detail(const __grid_constant__ SpeedKernelParams params)
{
    thread_detail(params, blockIdx.z, blockIdx.x * kSpeedDetailThreads + threadIdx.x);
}

// Grid: distances of a covariance's columns from its rows, -, planes.
extern "C" __global__ void __launch_bounds__(kWarpSize)
    vmaf_speed_covariance(const __grid_constant__ SpeedKernelParams params)
{
    warp_covariance(params, blockIdx.z, blockIdx.x, threadIdx.x);
}

// Grid: eigenvalues and decomposition, -, planes.
extern "C" __global__ void __launch_bounds__(kSpeedSolveThreads)
    vmaf_speed_solve(const __grid_constant__ SpeedKernelParams params)
{
    SpeedCudaModel &model = params.models[blockIdx.z];
    if (blockIdx.x == 1)
        block_decompose(model, threadIdx.x);
    else if (threadIdx.x < kWarpSize)
        warp_eigenvalues(model, static_cast<int>(threadIdx.x));
}

// Grid: parts of a plane's blocks, -, planes.
extern "C" __global__ void __launch_bounds__(kSpeedEntropyThreads)
    vmaf_speed_entropy(const __grid_constant__ SpeedKernelParams params)
{
    block_entropies(params, blockIdx.z, blockIdx.x * kSpeedEntropyBlocks, threadIdx.x);
}

// Grid: -, -, pairs.
extern "C" __global__ void __launch_bounds__(kSpeedScoreThreads)
    vmaf_speed_score(const __grid_constant__ SpeedKernelParams params)
{
    block_score(params, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
