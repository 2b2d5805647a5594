#include "common/square_error.cuh"
#include "feature/float_psnr/float_psnr_params.h"

// spec psnr 7 on batches of frames: luma. Reads 2 samples a pixel and writes one sum. Operations a
// pixel as psnr's; at 16 bit 5. Floor at 2160p, 8 bit: 16.6 MB = 4 us.

namespace vmaf {
inline namespace float_psnr_kernels {

/// A lane's sum of squared errors of 16-bit samples, each rounded to float: still an integer below
/// 2^32.
struct RoundedSquareErrors {
    std::uint64_t sum = 0;

    __device__ __forceinline__ void sample(unsigned ref, unsigned dis)
    {
        const float difference = __uint2float_rn(ref) - __uint2float_rn(dis);
        sum += __float2uint_rz(difference * difference);
    }
    __device__ __forceinline__ void word(unsigned ref, unsigned dis)
    {
        sample(ref & 0xffff, dis & 0xffff);
        sample(ref >> 16, dis >> 16);
    }
    __device__ __forceinline__ void vector(const uint4 &ref, const uint4 &dis)
    {
        word(ref.x, dis.x);
        word(ref.y, dis.y);
        word(ref.z, dis.z);
        word(ref.w, dis.w);
    }
};

template <class Sample, class Errors>
__device__ __forceinline__ void block_sse(const PsnrKernelParams &params, uint3 block, unsigned thread)
{
    const CudaPairFrame &frame = params.batch.frames[block.z];
    block_add_errors<Sample, Errors>(frame.ref[0], frame.dis[0], params.planes[0], block.x, thread,
                                     &static_cast<FloatPsnrSums *>(frame.sums)->sse);
}

} // namespace float_psnr_kernels

extern "C" __global__ void __launch_bounds__(kPsnrBlockWarps *kWarpSize)
    vmaf_float_psnr_8bit(const __grid_constant__ PsnrKernelParams params)
{
    block_sse<std::uint8_t, SquareErrors<std::uint8_t>>(params, blockIdx, threadIdx.x);
}

// 10 and 12 bit.
extern "C" __global__ void __launch_bounds__(kPsnrBlockWarps *kWarpSize)
    vmaf_float_psnr_12bit(const __grid_constant__ PsnrKernelParams params)
{
    block_sse<std::uint16_t, SquareErrors<std::uint16_t>>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kPsnrBlockWarps *kWarpSize)
    vmaf_float_psnr_16bit(const __grid_constant__ PsnrKernelParams params)
{
    block_sse<std::uint16_t, RoundedSquareErrors>(params, blockIdx, threadIdx.x);
}

} // namespace vmaf
