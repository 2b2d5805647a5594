#pragma once

#include "common/pair_rows.cuh"
#include "feature/psnr/psnr_cuda_params.h"

namespace vmaf {

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

/// A lane's sum of squared errors.
template <class Sample> struct SquareErrors {
    std::uint64_t sum = 0;

    __device__ __forceinline__ void vector(const uint4 &ref, const uint4 &dis)
    {
        sum += thread_word_sse(ref.x, dis.x, Sample{}) + thread_word_sse(ref.y, dis.y, Sample{}) +
               thread_word_sse(ref.z, dis.z, Sample{}) + thread_word_sse(ref.w, dis.w, Sample{});
    }
    __device__ __forceinline__ void sample(unsigned ref, unsigned dis) { sum += thread_square_error(ref, dis); }
};

/// The sum of one plane of one frame, added to `*total`. The blocks of the plane lie below each
/// other.
template <class Sample, class Errors>
__device__ __forceinline__ void block_add_errors(const CudaPlane &ref, const CudaPlane &dis, const PsnrPlaneSize &size,
                                                 unsigned block, unsigned thread, std::uint64_t *total)
{
    const int warp = static_cast<int>(block * kPsnrBlockWarps + thread / kWarpSize);
    const int top = warp * kPsnrWarpRows;
    const int rows = min(size.height_px - top, kPsnrWarpRows);
    Errors errors;
    if (rows > 0)
        warp_take_rows<Sample, kPsnrWarpRows>(ref, dis, top, rows, size.width_px, thread % kWarpSize, errors);
    block_add<kPsnrBlockWarps>(errors.sum, thread, total);
}

} // namespace vmaf
