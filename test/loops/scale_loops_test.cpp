#include "engine/scale_loops.h"

#include <algorithm>

#include "engine/scaled_samples.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

/// Weights whose sums fit (kMostScaleWeight).
Range<std::int16_t> weights_of(unsigned taps)
{
    const auto most = static_cast<std::int16_t>(kMostScaleWeight / taps);
    return {static_cast<std::int16_t>(-most), most};
}

std::int64_t half_up(std::int64_t sum, unsigned bits)
{
    return (sum + (std::int64_t{1} << (bits - 1))) >> bits;
}

template <class Sample>
void across(void (*loop)(const Sample *, const std::int32_t *, const std::int16_t *, unsigned, unsigned,
                         std::int32_t *),
            Run &run)
{
    const unsigned taps = run.pick({1U, 2U, 3U, 4U, 5U, 7U, 8U, 11U, 16U, 30U});
    const unsigned from_px = run.between(taps, taps + 2 * run.length());
    const Sample *row = run.input({0, from_px}, Range<Sample>{0, static_cast<Sample>(-1)});
    const std::int32_t *first = run.input(run.all(), Range<std::int32_t>{0, static_cast<std::int32_t>(from_px - taps)});
    const std::int16_t *weights = run.input({0, std::ptrdiff_t{taps} * run.length()}, weights_of(taps));
    auto *out = run.output<std::int32_t>("out", run.all());
    run.call(loop, row, first, weights, taps, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        std::int64_t sum = 0;
        for (unsigned k = 0; k < taps; ++k)
            sum += std::int64_t{row[first[x] + k]} * weights[x * taps + k];
        return half_up(sum, 7);
    });
}

template <class Sample>
void down(void (*loop)(const std::int32_t *, unsigned, const std::int16_t *, unsigned, unsigned, unsigned, Sample *),
          unsigned bpc, Run &run)
{
    const unsigned taps = run.pick({1U, 2U, 4U, 5U, 8U, 30U}), begin = run.between(0, 100);
    const unsigned max_sample = (1U << bpc) - 1;
    const auto most = static_cast<std::int32_t>(most_between(max_sample));
    const std::int32_t *rows = run.input({0, std::ptrdiff_t{taps} * run.length()}, Range<std::int32_t>{-most, most});
    const std::int16_t *weights = run.input({0, taps}, weights_of(taps));
    auto *out = run.output<Sample>("out", run.all());
    run.call(loop, rows, begin, weights, taps, max_sample, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        std::int64_t sum = 0;
        for (unsigned k = 0; k < taps; ++k)
            sum += std::int64_t{rows[(begin + k) % taps * run.length() + x]} * weights[k];
        return std::clamp<std::int64_t>(half_up(sum, 21), 0, max_sample);
    });
}

void down_8bit(decltype(ScaleLoops::down_8bit) loop, Run &run)
{
    down<std::uint8_t>(loop, 8, run);
}

void down_16bit(decltype(ScaleLoops::down_16bit) loop, Run &run)
{
    down<std::uint16_t>(loop, run.between(9, 16), run);
}

const auto kDeclared = LoopsOf<ScaleLoops>("ScaleLoops", select_kScaleLoops)
                           .member("across_8bit", &ScaleLoops::across_8bit, across<std::uint8_t>)
                           .member("across_16bit", &ScaleLoops::across_16bit, across<std::uint16_t>)
                           .member("down_8bit", &ScaleLoops::down_8bit, down_8bit)
                           .member("down_16bit", &ScaleLoops::down_16bit, down_16bit);

} // namespace
} // namespace vmaf::test
