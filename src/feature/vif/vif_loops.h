#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/common/pair_part.h"
#include "feature/vif/vif_params.h"

namespace vmaf {

/// A picture is worked through in strips of columns and blocks of rows, so that what the filters
/// read again and again stays in the processor's nearest caches. Even, because the next scale keeps
/// every second column and row.
constexpr unsigned kVifStripPx = 384;
constexpr unsigned kVifBlockRows = 8;
/// All loops but widen run on to a multiple of this many columns, over whatever lies there, so that
/// none has a remainder. What they write there means nothing, unless it is said what.
constexpr unsigned kVifRoundPx = 32;
/// Columns of a buffered row: a strip with its neighbours for the widest filter, and what loops run
/// on over.
constexpr unsigned kVifRowPx = kVifStripPx + 2 * kVifHalf[0] + 48;
static_assert(kVifRowPx % kVifRoundPx == 0);

/// What is filtered: the samples, and their squares and products (ref*ref, dis*dis, ref*dis) in
/// halves, so that every filter sum is one of 16-bit values and fits 32 bits (spec vif 5).
///
/// Multiplications are of signed 16-bit values. Where a plane's values need all 16 bits it holds
/// value - 2^15, "biased": all planes but samples of less than 16 bits. The filters' coefficients
/// sum to 2^16, so the sum of a biased plane is 2^31 too low, modulo 2^32.
enum VifPlane { kVifRef, kVifDis, kVifLow, kVifHigh = kVifLow + 3, kVifPlanes = kVifHigh + 3 };

/// Samples of two rows of a picture, one below the other, with the columns that the filter reads
/// beside the strip.
struct VifRows {
    alignas(64) std::uint16_t row[2][kVifRowPx];
};

/// Pairs of rows of every plane, a value of the first row with that of the second: what a
/// multiplication of pairs takes. A ring: pair k of the strip, rows 2k - kVifHalf[scale] and the
/// next, lies in slot k % kVifPairSlots. The order of values in each block of kVifRoundPx columns
/// is the target's own: its vertical pass puts the columns in order again. The high halves of 8-bit
/// samples' products are 0 and not kept.
constexpr unsigned kVifPairSlots = kVifHalf[0] + kVifBlockRows / 2;
struct VifPairs {
    alignas(64) std::int16_t slot[kVifPlanes][kVifPairSlots][2 * kVifRowPx];
};

/// The pairs that a block of rows needs, in order: pair[p][i] begins with row 2i - kVifHalf[scale]
/// of the block. A block of scale s needs kVifHalf[s] + kVifBlockRows / 2 of them.
struct VifWindow {
    const std::int16_t *pair[kVifPlanes][kVifPairSlots];
};

/// Results of the vertical pass for one row: v1, v2, and the halves of v11, v22, v12 (spec vif
/// 3.3), all biased.
struct VifColumns {
    alignas(64) std::int16_t plane[kVifPlanes][kVifRowPx];
};

/// S1 and M1 of one row (spec vif 3.3). In each block of kVifRoundPx pixels the even ones come
/// first, then the odd ones. S1 of pixels behind the row's end, up to the end of the block, is 0.
struct VifReferenceMoments {
    alignas(64) std::int32_t s1[kVifStripPx], mean1[kVifStripPx];
};
static_assert(kVifStripPx % kVifRoundPx == 0);

/// S2 and S12 of one row, in the same order, likewise 0.
struct VifMoments {
    alignas(64) std::int32_t s2[kVifStripPx], s12[kVifStripPx];
};

/// Place of a row's pixel in the moments.
constexpr unsigned vif_moment_place(unsigned x)
{
    return x / kVifRoundPx * kVifRoundPx + x % 2 * (kVifRoundPx / 2) + x % kVifRoundPx / 2;
}

/// spec vif 3.3: b and q. Samples are biased if b is 16.
struct VifShifts {
    unsigned mean;
    unsigned square;
};

/// Whether the plane is one of the part's. Loops read and write no others.
constexpr bool vif_has_plane(PairPart part, unsigned plane)
{
    const bool is_of_reference = plane == kVifRef || plane == kVifLow || plane == kVifHigh;
    return part == PairPart::all || (part == PairPart::reference) == is_of_reference;
}

/// The loops for one part.
struct VifLoops {
    void (*widen)(const std::uint8_t *samples, unsigned count, std::uint16_t *out);

    /// A slot of the ring from the samples: all planes of 8-bit ones, of others, or the samples
    /// alone. The part `distorted` reads the reference's samples too.
    using Pairs = void (*)(const VifRows &ref, const VifRows &dis, unsigned columns, VifShifts shifts, VifPairs &pairs,
                           unsigned slot);
    Pairs pairs_8bit;
    Pairs pairs_16bit;
    Pairs pairs_of_samples;

    /// The vertical pass for the kVifBlockRows rows of a block; by scale, of which scale 0 may have
    /// 8-bit samples.
    using Vertical = void (*)(const VifWindow &window, unsigned columns, VifShifts shifts, VifColumns *rows);
    Vertical vertical_8bit;
    Vertical vertical_16bit[kVifScales];

    /// The horizontal pass of a row, by scale. Pixel i is centred on column i + kVifHalf[scale].
    /// The part `distorted` reads M1 and writes VifMoments, `reference` writes S1 and M1, `all`
    /// writes all but M1.
    using Horizontal = void (*)(const VifColumns &columns, unsigned width_px, VifReferenceMoments &reference,
                                VifMoments &out);
    Horizontal horizontal[kVifScales];

    /// `count` samples of the next scale, from the samples of `side` around row `2 * row` of a
    /// block; by scale (spec vif 3.2). Runs on to a multiple of kVifRoundPx / 2 samples.
    using NextScale = void (*)(const VifWindow &window, unsigned row, VifPlane side, VifShifts shifts, unsigned count,
                               std::uint16_t *out);
    NextScale next_scale[kVifScales - 1];

    /// Adds a row's pixels to the sums (spec vif 3.5). The part `reference` has log_den and
    /// low_count, `distorted` the others. Moments are those of samples, so S2 is not negative and
    /// S12 is at most the geometric mean of S1 and S2, give or take the rounding of 3.3; with
    /// others, from samples out of range, the sums mean nothing.
    void (*statistic)(const VifReferenceMoments &reference, const VifMoments &moments, unsigned width_px,
                      double gain_limit, VifScaleSums &sums);
};

VMAF_DECLARE_VECTOR_VARIANTS(VifLoops, kVifLoops)
VMAF_DECLARE_VECTOR_VARIANTS(VifLoops, kVifReferenceLoops)
VMAF_DECLARE_VECTOR_VARIANTS(VifLoops, kVifDistortedLoops)

} // namespace vmaf
