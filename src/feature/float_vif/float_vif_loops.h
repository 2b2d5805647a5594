#pragma once

#include "base/cpu.h"
#include "feature/common/float_row_loops.h"
#include "feature/float_vif/float_vif_params.h"

namespace vmaf {

/// A picture is worked through in strips of columns, so that the rows which the filters read again
/// and again stay in the processor's nearest caches: one buffered row is a strip with its
/// neighbours for the filter.
constexpr unsigned kFloatVifRowPx = 256;
/// Rows that are scored together, one chain of additions each.
constexpr unsigned kFloatVifBlockRows = kRowChains;
/// Loops other than every_second run on to a multiple of this many columns, over whatever lies
/// there. What they write there means nothing.
constexpr unsigned kFloatVifRoundPx = 64;
/// Room behind a row for reading and writing on.
constexpr unsigned kFloatVifRowEnd = 144;
static_assert(kFloatVifRowEnd >= kFloatVifMaxTaps - 1 + kFloatVifRoundPx && kFloatVifRowEnd % 16 == 0);

/// A row of floats between two filter passes.
struct FloatVifLine {
    alignas(64) float value[kFloatVifRowPx + kFloatVifRowEnd];
};

/// m1, m2, xx, yy, xy of one row (spec float_features 3.3).
struct FloatVifMoments {
    const float *filtered[kFloatVifPlanes];
};

struct FloatVifLoops {
    /// out = a * b
    void (*product)(const float *a, const float *b, unsigned count, float *out);
    /// One filter pass. The first tap of output i is at first[i], the others follow
    /// `kFloatVifRowPx` floats apart (a column) or side by side (a row).
    void (*filter_columns)(const float *first, const float *taps, unsigned tap_count, unsigned count, float *out);
    void (*filter_row)(const float *first, const float *taps, unsigned tap_count, unsigned count, float *out);
    /// out[i] = row[2 * i]
    void (*every_second)(const float *row, unsigned count, float *out);
    /// The terms of a row's pixels (spec float_features 3.3).
    void (*statistic)(const FloatVifMoments &moments, unsigned count, const FloatVifNoise &noise, float *num,
                      float *den);
};

VMAF_DECLARE_CPU_VARIANTS(FloatVifLoops, kFloatVifLoops)

} // namespace vmaf
