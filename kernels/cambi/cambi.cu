#include "cambi/cambi_contrast.cuh"
#include "cambi/cambi_order.cuh"
#include "cambi/cambi_pooling.cuh"
#include "cambi/cambi_preprocess.cuh"
#include "cambi/cambi_pyramid.cuh"

// spec cambi 3 on batches of frames: samples above their depth; 10 bits, mask and scale 0 from
// luma; scales 1 to 4 of that; the c-values of all scales; the sum of the K largest; that sum in
// its order where the order matters.
//
// c-values: a warp walks down a strip and keeps the windows' counts of its values in shared memory.
// A row that enters or leaves changes the counts of the values in it; where both have the same
// value nothing changes. So the work depends on how many values a row has, 1 to 5 in flat areas,
// and not on how many there are. Strips are short, because then the last blocks of a launch leave
// fewer multiprocessors idle. What that costs is the windows' rows above each strip, which enter
// four at a time.
//
// Instructions of a warp a frame at 1080p: preprocessing 8 million; c-values 30 million where
// little is flat; pyramid and search 7. All 1.045e12 a second: 43 us. Bytes: 2 MB of luma, 10 a
// pixel of the scales written and read again, half of it from L2: 28 MB = 7 us.

namespace vmaf {

// Grid: blocks of kCambiCheckThreads / 32 rows, -, frames.
extern "C" __global__ void __launch_bounds__(kCambiCheckThreads)
    vmaf_cambi_check(const __grid_constant__ CambiKernelParams params)
{
    const unsigned y = (blockIdx.x * kCambiCheckThreads + threadIdx.x) / kWarpSize;
    if (y < params.picture_height_px)
        warp_check_row(params, params.frames[blockIdx.z], static_cast<int>(y), threadIdx.x % kWarpSize);
}

// Grid: tiles across and down, frames.
extern "C" __global__ void __launch_bounds__(kCambiPreprocessThreads)
    vmaf_cambi_preprocess_8bit(const __grid_constant__ CambiKernelParams params)
{
    block_preprocess<std::uint8_t, 1>(params, blockIdx, gridDim, static_cast<int>(threadIdx.x));
}
extern "C" __global__ void __launch_bounds__(kCambiPreprocessThreads)
    vmaf_cambi_preprocess_16bit(const __grid_constant__ CambiKernelParams params)
{
    block_preprocess<std::uint16_t, 1>(params, blockIdx, gridDim, static_cast<int>(threadIdx.x));
}
extern "C" __global__ void __launch_bounds__(kCambiPreprocessThreads)
    vmaf_cambi_preprocess_half_8bit(const __grid_constant__ CambiKernelParams params)
{
    block_preprocess<std::uint8_t, 2>(params, blockIdx, gridDim, static_cast<int>(threadIdx.x));
}
extern "C" __global__ void __launch_bounds__(kCambiPreprocessThreads)
    vmaf_cambi_preprocess_half_16bit(const __grid_constant__ CambiKernelParams params)
{
    block_preprocess<std::uint16_t, 2>(params, blockIdx, gridDim, static_cast<int>(threadIdx.x));
}

// Grid: squares of scale 1 across and down, frames.
extern "C" __global__ void __launch_bounds__(kCambiPyramidThreads)
    vmaf_cambi_pyramid(const __grid_constant__ CambiKernelParams params)
{
    block_make_pyramid(params, blockIdx, static_cast<int>(threadIdx.x));
}

// Grid: blocks of kCambiContrastWarps strips of all scales, -, frames. Those for the default of
// four contrast steps have them unrolled.
#define VMAF_CAMBI_CONTRAST(Window, Steps) block_measure<Window, Steps>(params, blockIdx.x, blockIdx.z, threadIdx.x)
#define VMAF_CAMBI_CONTRAST_BOUNDS __launch_bounds__(kCambiContrastWarps *kWarpSize, 6)
extern "C" __global__ void VMAF_CAMBI_CONTRAST_BOUNDS
vmaf_cambi_contrast_31(const __grid_constant__ CambiKernelParams params)
{
    VMAF_CAMBI_CONTRAST(NarrowWindow, 0);
}
extern "C" __global__ void VMAF_CAMBI_CONTRAST_BOUNDS
vmaf_cambi_contrast_63(const __grid_constant__ CambiKernelParams params)
{
    VMAF_CAMBI_CONTRAST(WideWindow, 0);
}
extern "C" __global__ void VMAF_CAMBI_CONTRAST_BOUNDS
vmaf_cambi_contrast_65(const __grid_constant__ CambiKernelParams params)
{
    VMAF_CAMBI_CONTRAST(WidestWindow, 0);
}
extern "C" __global__ void VMAF_CAMBI_CONTRAST_BOUNDS
vmaf_cambi_contrast_31_of_4(const __grid_constant__ CambiKernelParams params)
{
    VMAF_CAMBI_CONTRAST(NarrowWindow, 4);
}
extern "C" __global__ void VMAF_CAMBI_CONTRAST_BOUNDS
vmaf_cambi_contrast_33_of_4(const __grid_constant__ CambiKernelParams params)
{
    VMAF_CAMBI_CONTRAST(MiddleWindow, 4);
}
extern "C" __global__ void VMAF_CAMBI_CONTRAST_BOUNDS
vmaf_cambi_contrast_63_of_4(const __grid_constant__ CambiKernelParams params)
{
    VMAF_CAMBI_CONTRAST(WideWindow, 4);
}
extern "C" __global__ void VMAF_CAMBI_CONTRAST_BOUNDS
vmaf_cambi_contrast_65_of_4(const __grid_constant__ CambiKernelParams params)
{
    VMAF_CAMBI_CONTRAST(WidestWindow, 4);
}

// Grid: blocks of kCambiSelectValues c-values of all scales, -, frames.
extern "C" __global__ void __launch_bounds__(kCambiSelectThreads)
    vmaf_cambi_select_first(const __grid_constant__ CambiKernelParams params)
{
    block_select_first(params, blockIdx.x, blockIdx.z, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(kCambiSelectThreads)
    vmaf_cambi_select_middle(const __grid_constant__ CambiKernelParams params)
{
    block_select_middle(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

// Grid: scales, -, frames.
extern "C" __global__ void __launch_bounds__(1) vmaf_cambi_finish(const __grid_constant__ CambiKernelParams params)
{
    thread_finish(params, blockIdx.x, blockIdx.z);
}
extern "C" __global__ void __launch_bounds__(kCambiOrderThreads)
    vmaf_cambi_order(const __grid_constant__ CambiKernelParams params)
{
    block_sum_in_order(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
