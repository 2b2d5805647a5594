#pragma once

// Shared with kernels/ssim/: plain C++17.

#include "cuda/batch.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

/// A block evaluates a strip of positions, walking down kSsimChunkRows rows of the images at a
/// time.
constexpr unsigned kSsimStripColumns = 64;
constexpr unsigned kSsimChunkRows = 16;
constexpr unsigned kSsimStripRows = 5 * kSsimChunkRows - kSsimMargin;
constexpr unsigned kSsimWindowThreads = kSsimPlanes * kSsimStripColumns;

/// A block of vmaf_ssim_halve makes a strip of one image of the next scale; a thread makes a
/// column.
constexpr unsigned kSsimHalveColumns = 128;
constexpr unsigned kSsimHalveChunkRows = 8; ///< of the scale before
/// Rows of a strip: of the largest image, and of the others, which are so small that more blocks
/// count for more.
constexpr unsigned kSsimHalveRows[2] = {28, 12};

/// The tile of a block of vmaf_ssim_reduce.
constexpr unsigned kSsimReduceColumns = 32;
constexpr unsigned kSsimReduceRows = 8;

constexpr unsigned kSsimSumThreads = 256;

/// A pair of images: the pictures (level 0), or two in scratch memory, the reference's first.
struct SsimLevel {
    int width_px;
    int height_px;
    unsigned pitch;            ///< floats from row to row
    unsigned strips_across;    ///< blocks that evaluate a row of blocks
    unsigned strip_count;      ///< 0: not evaluated
    unsigned first_strip;      ///< among a frame's
    unsigned long long offset; ///< floats from the frame's start in scratch memory
};

/// One for all kernels of a part of a batch.
struct SsimKernelParams {
    CudaPairBatch batch;
    SsimLevel levels[kMsSsimScales];
    unsigned level_count;
    unsigned first_evaluated; ///< level whose sums come first
    unsigned made_level;      ///< by this launch of vmaf_ssim_halve or vmaf_ssim_reduce
    unsigned made_strip_rows; ///< of vmaf_ssim_halve
    unsigned strip_count;     ///< of a frame
    unsigned factor;          ///< of vmaf_ssim_reduce
    float sample_unit;        ///< 1 / D of spec ssim 3.1
    float *planes;
    unsigned long long frame_floats;
    SsimSums *slots; ///< strip_count for each frame
};
static_assert(sizeof(SsimKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
