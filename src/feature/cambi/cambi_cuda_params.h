#pragma once

// Shared with kernels/cambi/: plain C++17.

#include "cuda/batch.h"
#include "feature/cambi/cambi_params.h"

namespace vmaf {

/// Luma of one picture and where its results go.
struct CambiFrame {
    CudaPlane luma;
    double *top_sums;     ///< kCambiScales of them
    unsigned *bad_sample; ///< as in CambiSums
};

/// c-values that are not 0, in the order of their bits: 0.5 to 2^14 in three digits.
constexpr unsigned kCambiFirstBins = 1920; ///< bits 16 and up, from those of 0.5 on
constexpr unsigned kCambiSmallestFirst = 0x3f00;
constexpr unsigned kCambiMiddleBins = 2048; ///< bits 5 to 15
constexpr unsigned kCambiLastBins = 32;     ///< bits 0 to 4

/// The search for the K largest c-values of one scale of one frame; zero before its first kernel.
struct CambiSelection {
    unsigned first[kCambiFirstBins];            ///< how many values have that digit
    unsigned middle[kCambiMiddleBins];          ///< of those with the first digit of the K-th largest
    unsigned last[kCambiLastBins];              ///< of those with both digits
    unsigned selects;                           ///< whether there are more than K values; else all of them count
    unsigned first_bin, middle_bin;             ///< the K-th largest's digits
    unsigned wanted_of_first, wanted_of_middle; ///< how many values with the digits so far belong to the K largest
    unsigned ordered;                           ///< whether the sum depends on its order
    unsigned long long units;                   ///< the sum of the values above the last bins, in 2^-24
    unsigned long long bits;                    ///< that are set in any of those
};
static_assert(sizeof(CambiSelection) % 8 == 0);

/// One scale.
struct CambiLevel {
    unsigned width_px, height_px;
    unsigned pitch;                              ///< samples from row to row
    unsigned strips_across;                      ///< strips of c-values in a row of strips
    unsigned strip_count;                        ///< of a frame
    unsigned first_block;                        ///< of c-values among a frame's
    unsigned first_select_block;                 ///< of the search, among a frame's
    unsigned top_count;                          ///< K
    unsigned long long samples_offset, c_offset; ///< of the first pixel, from the frame's start in scratch memory
};

/// A contrast step.
struct CambiStep {
    int weight;        ///< k(d)
    int lowest_value;  ///< at which it counts
    int highest_value; ///< tvi(d)
};

/// One for all kernels of one pass (spec cambi 2: the distorted pictures or the reference ones)
/// over a batch.
struct CambiKernelParams {
    CambiFrame frames[kMaxBatchFrames];
    unsigned picture_width_px, picture_height_px; ///< of luma
    unsigned bpc;
    unsigned widening, rounding, narrowing; ///< to 10 bits: ((sample << widening) + rounding) >> narrowing
    unsigned width_px, height_px;           ///< of processing, before scale 0 is halved
    const unsigned *source_columns;         ///< by column of processing; null: the size stays
    const unsigned *source_rows;
    unsigned smooths;        ///< the anti-dither filter
    unsigned mask_threshold; ///< T
    CambiLevel levels[kCambiScales];
    unsigned row_count; ///< of all scales
    unsigned strip_rows;
    unsigned window;      ///< W
    unsigned step_count;  ///< N
    unsigned level_count; ///< counters of a warp for each pair of columns: kCambiMinBand + 2N at least
    int lowest_value;     ///< at which a step may count
    int highest_value;
    CambiStep steps[kCambiMaxSteps];
    const float *reciprocals; ///< r(n)
    unsigned short *samples;  ///< of all scales after the mode filter, kCambiNotCounted added where m is 0
    unsigned long long frame_samples;
    float *c; ///< c-values of all scales in raster order
    unsigned long long frame_c;
    CambiSelection *selections; ///< kCambiScales a frame
};
static_assert(sizeof(CambiKernelParams) <= kMaxKernelParamBytes);

constexpr unsigned kCambiNotCounted = 0x8000;

constexpr unsigned kCambiCheckThreads = 256; ///< a warp checks a row

/// A block preprocesses a tile of pictures at the size of processing.
constexpr unsigned kCambiTileColumns = 64;
constexpr unsigned kCambiTileRows = 32;
constexpr unsigned kCambiPreprocessThreads = 256;

/// Side of the square of scale 1 from which one block makes its part of scales 1 to 4.
constexpr unsigned kCambiPyramidTile = 64;
constexpr unsigned kCambiPyramidThreads = 256;

/// A warp walks down a strip of c-values, two columns a lane.
constexpr unsigned kCambiStripColumns = 64;
constexpr unsigned kCambiContrastWarps = 4;
/// What the windows of a strip reach beside the picture.
constexpr unsigned kCambiMargin = 64;
/// Values that one walk can measure, at least.
constexpr unsigned kCambiMinBand = 40;
constexpr unsigned cambi_contrast_shared_bytes(unsigned level_count)
{
    return 4 * (kCambiFirstBins + kCambiContrastWarps * level_count * 32);
}

constexpr unsigned kCambiSelectThreads = 256;
constexpr unsigned kCambiSelectValues = 8192; ///< of a block
constexpr unsigned kCambiOrderThreads = 1024;

} // namespace vmaf
