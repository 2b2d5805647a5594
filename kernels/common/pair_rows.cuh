#pragma once

#include "common/common.cuh"

namespace vmaf {

/// Walks over whole rows of two planes at once, 16 bytes a lane at a time: for sums in which the
/// order does not matter.
///
/// `Sink` takes the samples: `vector(ref, dis)` those of 16 bytes, with zeros where there is no
/// row, and `sample(ref, dis)` single ones.
constexpr int kPairLoadBytes = 16;

__device__ __forceinline__ uint4 thread_load(const unsigned char *from)
{
    return __ldg(reinterpret_cast<const uint4 *>(from));
}

/// `rows` rows, at most Rows, from `top` on, of the 16 bytes at `x_bytes`: all loads are in flight
/// together.
template <int Rows, class Sink>
__device__ __forceinline__ void thread_take_column(const CudaPlane &ref, const CudaPlane &dis, int top, int rows,
                                                   int x_bytes, Sink &sink)
{
    uint4 r[Rows], d[Rows];
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
        r[i] = d[i] = make_uint4(0, 0, 0, 0);
        if (i < rows) {
            r[i] = thread_load(row_of(ref, top + i) + x_bytes);
            d[i] = thread_load(row_of(dis, top + i) + x_bytes);
        }
    }
#pragma unroll
    for (int i = 0; i < Rows; ++i)
        sink.vector(r[i], d[i]);
}

/// The lane's share of the samples of `rows` rows from column `first` on.
template <class Sample, class Sink>
__device__ __forceinline__ void warp_take_samples(const CudaPlane &ref, const CudaPlane &dis, int top, int rows,
                                                  int first, int width_px, unsigned lane, Sink &sink)
{
    for (int y = top; y < top + rows; ++y)
        for (int x = first + static_cast<int>(lane); x < width_px; x += kWarpSize)
            sink.sample(__ldg(reinterpret_cast<const Sample *>(row_of(ref, y)) + x),
                        __ldg(reinterpret_cast<const Sample *>(row_of(dis, y)) + x));
}

/// The lane's share of `rows` rows, at most Rows, from `top` on.
template <class Sample, int Rows, class Sink>
__device__ __forceinline__ void warp_take_rows(const CudaPlane &ref, const CudaPlane &dis, int top, int rows,
                                               int width_px, unsigned lane, Sink &sink)
{
    if (!rows_are_aligned(ref, kPairLoadBytes) || !rows_are_aligned(dis, kPairLoadBytes)) {
        warp_take_samples<Sample>(ref, dis, top, rows, 0, width_px, lane, sink);
        return;
    }
    constexpr int kSampleBytes = sizeof(Sample);
    const int vector_bytes = width_px * kSampleBytes / kPairLoadBytes * kPairLoadBytes;
    for (int x = static_cast<int>(lane) * kPairLoadBytes; x < vector_bytes; x += kWarpSize * kPairLoadBytes)
        thread_take_column<Rows>(ref, dis, top, rows, x, sink);
    warp_take_samples<Sample>(ref, dis, top, rows, vector_bytes / kSampleBytes, width_px, lane, sink);
}

} // namespace vmaf
