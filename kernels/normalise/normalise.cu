#include "common/common.cuh"
#include "engine/cuda/normalise_params.h"

// spec device_pictures 2: samples that are semi-planar, shifted or of another depth, written as
// they are scored. Reads and writes each sample once; operations a sample: one. Floor at 2160p, 10
// bits in 16: 33 MB = 8 us for luma, 17 MB = 4 us for both chroma planes.

namespace vmaf {
inline namespace normalise_kernels {

constexpr int kVectorBytes = 16;

/// Both samples of a word, shifted down and then up. 16 bits.
__device__ __forceinline__ unsigned shifted(unsigned samples, unsigned shift, unsigned raise)
{
    return (samples >> shift & (0xffffU >> shift & 0xffffU >> raise) * 0x10001U) << raise;
}

__device__ __forceinline__ uint4 shifted(uint4 samples, unsigned shift, unsigned raise)
{
    return make_uint4(shifted(samples.x, shift, raise), shifted(samples.y, shift, raise),
                      shifted(samples.z, shift, raise), shifted(samples.w, shift, raise));
}

/// Eight samples of one byte as such of two, shifted up.
__device__ __forceinline__ uint4 widened(uint2 samples, unsigned raise)
{
    return make_uint4(__byte_perm(samples.x, 0, 0x4140) << raise, __byte_perm(samples.x, 0, 0x4342) << raise,
                      __byte_perm(samples.y, 0, 0x4140) << raise, __byte_perm(samples.y, 0, 0x4342) << raise);
}

/// The first (0) or second (1) samples of the pairs in two words.
template <class Sample> __device__ __forceinline__ unsigned samples_of(unsigned low, unsigned high, unsigned which)
{
    if (sizeof(Sample) == 1)
        return __byte_perm(low, high, which == 0 ? 0x6420 : 0x7531);
    return __byte_perm(low, high, which == 0 ? 0x5410 : 0x7632);
}

template <class Sample> __device__ __forceinline__ uint2 samples_of(uint4 pairs, unsigned which)
{
    return make_uint2(samples_of<Sample>(pairs.x, pairs.y, which), samples_of<Sample>(pairs.z, pairs.w, which));
}

/// The vector at `offset` of a row, wherever the row begins.
template <class Sample>
__device__ __forceinline__ uint4 thread_load(const unsigned char *row, int offset, bool is_aligned)
{
    if (is_aligned)
        return __ldg(reinterpret_cast<const uint4 *>(row + offset));
    constexpr int kWordSamples = 4 / sizeof(Sample);
    const Sample *from = reinterpret_cast<const Sample *>(row + offset);
    unsigned words[kVectorBytes / 4];
    for (int word = 0; word < kVectorBytes / 4; ++word) {
        words[word] = 0;
        for (int i = 0; i < kWordSamples; ++i)
            words[word] |= static_cast<unsigned>(from[word * kWordSamples + i]) << 8 * sizeof(Sample) * i;
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

template <class Sample>
__device__ __forceinline__ void thread_store(const NormaliseJob &job, long long row, int offset, uint4 samples)
{
    if (sizeof(Sample) == 2)
        samples = shifted(samples, job.shift, job.raise);
    if (job.are_pairs == 0) {
        *reinterpret_cast<uint4 *>(job.to[0] + row + offset) = samples;
        return;
    }
    for (unsigned which = 0; which < 2; ++which)
        if (job.to[which] != nullptr)
            *reinterpret_cast<uint2 *>(job.to[which] + row + offset / 2) = samples_of<Sample>(samples, which);
}

/// Stores samples of one byte as samples of two.
__device__ __forceinline__ void thread_store_widened(const NormaliseJob &job, long long row, int offset, uint4 samples)
{
    if (job.are_pairs == 0) {
        uint4 *to = reinterpret_cast<uint4 *>(job.to[0] + row + 2 * offset);
        to[0] = widened(make_uint2(samples.x, samples.y), job.raise);
        to[1] = widened(make_uint2(samples.z, samples.w), job.raise);
        return;
    }
    for (unsigned which = 0; which < 2; ++which)
        if (job.to[which] != nullptr)
            *reinterpret_cast<uint4 *>(job.to[which] + row + offset) =
                widened(samples_of<std::uint8_t>(samples, which), job.raise);
}

/// Stores samples that fill no vector, one after the other.
template <class Stored, class Sample>
__device__ __forceinline__ void thread_copy(const NormaliseJob &job, const unsigned char *from, long long row,
                                            int offset, int end)
{
    const unsigned step = 1 + job.are_pairs;
    for (int at = offset; at < end; at += static_cast<int>(sizeof(Stored))) {
        const unsigned index = static_cast<unsigned>(at) / sizeof(Stored);
        unsigned char *to = job.to[index % step];
        if (to != nullptr)
            reinterpret_cast<Sample *>(to + row)[index / step] = static_cast<Sample>(
                static_cast<unsigned>(*reinterpret_cast<const Stored *>(from + at)) >> job.shift << job.raise);
    }
}

/// Piece number `piece` of the plane, from the left and from the top.
template <class Stored, class Sample>
__device__ __forceinline__ void warp_normalise(const NormaliseJob &job, unsigned piece, unsigned lane)
{
    const int row_bytes = job.width_px * static_cast<int>(sizeof(Stored) * (1 + job.are_pairs));
    const unsigned row_pieces = (static_cast<unsigned>(row_bytes) + kNormaliseWarpBytes - 1) / kNormaliseWarpBytes;
    const int y = static_cast<int>(piece / row_pieces);
    if (y >= job.height_px)
        return;
    const int first =
        static_cast<int>(piece % row_pieces) * kNormaliseWarpBytes + static_cast<int>(lane) * kVectorBytes;
    const unsigned char *from = row_of(job.from, y);
    const long long row = job.to_stride_bytes * y;
    const bool is_aligned = rows_are_aligned(job.from, kVectorBytes);
    uint4 vectors[kNormaliseLoads];
#pragma unroll
    for (int i = 0; i < kNormaliseLoads; ++i) {
        const int offset = first + i * static_cast<int>(kWarpSize) * kVectorBytes;
        if (offset + kVectorBytes <= row_bytes)
            vectors[i] = thread_load<Stored>(from, offset, is_aligned);
    }
#pragma unroll
    for (int i = 0; i < kNormaliseLoads; ++i) {
        const int offset = first + i * static_cast<int>(kWarpSize) * kVectorBytes;
        if (offset + kVectorBytes > row_bytes)
            thread_copy<Stored, Sample>(job, from, row, offset, row_bytes);
        else if (sizeof(Stored) < sizeof(Sample))
            thread_store_widened(job, row, offset, vectors[i]);
        else
            thread_store<Sample>(job, row, offset, vectors[i]);
    }
}

} // namespace normalise_kernels

extern "C" __global__ void __launch_bounds__(kNormaliseBlockWarps *kWarpSize)
    vmaf_normalise_8bit(const __grid_constant__ NormaliseParams params)
{
    warp_normalise<std::uint8_t, std::uint8_t>(
        params.jobs[blockIdx.y], blockIdx.x * kNormaliseBlockWarps + threadIdx.x / kWarpSize, threadIdx.x % kWarpSize);
}

extern "C" __global__ void __launch_bounds__(kNormaliseBlockWarps *kWarpSize)
    vmaf_normalise_16bit(const __grid_constant__ NormaliseParams params)
{
    const NormaliseJob &job = params.jobs[blockIdx.y];
    const unsigned piece = blockIdx.x * kNormaliseBlockWarps + threadIdx.x / kWarpSize;
    if (job.is_widened != 0)
        warp_normalise<std::uint8_t, std::uint16_t>(job, piece, threadIdx.x % kWarpSize);
    else
        warp_normalise<std::uint16_t, std::uint16_t>(job, piece, threadIdx.x % kWarpSize);
}

} // namespace vmaf
