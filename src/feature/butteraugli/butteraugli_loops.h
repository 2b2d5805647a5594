#pragma once

#include "base/cpu.h"
#include "feature/butteraugli/butteraugli_params.h"
#include "feature/common/rgb_loops.h"

namespace vmaf {

/// A row of X, Y of the reference, and of X, Y, B of the difference to the distorted picture (spec
/// butteraugli 5.1).
enum ButteraugliSignal : unsigned {
    kButteraugliX,
    kButteraugliY,
    kButteraugliDifferenceX,
    kButteraugliDifferenceY,
    kButteraugliDifferenceB,
    kButteraugliSignals
};
struct ButteraugliRows {
    float *row[kButteraugliSignals];
};

/// A row of X, Y, B in double precision, all that spec butteraugli 3.3 gives.
struct ButteraugliXyb {
    double *plane[3];
};

/// Row steps. Rows have `count` values; every value is a pure function of those it is made from.
struct ButteraugliLoops {
    /// spec butteraugli 3.3: from linear colour and its blur. `intensity` is in nits.
    void (*opsin)(const ColourRow &sharp, const ColourRow &blurred, double intensity, unsigned count,
                  const ButteraugliXyb &out);
    /// X or Y in single precision.
    void (*narrow)(const double *values, unsigned count, float *out);
    /// The differences of X, Y and B.
    void (*compare)(const ButteraugliXyb &ref, const ButteraugliXyb &dis, unsigned count, float *const out[3]);

    void (*subtract)(const float *minuend, const float *subtrahend, unsigned count, float *out);
    /// spec butteraugli 3.6: DC of all planes. `low` is the blurred difference.
    void (*low_errors)(const float *const low[3], unsigned count, float *dc);
    /// spec butteraugli 3.4, steps 3 and 4: h of X and Y of the reference.
    void (*reference_high)(const float *const rest[2], const float *const medium[2], unsigned count,
                           float *const high[2]);
    /// spec butteraugli 3.4, steps 1, 3 and 4, and what 3.5 and 3.6 make of mf. `rest` and its blur
    /// `medium`; `high` is h of the encode after step 4, `lines` is D of mf in X and Y, `ac` the
    /// sum of the errors so far.
    void (*medium)(const ButteraugliRows &rest, const ButteraugliRows &medium, const ButteraugliTuning &tuning,
                   unsigned count, float *const high[2], float *const lines[2], float *ac);
    /// spec butteraugli 3.4, steps 6 and 7, of X and of Y. `low` is the blur of `high`, in whose
    /// place hf comes.
    void (*split_x)(const float *high, unsigned count, float *low, float *uhf);
    void (*split_y)(const float *high, unsigned count, float *low, float *uhf);
    /// spec butteraugli 3.7.
    void (*activity)(const float *const uhf[2], const float *const hf[2], unsigned count, float *out);
    /// spec butteraugli 3.5: D.
    void (*line_differences)(const float *ref, const float *dis, const ButteraugliTuning::Lines &lines, unsigned count,
                             float *out);
    /// spec butteraugli 3.6: the terms of hf, added to `ac`.
    void (*high_errors)(const float *ref, const float *dis, const ButteraugliTuning::High &weights, unsigned count,
                        float *ac);
    /// spec butteraugli 3.5, added to `ac`: the lines through nine rows of D, with
    /// kButteraugliMaltaReach values beyond both ends.
    void (*add_fine_lines)(const float *const rows[9], unsigned count, float *ac);
    void (*add_coarse_lines)(const float *const rows[9], unsigned count, float *ac);
    /// spec butteraugli 3.8: the masked contrast's own error, added to `ac`.
    void (*add_mask_error)(const float *ref, const float *dis, unsigned count, float *ac);
    /// spec butteraugli 3.8: E. `mask` is V of the reference in this row and in those
    /// kButteraugliErosionReach above and below, with as many values beyond both ends; outside the
    /// picture V is larger than any.
    void (*local_distance)(const float *const mask[3], const float *ac, const float *dc, unsigned count, float *out);

    /// spec butteraugli 3.9: the map of a row from E and from a row of half size, in place.
    void (*add_half)(const float *half, unsigned count, float *map);
    /// spec butteraugli 3.10: adds the powers to the columns' sums.
    void (*pool)(const float *map, unsigned count, double *const powers[kButteraugliPowers], float *max);
};

VMAF_DECLARE_CPU_VARIANTS(ButteraugliLoops, kButteraugliLoops)

} // namespace vmaf
