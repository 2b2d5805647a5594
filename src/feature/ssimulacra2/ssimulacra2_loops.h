#pragma once

#include "base/cpu.h"
#include "feature/common/rgb_loops.h"
#include "feature/ssimulacra2/ssimulacra2_params.h"

namespace vmaf {

/// One row of the blurs of a plane, with d = y - x and s = x + y (spec ssimulacra2 3.5, 5.7).
struct Ssimulacra2Blurs {
    const float *reference;          ///< G(x)
    const float *difference;         ///< G(d)
    const float *squared_difference; ///< G(d*d)
    const float *variance;           ///< of s along the rows, blurred across them
    const float *spread;             ///< squared distance of the rows' means of s from this row's, blurred across them
    const float *mean;               ///< of s along this row
};

/// Sums of an error map and of its fourth power, a column each.
struct Ssimulacra2Columns {
    float *first;
    float *fourth;
};

/// Row steps. Rows have `count` values; every value is a pure function of those it is made from.
struct Ssimulacra2Loops {
    /// spec ssimulacra2 3.4.
    void (*linear_to_xyb)(ColourRow linear, unsigned count, ColourRow xyb);
    /// Y of XYB where R = G = B.
    void (*linear_to_y)(const float *linear, unsigned count, float *y);

    void (*subtract)(const float *minuend, const float *subtrahend, unsigned count, float *out);
    void (*square)(const float *values, unsigned count, float *out);
    void (*add)(const float *a, const float *b, unsigned count, float *out);

    /// spec ssimulacra2 3.6. `values` is 0 for kSsimulacra2Reach values beyond both ends.
    void (*blur_row)(const float *values, unsigned count, float *out);
    /// Two rows, one below the other.
    void (*blur_columns)(const float *const rows[kSsimulacra2TapRows + 1], unsigned count, float *upper, float *lower);
    /// spec ssimulacra2 5.7: mean and variance of s along the row, whose nine values around each
    /// are weighted like the blur's. `s` is 0 for kSsimulacra2Reach values beyond both ends;
    /// `reference` and `difference` are blurs along the row.
    void (*row_variance)(const float *s, const float *reference, const float *difference, unsigned count, float *mean,
                         float *variance);
    /// The blurred squared distance of nine rows' means from the middle row's.
    void (*column_spread)(const float *const means[kSsimulacra2TapRows + 1], unsigned count, float *upper,
                          float *lower);

    /// spec ssimulacra2 3.5, added to the columns.
    void (*add_ssim)(const Ssimulacra2Blurs &blurs, unsigned count, Ssimulacra2Columns columns);
    /// Adds the artefact and the detail map to the columns. `x` and `d` are the unblurred row.
    void (*add_artefacts)(const float *x, const float *d, const Ssimulacra2Blurs &blurs, unsigned count,
                          Ssimulacra2Columns columns);
    void (*add_details)(const float *x, const float *d, const Ssimulacra2Blurs &blurs, unsigned count,
                        Ssimulacra2Columns columns);
};

VMAF_DECLARE_CPU_VARIANTS(Ssimulacra2Loops, kSsimulacra2Loops)

} // namespace vmaf
