#pragma once

#include "base/cpu.h"
#include "feature/cvvdp/cvvdp_params.h"

namespace vmaf {

/// A row of each channel of one picture.
struct CvvdpRows {
    float *channel[kCvvdpChannels];
};
struct CvvdpInput {
    const float *channel[kCvvdpChannels];
};

/// A row of a band and of what is expanded to it from the level above, of both pictures.
struct CvvdpBandRows {
    CvvdpInput ref, dis;
    CvvdpInput ref_mean, dis_mean;
};

/// Row steps. Rows have `count` values; every value is a pure function of those it is made from.
struct CvvdpLoops {
    /// spec cvvdp 3.3: the first of a frame's channels, and its Y, from three rows of light.
    void (*begin_channels)(const CvvdpColour &colour, const float *const light[3],
                           const float (&weights)[kCvvdpChannels], unsigned count, float *luma, CvvdpRows channels);
    /// What an earlier frame adds to them.
    void (*add_channels)(const CvvdpColour &colour, const float *const light[3], const float (&weights)[kCvvdpChannels],
                         const float *luma, unsigned count, CvvdpRows channels);

    /// spec cvvdp 3.4: across five rows.
    void (*reduce_columns)(const float *const rows[5], unsigned count, float *out);
    /// Along a row of 2 * count values, of which two lie before the first and one behind.
    void (*reduce_row)(const float *row, unsigned count, float *out);
    /// Three rows in the parts that they have in an even or an odd row below.
    void (*blend_rows)(const float *const rows[3], const float (&parts)[3], unsigned count, float *out);
    /// Twice as many values; one lies before the row and one behind it.
    void (*expand_row)(const float *row, unsigned count, float *out);

    /// spec cvvdp 3.4 to 3.6: |T' - R'| and the lesser of |T'| and |R'|.
    void (*contrast)(const CvvdpBandTables &tables, const CvvdpBandRows &rows, unsigned count, CvvdpRows difference,
                     CvvdpRows least);
    /// spec cvvdp 3.6. `taps` at distance 0 to kCvvdpBlurReach, as far as values lie before and
    /// behind the row.
    void (*blur_row)(const float *row, const float (&taps)[kCvvdpBlurReach + 1], unsigned count, float *out);
    void (*blur_columns)(const float *const rows[2 * kCvvdpBlurReach + 1], const float (&taps)[kCvvdpBlurReach + 1],
                         unsigned count, float *out);
    /// pw(D, 2) of differences and blurred masks, added to the columns.
    void (*add_squares)(CvvdpInput difference, CvvdpInput mask, unsigned count, CvvdpRows columns);
};

VMAF_DECLARE_CPU_VARIANTS(CvvdpLoops, kCvvdpLoops)

} // namespace vmaf
