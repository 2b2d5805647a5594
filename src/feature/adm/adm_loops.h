#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"
#include "feature/adm/adm_params.h"

namespace vmaf {

/// A DWT pass: its taps (kAdmLow or kAdmHigh), then `(sum + offset) >> shift`, of which all bits
/// above 32 are dropped.
///
/// Multiplications are of signed 16-bit values. What needs 32 bits is kept in halves: a row of the
/// high ones and, some elements behind it, a row of the low ones, "biased": less 2^15.
struct AdmFilter {
    const std::int32_t *taps;
    std::int32_t offset;
    unsigned shift;                   ///< at most 16; 0 from I16 samples
    std::uint16_t max_sample = 65535; ///< U16 samples above it count as it
    std::ptrdiff_t from_low = 0;      ///< elements from a high half to its low half, in what is read
    std::ptrdiff_t to_low = 0;        ///< and in what is written
};

/// Type of the samples of a DWT input. A line is I16 where it is made from pictures, U8 or U16,
/// else halves.
enum AdmSample : unsigned { kAdmU8, kAdmU16, kAdmI16, kAdmHalves };
/// Type of a line and of what the horizontal pass makes of it.
enum AdmLine : unsigned { kAdmI16ToI16, kAdmHalvesToHalves, kAdmHalvesToI32 };

/// One row of a signal (restored or additive) as the numerators need it.
template <class Strength> struct AdmSignalRow {
    /// At scale 0 abs(sig), 16 bits. Elsewhere abs(u), 32 bits, the threshold's minuend (spec adm
    /// 3.6).
    Strength *strength[kAdmBands];
    std::int32_t *neighbour; ///< n, summed over the bands (spec adm 3.5)
    std::int32_t *centre;    ///< z - n, summed over the bands
};

/// All loops but those of the DWT run on over this many columns behind the span at most, over
/// whatever lies there, so that none has a remainder. What they write there means nothing.
constexpr std::size_t kAdmRunOnColumns = 31;

/// What decoupling reads and writes.
template <class Band, class Strength> struct AdmDecoupling {
    const Band *ref[kAdmBands]; ///< a row of the bands
    const Band *dis[kAdmBands];
    double gain_limit;
    const std::uint32_t *weight; ///< by band; 16 bits at scale 0
    AdmSignalRow<Strength> restored;
    AdmSignalRow<Strength> additive;
};
using AdmFineDecoupling = AdmDecoupling<std::int16_t, std::uint16_t>;
struct AdmCoarseDecoupling : AdmDecoupling<std::int32_t, std::uint32_t> {
    std::int32_t *flag; ///< scratch rows
    std::int32_t *r[kAdmBands];
};

/// What the numerators read: a signal and, of the masking signal, the rows above, at and below.
template <class Strength> struct AdmMasking {
    const Strength *strength[kAdmBands];
    const std::uint32_t *weight; ///< by band
    const std::int32_t *neighbour[3];
    const std::int32_t *centre;
    std::int32_t *column_sums;       ///< a scratch row
    const std::uint32_t *cube_shift; ///< e of spec adm 3.6, by band
};

/// Row loops of spec adm 3. Values stay in the bounds that spec adm 5 gives; what lies beyond (huge
/// Barten weights) wraps.
struct AdmLoops {
    /// Vertical pass over four input rows (3.1), by AdmSample.
    void (*filter_rows[4])(const void *const rows[4], const AdmFilter &filter, AdmSpan span, std::int16_t *line);
    /// Same by two filters, which differ in taps and offset alone.
    void (*filter_rows_twice[4])(const void *const rows[4], const AdmFilter (&filters)[2], AdmSpan span,
                                 std::int16_t *const (&lines)[2]);
    /// Horizontal pass (3.1), by AdmLine: span in output columns; reads line[2 * begin - 1] to
    /// line[2 * end].
    void (*filter_line[3])(const std::int16_t *line, const AdmFilter &filter, AdmSpan span, void *band);

    /// 3.3, 3.5 and the first half of v in 3.6: at scale 0, and at the others.
    void (*decouple_fine)(const AdmFineDecoupling &row, AdmSpan span);
    void (*decouple_coarse)(const AdmCoarseDecoupling &row, AdmSpan span);

    /// 3.5: n over the rows above, at and below, plus the centre term; reads one column on either
    /// side of the span. 3.6: the row's sums of cubes, by band. At scale 0, and at the others.
    template <class Strength>
    using MaskedCubes = void (*)(const AdmMasking<Strength> &row, AdmSpan span, std::uint64_t (&sums)[kAdmBands]);
    MaskedCubes<std::uint16_t> masked_cubes_fine;
    MaskedCubes<std::uint32_t> masked_cubes_coarse;
    /// 3.7: the row's sum of cubes at scale 0, and at the others.
    std::uint64_t (*den_cubes_fine)(const std::int16_t *ref, AdmSpan span);
    std::uint64_t (*den_cubes_coarse)(const std::int32_t *ref, unsigned square_shift, unsigned cube_shift,
                                      AdmSpan span);
};

VMAF_DECLARE_VECTOR_VARIANTS(AdmLoops, kAdmLoops)

} // namespace vmaf
