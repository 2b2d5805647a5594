#include "common/common.cuh"
#include "feature/psnr/psnr_cuda_params.h"
#include "feature/psnr/psnr_params.h"

// spec psnr 3 on batches of frames, all planes in one launch. Reads 2 samples a pixel and writes one sum a plane. Operations a
// pixel: half of one at 8 bit (four differences, then four squares added, an instruction each), 3 above. Floor at 2160p, 8 bit
// 4:2:0: 24.9 MB = 6 us.

namespace vmaf {
namespace {

constexpr int kLoadBytes = 16;

__device__ __forceinline__ std::uint64_t thread_square_error(unsigned ref, unsigned dis)
{
    const unsigned difference = ref > dis ? ref - dis : dis - ref;
    return difference * difference; // below 2^32 even at 16 bit
}

__device__ __forceinline__ unsigned thread_word_sse(unsigned ref, unsigned dis, std::uint8_t)
{
    const unsigned difference = __vabsdiffu4(ref, dis);
    return __dp4a(difference, difference, 0U);
}

__device__ __forceinline__ std::uint64_t thread_word_sse(unsigned ref, unsigned dis, std::uint16_t)
{
    return thread_square_error(ref & 0xffff, dis & 0xffff) + thread_square_error(ref >> 16, dis >> 16);
}

template <class Sample> __device__ __forceinline__ std::uint64_t thread_vector_sse(const uint4 &ref, const uint4 &dis)
{
    return thread_word_sse(ref.x, dis.x, Sample{}) + thread_word_sse(ref.y, dis.y, Sample{}) +
           thread_word_sse(ref.z, dis.z, Sample{}) + thread_word_sse(ref.w, dis.w, Sample{});
}

__device__ __forceinline__ uint4 thread_load(const unsigned char *from)
{
    return __ldg(reinterpret_cast<const uint4 *>(from));
}

/// `rows` rows, at most kPsnrWarpRows, from `top` on, of the 16 bytes at `x_bytes`: all loads are in flight together.
template <class Sample>
__device__ __forceinline__ std::uint64_t thread_column_sse(const CudaPlane &ref, const CudaPlane &dis, int top,
                                                           int rows, int x_bytes)
{
    uint4 r[kPsnrWarpRows], d[kPsnrWarpRows];
#pragma unroll
    for (int i = 0; i < kPsnrWarpRows; ++i) {
        r[i] = d[i] = make_uint4(0, 0, 0, 0);
        if (i < rows) {
            r[i] = thread_load(row_of(ref, top + i) + x_bytes);
            d[i] = thread_load(row_of(dis, top + i) + x_bytes);
        }
    }
    std::uint64_t sse = 0;
#pragma unroll
    for (int i = 0; i < kPsnrWarpRows; ++i)
        sse += thread_vector_sse<Sample>(r[i], d[i]);
    return sse;
}

/// The lane's share of the samples of `rows` rows from column `first` on.
template <class Sample>
__device__ __forceinline__ std::uint64_t warp_sample_sse(const CudaPlane &ref, const CudaPlane &dis, int top, int rows,
                                                         int first, int width_px, unsigned lane)
{
    std::uint64_t sse = 0;
    for (int y = top; y < top + rows; ++y)
        for (int x = first + static_cast<int>(lane); x < width_px; x += kWarpSize)
            sse += thread_square_error(__ldg(reinterpret_cast<const Sample *>(row_of(ref, y)) + x),
                                       __ldg(reinterpret_cast<const Sample *>(row_of(dis, y)) + x));
    return sse;
}

/// The lane's share of `rows` rows from `top` on.
template <class Sample>
__device__ __forceinline__ std::uint64_t warp_sse(const CudaPlane &ref, const CudaPlane &dis, int top, int rows,
                                                  int width_px, unsigned lane)
{
    if (!rows_are_aligned(ref, kLoadBytes) || !rows_are_aligned(dis, kLoadBytes))
        return warp_sample_sse<Sample>(ref, dis, top, rows, 0, width_px, lane);
    constexpr int kSampleBytes = sizeof(Sample);
    const int vector_bytes = width_px * kSampleBytes / kLoadBytes * kLoadBytes;
    std::uint64_t sse = 0;
    for (int x = static_cast<int>(lane) * kLoadBytes; x < vector_bytes; x += kWarpSize * kLoadBytes)
        sse += thread_column_sse<Sample>(ref, dis, top, rows, x);
    return sse + warp_sample_sse<Sample>(ref, dis, top, rows, vector_bytes / kSampleBytes, width_px, lane);
}

template <class Sample>
__device__ __forceinline__ void block_sse(const PsnrKernelParams &params, uint3 block, unsigned thread)
{
    const CudaPairFrame &frame = params.batch.frames[block.z];
    const PsnrPlaneSize &size = params.planes[block.y];
    const int warp = static_cast<int>(block.x * kPsnrBlockWarps + thread / kWarpSize);
    const int top = warp * kPsnrWarpRows;
    const int rows = min(size.height_px - top, kPsnrWarpRows);
    std::uint64_t sse = 0;
    if (rows > 0)
        sse = warp_sse<Sample>(frame.ref[block.y], frame.dis[block.y], top, rows, size.width_px, thread % kWarpSize);
    block_add<kPsnrBlockWarps>(sse, thread, &static_cast<PsnrSums *>(frame.sums)->sse[block.y]);
}

} // namespace
} // namespace vmaf

extern "C" __global__ void __launch_bounds__(vmaf::kPsnrBlockWarps *vmaf::kWarpSize)
    vmaf_psnr_sse_8bit(const __grid_constant__ vmaf::PsnrKernelParams params)
{
    vmaf::block_sse<std::uint8_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(vmaf::kPsnrBlockWarps *vmaf::kWarpSize)
    vmaf_psnr_sse_16bit(const __grid_constant__ vmaf::PsnrKernelParams params)
{
    vmaf::block_sse<std::uint16_t>(params, blockIdx, threadIdx.x);
}
