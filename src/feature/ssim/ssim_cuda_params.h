#pragma once

// Shared with kernels/ssim/: plain C++17.

#include "cuda/batch.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

/// A block evaluates a strip of positions, walking down kSsimChunkRows rows of the images at a
/// time.
constexpr unsigned kSsimStripColumns = 64;
constexpr unsigned kSsimChunkRows = 16;
/// Rows of a strip: of large images, where longer ones filter fewer rows twice, and of small ones,
/// which would have too few strips. Sums depend on it, so it is a function of the size alone.
constexpr unsigned kSsimLongStripRows = 9 * kSsimChunkRows - kSsimMargin;
constexpr unsigned kSsimShortStripRows = 5 * kSsimChunkRows - kSsimMargin;
constexpr unsigned kSsimLargePx = 1U << 20;
constexpr unsigned kSsimWindowThreads = kSsimPlanes * kSsimStripColumns;

/// A block of vmaf_ssim_halve makes a strip of one image of the next scale; a thread makes a
/// column.
constexpr unsigned kSsimHalveColumns = 128;
constexpr unsigned kSsimHalveChunkRows = 8;      ///< of the scale before
constexpr unsigned kSsimHalveMostStripRows = 64; ///< whole chunks
constexpr unsigned kSsimHalveBlocks = 16;        ///< that a multiprocessor has room for

/// The tile of a block of vmaf_ssim_reduce.
constexpr unsigned kSsimReduceColumns = 32;
constexpr unsigned kSsimReduceRows = 8;

constexpr unsigned kSsimSumThreads = 256;

/// A pair of images: the pictures (level 0), or two in scratch memory, the reference's first.
struct SsimLevel {
    int width_px;
    int height_px;
    unsigned pitch;         ///< floats from row to row
    unsigned strips_across; ///< blocks that evaluate a row of blocks
    unsigned strip_rows;
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
    unsigned made_strip_rows; ///< of vmaf_ssim_halve; results do not depend on it
    unsigned strip_count;     ///< of a frame
    unsigned factor;          ///< of vmaf_ssim_reduce
    float sample_unit;        ///< 1 / D of spec ssim 3.1
    float *planes;
    unsigned long long frame_floats;
    SsimSums *slots; ///< strip_count for each frame
};
static_assert(sizeof(SsimKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
