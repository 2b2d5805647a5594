#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"
#include "feature/adm/adm_params.h"

namespace vmaf {

/// A DWT pass: its taps, then `(sum + offset) >> shift`.
struct AdmFilter {
    const std::int32_t *taps;
    std::int32_t offset;
    unsigned shift;
    std::uint16_t max_sample = 65535; ///< U16 samples above it count as it
};

/// Type of the samples of a DWT input.
enum AdmSample : unsigned { kAdmU8, kAdmU16, kAdmI16, kAdmI32 };
/// Width of the sums of a horizontal pass, and the type stored.
enum AdmLine : unsigned { kAdmNarrowToI16, kAdmNarrowToI32, kAdmWideToI32 };

/// One row of a signal (restored or additive) as the numerators need it.
struct AdmSignalRow {
    /// What the threshold is subtracted from: abs(W*sig) at scale 0, abs(u) elsewhere (spec adm 3.6).
    std::uint32_t *strength[kAdmBands];
    std::int32_t *neighbour; ///< n, summed over the bands (spec adm 3.5)
    std::int32_t *centre;    ///< z - n, summed over the bands
};

/// What decoupling reads and writes.
struct AdmDecoupling {
    const std::int32_t *ref[kAdmBands]; ///< a row of the bands
    const std::int32_t *dis[kAdmBands];
    std::int32_t *flag; ///< scratch rows
    std::int32_t *r;
    std::int32_t *a;
    double gain_limit;
    const std::uint32_t *weight; ///< by band
    AdmSignalRow restored;
    AdmSignalRow additive;
};

/// Row loops of spec adm 3. Values stay in the bounds that spec adm 5 gives; what lies beyond (huge Barten weights) wraps.
struct AdmLoops {
    /// Vertical pass over four input rows (3.1), by AdmSample. I32 sums in 64 bits, the others in 32.
    void (*filter_rows[4])(const void *const rows[4], const AdmFilter &filter, AdmSpan span, std::int32_t *line);
    /// Horizontal pass (3.1), by AdmLine: span in output columns; reads line[2 * begin - 1] to line[2 * end].
    void (*filter_line[3])(const std::int32_t *line, const AdmFilter &filter, AdmSpan span, void *band);

    /// 3.3, 3.5 and the first half of v in 3.6: at scale 0, and at the others.
    void (*decouple_fine)(const AdmDecoupling &row, AdmSpan span);
    void (*decouple_coarse)(const AdmDecoupling &row, AdmSpan span);

    /// 3.5: n over the rows above, at and below, plus the centre term; reads one column on either side of the span.
    void (*thresholds)(const std::int32_t *const neighbour[3], const std::int32_t *centre, AdmSpan span,
                       std::int32_t *threshold);
    /// 3.6: the row's sum of cubes.
    std::uint64_t (*cubes)(const std::uint32_t *strength, const std::int32_t *threshold, unsigned threshold_shift,
                           unsigned square_shift, unsigned cube_shift, AdmSpan span);
    /// 3.7: the row's sum of cubes at scale 0, and at the others.
    std::uint64_t (*den_cubes_fine)(const std::int32_t *ref, AdmSpan span);
    std::uint64_t (*den_cubes_coarse)(const std::int32_t *ref, unsigned square_shift, unsigned cube_shift,
                                      AdmSpan span);
};

VMAF_DECLARE_CPU_VARIANTS(AdmLoops, kAdmLoops)

} // namespace vmaf
