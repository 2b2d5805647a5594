#pragma once

// Shared with kernels/cvvdp/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/rgb_params.h"
#include "feature/cvvdp/cvvdp_params.h"

namespace vmaf {

/// The channels of a pixel lie side by side: one load of 16 bytes.
struct alignas(16) CvvdpPixel {
    float c[kCvvdpChannels];
};

/// A level of the pyramid in scratch memory: the pixels of ref, then of dis.
struct CvvdpLevel {
    unsigned width_px, height_px;
    unsigned pitch;            ///< pixels from row to row
    unsigned strips_across;    ///< blocks in a row of blocks of vmaf_cvvdp_bands; of the base band none
    unsigned first_strip;      ///< of this band among a frame's blocks
    unsigned long long offset; ///< pixels from the frame's start in scratch memory
};

/// What all kernels know. Frames lie one after the other in scratch memory.
struct CvvdpPyramidParams {
    CvvdpLevel levels[kCvvdpMaxBands];
    unsigned band_count;
    unsigned strip_count; ///< of all bands of a frame
    CvvdpPixel *pyramid;
    unsigned long long frame_pixels;
    double *slots;                 ///< of each frame kCvvdpChannels for each strip
    const CvvdpBandTables *tables; ///< by band
    CvvdpSums *sums[kMaxBatchFrames];
    float blur_taps[kCvvdpBlurReach + 1];
    unsigned level; ///< that vmaf_cvvdp_reduce reads, and vmaf_cvvdp_reduce_rest first
};
static_assert(sizeof(CvvdpPyramidParams) <= kMaxKernelParamBytes);

/// A pair's planes: of ref, then of dis.
struct CvvdpSource {
    CudaPlane planes[2][3];
};

/// Pairs that one launch of vmaf_cvvdp_channels takes: the frames' own, and as many earlier ones as
/// there is room for.
constexpr unsigned kCvvdpLaunchSources = kMaxBatchFrames + 24;

/// Argument of vmaf_cvvdp_channels_*: frames that were fed one after the other, oldest first.
struct CvvdpChannelsParams {
    CvvdpSource sources[kCvvdpLaunchSources]; ///< latest first: the frames' own, earlier ones
    int frame_count;
    int source_count;
    int earlier_before; ///< earlier pairs in launches before it, which left what they had added up
    int first_seen;     ///< how many earlier pairs the first frame sees
    int most_seen;      ///< N - 1
    /// The filters of a frame with e earlier pairs (CvvdpWeights): by e, then by age, N each.
    const float (*weights)[kCvvdpChannels];
    RgbSampling sampling;
    CvvdpColour colour;
    CvvdpLevel level;    ///< that is written
    CvvdpPixel *pyramid; ///< of the first of the frames
    unsigned long long frame_pixels;
};
static_assert(sizeof(CvvdpChannelsParams) <= kMaxKernelParamBytes);

/// A thread has a column of two pixels.
constexpr unsigned kCvvdpChannelsColumns = 32, kCvvdpChannelsThreadRows = 4;
constexpr unsigned kCvvdpChannelsThreads = kCvvdpChannelsColumns * kCvvdpChannelsThreadRows;
constexpr unsigned kCvvdpChannelsRows = 2 * kCvvdpChannelsThreadRows;

/// What a block of vmaf_cvvdp_reduce makes: a thread walks down a column.
constexpr unsigned kCvvdpReduceColumns = 64, kCvvdpReduceRows = 8;
constexpr unsigned kCvvdpReduceBlocks = 12; ///< on a multiprocessor, for which registers are made to suffice

/// vmaf_cvvdp_reduce_rest makes the levels of at most so many columns and rows, a block for each
/// picture: more would take one block longer than a launch.
constexpr unsigned kCvvdpRestPx = kCvvdpReduceColumns, kCvvdpRestWalkers = 8;
constexpr unsigned kCvvdpRestThreads = kCvvdpReduceColumns * kCvvdpRestWalkers;

/// A block of vmaf_cvvdp_bands has a thread a column, walks down a strip, and scores it without the
/// columns that only the blur needs.
constexpr unsigned kCvvdpStripThreads = 128;
constexpr unsigned kCvvdpStripColumns = kCvvdpStripThreads - 2 * kCvvdpBlurReach;
constexpr unsigned kCvvdpStripRows = 64;
constexpr unsigned kCvvdpStripBlocks = 4; ///< on a multiprocessor, for which registers are made to suffice
/// A warp blurs a channel, a lane of it so many columns.
constexpr unsigned kCvvdpBlurColumns = 4;
static_assert(kCvvdpStripThreads == 32 * kCvvdpChannels && kCvvdpStripColumns % kCvvdpBlurColumns == 0);

/// A power of two that holds the rows whose masks are not blurred yet, one whose score waits for
/// the barrier, and the latest.
constexpr unsigned kCvvdpDifferenceRows = 8;
static_assert(kCvvdpDifferenceRows >= kCvvdpBlurReach + 2);

/// Two rows each of masks before and after the blur: one is written while the other is read.
struct CvvdpStripShared {
    alignas(16) float least[2][kCvvdpChannels][kCvvdpStripThreads];
    alignas(16) float masks[2][kCvvdpChannels][kCvvdpStripThreads]; ///< from the first column that is scored on
    CvvdpPixel differences[kCvvdpDifferenceRows][kCvvdpStripThreads];
    CvvdpPixel sensitivity[kCvvdpCsfPoints], rise[kCvvdpCsfPoints]; ///< a point's value and what the next one has more
    double sums[kCvvdpStripThreads / 32][kCvvdpChannels];
};
static_assert(sizeof(CvvdpStripShared) <= 48 << 10);

constexpr unsigned kCvvdpSumThreads = 32 * kCvvdpChannels;

} // namespace vmaf
