#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"
#include "feature/cambi/cambi_params.h"

namespace vmaf {

/// Loops write whole blocks of columns, so rows that they write need this many elements after the
/// last column. What lands there has no meaning. Rows of counters are read that far too.
constexpr unsigned kCambiSlackPx = 64;

/// For each value that c-values depend on, and each column x, how many pixels of that value lie in
/// the window around x. Levels of neighbouring values are neighbours in memory, for kBlockPx
/// columns at a time. There is a block before the columns of the picture and one behind the last;
/// what lies beside the picture means nothing. Level 0 is for pixels that do not count and stays 0.
struct CambiCounters {
    static constexpr unsigned kBlockPx = 64;

    std::uint16_t *counts;
    std::size_t level_count; ///< with level 0
    unsigned reach_px;       ///< P

    static std::size_t size(unsigned width_px, std::size_t level_count)
    {
        return (width_px + 3 * kBlockPx - 1) / kBlockPx * level_count * kBlockPx;
    }
    /// From kBlockPx columns before the first; valid up to the end of that column's block. The next
    /// level is kBlockPx on.
    std::uint16_t *at(unsigned level, int x) const
    {
        const auto column = static_cast<unsigned>(x + static_cast<int>(kBlockPx));
        return counts + (column / kBlockPx * level_count + level) * kBlockPx + column % kBlockPx;
    }
};

/// n where r(n) is not 1.0f / n, and the units in the last place that it is larger.
struct CambiReciprocalException {
    int n, difference;
};
/// Up to so many of them are worth a division instead of a look-up.
constexpr unsigned kCambiMaxExceptions = 4;

/// Tables for c-values, besides the counts.
struct CambiContrastTables {
    unsigned steps;                 ///< N
    const std::uint8_t *first_step; ///< by level: the smallest contrast step that counts there, N + 1 if none does
    const float *reciprocals;       ///< r(n)
    unsigned
        exception_count; ///< of n that the window can have; the exceptions mean nothing if above kCambiMaxExceptions
    CambiReciprocalException exceptions[kCambiMaxExceptions];
};

/// A sum of c-values in units of 2^-24.
struct CambiExactSum {
    std::uint64_t units;
    std::uint64_t count; ///< of the summands
};

/// Rows have a pixel at least where one below or beside it is asked for: in smooth_row,
/// smooth_row_8bit, flat_row and mode_filter_row.
struct CambiLoops {
    /// spec cambi 3.2: to 10 bits.
    void (*convert_row_8bit)(const std::uint8_t *samples, unsigned width_px, std::uint16_t *picture);
    void (*convert_row_16bit)(const std::uint16_t *samples, unsigned width_px, unsigned bpc, std::uint16_t *picture);
    std::uint16_t (*largest_sample)(const std::uint16_t *samples, unsigned width_px);
    /// The anti-dither filter; `below` is the row itself for the last one.
    void (*smooth_row)(const std::uint16_t *row, const std::uint16_t *below, unsigned width_px, std::uint16_t *smooth);
    /// The anti-dither filter on rows of 8-bit samples.
    void (*smooth_row_8bit)(const std::uint8_t *row, const std::uint8_t *below, unsigned width_px,
                            std::uint16_t *smooth);

    /// spec cambi 3.3: z; `below` is the row itself for the last one.
    void (*flat_row)(const std::uint16_t *row, const std::uint16_t *below, unsigned width_px, std::uint8_t *flat);
    /// Moves the sums of z down each column on by one row.
    void (*slide_flat_sums)(const std::uint8_t *entering, const std::uint8_t *leaving, unsigned width_px,
                            std::uint8_t *sums);
    /// m, as 0 and 1. `sums` needs kCambiMaskReach zeros on each side.
    void (*mask_row)(const std::uint8_t *sums, unsigned width_px, std::uint8_t threshold, std::uint8_t *mask);

    /// spec cambi 3.4: every second column, the last of which may be the row's last.
    void (*halve_picture_row)(const std::uint16_t *row, unsigned half_width_px, std::uint16_t *half);
    void (*halve_mask_row)(const std::uint8_t *row, unsigned half_width_px, std::uint8_t *half);
    void (*mode_filter_row)(const std::uint16_t *row, unsigned width_px, std::uint16_t *filtered);
    void (*mode_filter_column)(const std::uint16_t *above, const std::uint16_t *row, const std::uint16_t *below,
                               unsigned width_px, std::uint16_t *filtered);

    /// Level of each pixel: value - lowest_value + 1, and 0 without mask or from `level_count`
    /// values on.
    void (*level_row)(const std::uint16_t *picture, const std::uint8_t *mask, unsigned width_px, int lowest_value,
                      unsigned level_count, std::uint16_t *levels);
    /// spec cambi 3.5: moves the windows down by one row. Here and below, rows of levels may be
    /// read kCambiSlackPx beyond their end.
    void (*slide_counters)(const std::uint16_t *entering, const std::uint16_t *leaving, unsigned width_px,
                           const CambiCounters &counters);
    /// The c-values of the pixels that the windows are centred on.
    void (*contrast_row)(const std::uint16_t *levels, unsigned width_px, const CambiCounters &counters,
                         const CambiContrastTables &tables, float *c);

    /// spec cambi 3.6: counts values by the upper half of their bits, and those with a given upper
    /// half by the lower one.
    void (*count_upper_halves)(const float *c, std::size_t count, std::uint32_t *by_upper_half);
    void (*count_lower_halves)(const float *c, std::size_t count, std::uint32_t upper_half,
                               std::uint32_t *by_lower_half);
    /// The sum of the values above `bound`, which is 0 or more. `count` is at most 2^26.
    CambiExactSum (*exact_sum)(const float *c, std::size_t count, float bound);
    /// All bits that are set in any of the summands.
    std::uint64_t (*summand_bits)(const float *c, std::size_t count, float bound);
};

VMAF_DECLARE_VECTOR_VARIANTS(CambiLoops, kCambiLoops)

} // namespace vmaf
