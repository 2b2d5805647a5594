#pragma once

// Shared with kernels/pu21/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/light_curve.h"
#include "feature/common/rgb_params.h"
#include "feature/pu21/pu21_params.h"

namespace vmaf {

/// A thread has a column of pixels, two rows at a time.
constexpr unsigned kPu21Columns = 128;
constexpr unsigned kPu21Rows = 16;
constexpr unsigned kPu21SumThreads = 256;

/// How samples become what pu() takes.
struct Pu21Source {
    RgbSampling sampling;
    Pu21Light light;
    LightCurve pu;
    unsigned width_px, height_px;
};

/// One for the kernels of pu21_psnr.
struct Pu21PsnrKernelParams {
    CudaPairBatch batch;
    Pu21Source source;
    unsigned blocks_across, block_count;
    Pu21PsnrSums *slots; ///< a sum for each block
};
static_assert(sizeof(Pu21PsnrKernelParams) <= kMaxKernelParamBytes);

/// Argument of vmaf_pu21_image_*: an image of each picture.
struct Pu21ImageKernelParams {
    CudaPairBatch batch;
    Pu21Source source;
    float *images; ///< of each frame that of the reference, then that of the distorted picture
    unsigned long long frame_floats;
    unsigned pitch; ///< floats from row to row
};
static_assert(sizeof(Pu21ImageKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
