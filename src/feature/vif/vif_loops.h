#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/vif/vif_params.h"

namespace vmaf {

/// A picture is worked through in strips of columns, so that the rows which the filters read again and again stay in the
/// processor's nearest caches. Even, because the next scale keeps every second column.
constexpr unsigned kVifStripPx = 240;
/// Columns of a buffered row: a strip with its neighbours for the widest filter.
constexpr unsigned kVifRowPx = kVifStripPx + 2 * kVifHalf[0];
/// The window slides down its buffer and moves back to the front when it has reached the end.
constexpr unsigned kVifWindowRows = 3 * (2 * kVifHalf[0] + 1);
/// The products and both passes run on to a multiple of this many columns, over whatever lies there, so that no vector loop has a
/// remainder. What they write there means nothing.
constexpr unsigned kVifRoundPx = 32;
static_assert(kVifRowPx % kVifRoundPx == 0);

/// What is filtered: the samples, and their squares and products (ref*ref, dis*dis, ref*dis) in halves, so that every filter
/// sum is one of 16-bit values and fits 32 bits (spec vif 5).
enum VifPlane { kVifRef, kVifDis, kVifLow, kVifHigh = kVifLow + 3, kVifPlanes = kVifHigh + 3 };

/// The rows around the current one. The high halves of 8-bit samples' products are 0 and not kept.
struct VifWindow {
    alignas(64) std::uint16_t plane[kVifPlanes][kVifWindowRows][kVifRowPx];
};

/// Results of the vertical pass for one row: v1, v2, and the halves of v11, v22, v12 (spec vif 3.3). 16-bit values, kept in 32
/// bits because the horizontal pass reads each up to 17 times and then need not widen it.
struct VifColumns {
    alignas(64) std::uint32_t plane[kVifPlanes][kVifRowPx + kVifRoundPx];
};

/// S1, S2, S12 of one row (spec vif 3.3).
struct VifMoments {
    alignas(64) std::int32_t s1[kVifRowPx], s2[kVifRowPx], s12[kVifRowPx];
};

/// spec vif 3.3: b and q.
struct VifShifts {
    unsigned mean;
    unsigned square;
};

struct VifLoops {
    void (*widen)(const std::uint8_t *samples, unsigned count, std::uint16_t *out);

    /// The product planes of a window row from its samples.
    using Products = void (*)(VifWindow &window, unsigned row, unsigned columns);
    Products products_8bit;
    Products products_16bit;

    /// The vertical pass around a window row; by scale, of which scale 0 may have 8-bit samples.
    using Vertical = void (*)(const VifWindow &window, unsigned row, unsigned columns, VifShifts shifts,
                              VifColumns &out);
    Vertical vertical_8bit;
    Vertical vertical_16bit[kVifScales];

    /// The horizontal pass, by scale. Pixel i is centred on column i + kVifHalf[scale].
    using Horizontal = void (*)(const VifColumns &columns, unsigned width_px, VifMoments &out);
    Horizontal horizontal[kVifScales];

    /// `count` samples of the next scale, from the samples of `side` around a window row; by scale (spec vif 3.2). Reads the window
    /// like the vertical pass, writes no more than `count`.
    using NextScale = void (*)(const VifWindow &window, unsigned row, VifPlane side, unsigned mean_shift,
                               unsigned count, std::uint16_t *out);
    NextScale next_scale[kVifScales - 1];

    /// Adds a row's pixels to the sums (spec vif 3.5). `log_table` is vif_log_table(). Moments are those of samples, so S12 is at
    /// most the geometric mean of S1 and S2, give or take the rounding of 3.3; with others, from samples out of range, the sums mean
    /// nothing.
    void (*statistic)(const VifMoments &moments, unsigned width_px, double gain_limit, const std::uint32_t *log_table,
                      VifScaleSums &sums);
};

VMAF_DECLARE_CPU_VARIANTS(VifLoops, kVifLoops)

} // namespace vmaf
