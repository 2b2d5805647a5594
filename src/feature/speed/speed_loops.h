#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"
#include "feature/speed/speed_params.h"

namespace vmaf {

/// Vectors of kSpeedDimension elements are padded to this many.
constexpr unsigned kSpeedLanes = 32;
/// Samples that a shifted window's row may read beyond its last one.
constexpr unsigned kSpeedOverread = 8;

/// The row steps of spec speed 3.3 to 3.5.
struct SpeedLoops {
    /// Samples as load_float_row() converts them, `minuend` less `subtrahend`.
    void (*difference_8bit)(const std::uint8_t *minuend, const std::uint8_t *subtrahend, unsigned width_px, float *out);
    void (*difference_16bit)(const std::uint16_t *minuend, const std::uint16_t *subtrahend, float scale,
                             unsigned width_px, float *out);

    /// out[x] += tap * sample, as load_float_row() converts samples.
    void (*add_samples_8bit)(const std::uint8_t *samples, float scale, float tap, unsigned width_px, float *out);
    void (*add_samples_16bit)(const std::uint16_t *samples, float scale, float tap, unsigned width_px, float *out);
    /// out[x] += tap * row[x]
    void (*add_row)(const float *row, float tap, unsigned width_px, float *out);
    /// out[x] = sum over k of taps[k] * row[step * x + k], with a step of 1 and of kSpeedStep.
    void (*filter_row)(const float *row, const float *taps, unsigned tap_count, unsigned width_px, float *out);
    void (*filter_row_and_decimate)(const float *row, const float *taps, unsigned tap_count, unsigned width_px,
                                    float *out);
    /// out[x] = minuend[x] - out[x]
    void (*subtract_from)(const float *minuend, unsigned width_px, float *out);

    /// Adds each element of `count` windows, whose first starts at `samples`, from left to right:
    /// sums[p] += element p.
    void (*add_windows)(const float *samples, std::size_t stride, unsigned count, float sums[kSpeedDimension]);
    /// centred[x][p] = element p - means[p]; the padding is 0.
    void (*centre_windows)(const float *samples, std::size_t stride, unsigned count, const float means[kSpeedDimension],
                           double (*centred)[kSpeedLanes]);
    /// products[p][q] += centred[x][p] * centred[x][q], x upwards, at least for p <= q. `products`
    /// has kSpeedLanes rows.
    void (*add_products)(const double (*centred)[kSpeedLanes], unsigned count, double (*products)[kSpeedLanes]);
};

VMAF_DECLARE_CPU_VARIANTS(SpeedLoops, kSpeedLoops)

} // namespace vmaf
