#include "engine/scale_loops.h"

#include <cstddef>

#include "engine/scaled_samples.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// kTaps is `taps`, or 0: any number.
template <unsigned kTaps, class Sample>
void across_taps(const Sample *__restrict row, const std::int32_t *__restrict first,
                 const std::int16_t *__restrict weights, unsigned taps, unsigned width_px, std::int32_t *__restrict out)
{
    const unsigned count = kTaps != 0 ? kTaps : taps;
    for (unsigned x = 0; x < width_px; ++x, weights += count) {
        const Sample *const from = row + first[x];
        ScaleAcrossSum sum = 0;
        for (unsigned k = 0; k < count; ++k)
            sum += from[k] * weights[k];
        out[x] = scaled_across(sum);
    }
}

template <class Sample>
void across(const Sample *row, const std::int32_t *first, const std::int16_t *weights, unsigned taps, unsigned width_px,
            std::int32_t *out)
{
    if (taps == 4) // enlarging
        across_taps<4>(row, first, weights, taps, width_px, out);
    else if (taps == 8) // half the size
        across_taps<8>(row, first, weights, taps, width_px, out);
    else
        across_taps<0>(row, first, weights, taps, width_px, out);
}

template <unsigned kTaps, class Sample>
void down_taps(const std::int32_t *__restrict rows, unsigned begin, const std::int16_t *__restrict weights,
               unsigned max_sample, unsigned width_px, Sample *__restrict out)
{
    const std::int32_t *row[kTaps];
    for (unsigned k = 0; k < kTaps; ++k)
        row[k] = rows + std::size_t{(begin + k) % kTaps} * width_px;
    for (unsigned x = 0; x < width_px; ++x) {
        ScaleDownSum<Sample> sum = 0;
        for (unsigned k = 0; k < kTaps; ++k)
            sum += static_cast<ScaleDownSum<Sample>>(row[k][x]) * weights[k];
        out[x] = static_cast<Sample>(scaled_down(sum, max_sample));
    }
}

template <class Sample>
void down(const std::int32_t *__restrict rows, unsigned begin, const std::int16_t *__restrict weights, unsigned taps,
          unsigned max_sample, unsigned width_px, Sample *__restrict out)
{
    if (taps == 4)
        return down_taps<4>(rows, begin, weights, max_sample, width_px, out);
    if (taps == 8)
        return down_taps<8>(rows, begin, weights, max_sample, width_px, out);
    constexpr unsigned kPiece = 64;
    for (unsigned left = 0; left < width_px; left += kPiece) {
        const unsigned count = width_px - left < kPiece ? width_px - left : kPiece;
        ScaleDownSum<Sample> sums[kPiece] = {};
        for (unsigned k = 0; k < taps; ++k) {
            const std::int32_t *const row = rows + std::size_t{(begin + k) % taps} * width_px + left;
            for (unsigned i = 0; i < count; ++i)
                sums[i] += static_cast<ScaleDownSum<Sample>>(row[i]) * weights[k];
        }
        for (unsigned i = 0; i < count; ++i)
            out[left + i] = static_cast<Sample>(scaled_down(sums[i], max_sample));
    }
}

} // namespace

extern const ScaleLoops kScaleLoops = {across<std::uint8_t>, across<std::uint16_t>, down<std::uint8_t>,
                                       down<std::uint16_t>};

} // namespace vmaf::VMAF_CPU_TARGET
