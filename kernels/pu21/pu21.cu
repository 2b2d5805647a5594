#include "common/common.cuh"
#include "common/rgb.cuh"
#include "feature/pu21/pu21_cuda_params.h"

// spec hdr 3 on batches of frames: squared differences with a sum for each block, and the sums in a
// fixed order; or images for SSIM (kernels/ssim/). The CPU computes the same operations in the same
// order, each rounded by itself.
//
// Operations: 11 of binary64 and 32 bytes of a table for each pu(): 8 of them a pixel, 2 for SSIM.

namespace vmaf {
inline namespace pu21_kernels {

__device__ __forceinline__ float thread_luminance(const Pu21Light &light, const Rgb &rgb)
{
    return light.luminance[0] * rgb.r + light.luminance[1] * rgb.g + light.luminance[2] * rgb.b;
}

__device__ __forceinline__ float thread_encode(const Pu21Source &source, float of_pixel, double scale)
{
    return static_cast<float>(on_curve(source.pu, static_cast<double>(of_pixel) + source.light.reflected) * scale);
}

/// body(x, y, rows, count) for each two rows of the thread's column in the block; of the last row,
/// `count` may be 1.
template <class Body>
__device__ __forceinline__ void thread_for_rows(const Pu21Source &source, uint3 block, unsigned thread, Body body)
{
    const int x = static_cast<int>(block.x * kPu21Columns + thread), height = static_cast<int>(source.height_px);
    if (x >= static_cast<int>(source.width_px))
        return;
    const int begin = static_cast<int>(block.y * kPu21Rows), end = min(begin + static_cast<int>(kPu21Rows), height);
    for (int y = begin; y < end; y += 2) {
        const int rows[2] = {y, min(y + 1, height - 1)};
        body(x, y, rows, min(end - y, 2));
    }
}

__device__ __forceinline__ double thread_square(const Pu21Source &source, float ref, float dis)
{
    const double difference = static_cast<double>(thread_encode(source, ref, 1)) - thread_encode(source, dis, 1);
    return difference * difference;
}

template <class Sample, ChromaRows Chroma>
__device__ __forceinline__ void block_differences(const Pu21PsnrKernelParams &params, uint3 block, unsigned thread)
{
    const CudaPairFrame &frame = params.batch.frames[block.z];
    const Pu21Source &source = params.source;
    const Pu21Light &light = source.light;
    Pu21PsnrSums sums{};
    thread_for_rows(source, block, thread, [&](int x, int, const int(&rows)[2], int count) {
        Rgb ref[2], dis[2];
        thread_load_rgb<Sample, Chroma, RgbLight::tagged>(source.sampling, frame.ref, x, rows, ref);
        thread_load_rgb<Sample, Chroma, RgbLight::tagged>(source.sampling, frame.dis, x, rows, dis);
        for (int i = 0; i < count; ++i) {
            sums.luminance += thread_square(source, thread_luminance(light, ref[i]), thread_luminance(light, dis[i]));
            sums.rgb += thread_square(source, ref[i].r, dis[i].r);
            sums.rgb += thread_square(source, ref[i].g, dis[i].g);
            sums.rgb += thread_square(source, ref[i].b, dis[i].b);
        }
    });
    __shared__ double luminance[kPu21Columns / kWarpSize], rgb[kPu21Columns / kWarpSize];
    sums.luminance = block_total(sums.luminance, thread, luminance);
    sums.rgb = block_total(sums.rgb, thread, rgb);
    if (thread == 0)
        params.slots[block.z * params.block_count + block.y * params.blocks_across + block.x] = sums;
}

template <class Sample, ChromaRows Chroma>
__device__ __forceinline__ void block_image(const Pu21ImageKernelParams &params, uint3 block, unsigned thread)
{
    const unsigned picture = block.z % 2, frame = block.z / 2;
    const CudaPairFrame &pair = params.batch.frames[frame];
    float *image = params.images + frame * params.frame_floats +
                   picture * static_cast<unsigned long long>(params.pitch) * params.source.height_px;
    const CudaPlane(&planes)[3] = picture == 0 ? pair.ref : pair.dis;
    const Pu21Source &source = params.source;
    thread_for_rows(source, block, thread, [&](int x, int y, const int(&rows)[2], int count) {
        Rgb pixels[2];
        thread_load_rgb<Sample, Chroma, RgbLight::tagged>(source.sampling, planes, x, rows, pixels);
        float *out = image + static_cast<unsigned long long>(y) * params.pitch + static_cast<unsigned>(x);
        for (int i = 0; i < count; ++i, out += params.pitch)
            *out = thread_encode(source, thread_luminance(source.light, pixels[i]), kPu21ImageScale);
    });
}

__device__ __forceinline__ void block_sum(const Pu21PsnrKernelParams &params, unsigned frame, unsigned thread)
{
    const Pu21PsnrSums *slots = params.slots + frame * params.block_count;
    Pu21PsnrSums sums{};
    for (unsigned i = thread; i < params.block_count; i += kPu21SumThreads) {
        sums.luminance += slots[i].luminance;
        sums.rgb += slots[i].rgb;
    }
    __shared__ double luminance[kPu21SumThreads / kWarpSize], rgb[kPu21SumThreads / kWarpSize];
    sums.luminance = block_total(sums.luminance, thread, luminance);
    sums.rgb = block_total(sums.rgb, thread, rgb);
    if (thread == 0)
        *static_cast<Pu21PsnrSums *>(params.batch.frames[frame].sums) = sums;
}

} // namespace pu21_kernels

// Grid: blocks over the picture, frames.
#define VMAF_PU21_DIFFERENCES(name, Sample, chroma)                                                                    \
    extern "C" __global__ void __launch_bounds__(kPu21Columns)                                                         \
        name(const __grid_constant__ Pu21PsnrKernelParams params)                                                      \
    {                                                                                                                  \
        block_differences<Sample, chroma>(params, blockIdx, threadIdx.x);                                              \
    }
VMAF_PU21_DIFFERENCES(vmaf_pu21_differences_8bit, std::uint8_t, ChromaRows::two)
VMAF_PU21_DIFFERENCES(vmaf_pu21_differences_16bit, std::uint16_t, ChromaRows::two)
VMAF_PU21_DIFFERENCES(vmaf_pu21_differences_grey_8bit, std::uint8_t, ChromaRows::none)
VMAF_PU21_DIFFERENCES(vmaf_pu21_differences_grey_16bit, std::uint16_t, ChromaRows::none)

// Grid: blocks over the picture, frames and pictures.
#define VMAF_PU21_IMAGE(name, Sample, chroma)                                                                          \
    extern "C" __global__ void __launch_bounds__(kPu21Columns)                                                         \
        name(const __grid_constant__ Pu21ImageKernelParams params)                                                     \
    {                                                                                                                  \
        block_image<Sample, chroma>(params, blockIdx, threadIdx.x);                                                    \
    }
VMAF_PU21_IMAGE(vmaf_pu21_image_8bit, std::uint8_t, ChromaRows::two)
VMAF_PU21_IMAGE(vmaf_pu21_image_16bit, std::uint16_t, ChromaRows::two)
VMAF_PU21_IMAGE(vmaf_pu21_image_grey_8bit, std::uint8_t, ChromaRows::none)
VMAF_PU21_IMAGE(vmaf_pu21_image_grey_16bit, std::uint16_t, ChromaRows::none)

// Grid: -, -, frames.
extern "C" __global__ void __launch_bounds__(kPu21SumThreads)
    vmaf_pu21_sum(const __grid_constant__ Pu21PsnrKernelParams params)
{
    block_sum(params, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
