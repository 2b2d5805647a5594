#include "feature/float_vif/float_vif_loops.h"

#include <cmath>
#include <limits>

#include "base/round_up.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kSamples{-128, 128};
constexpr Lengths kStrips{0, kFloatVifRowPx}, kNextPixels{0, kFloatVifRowPx / 2};

/// All elements of the row, and those behind it that the loops may also process.
Extent running_on(const Run &run, std::ptrdiff_t more = 0)
{
    const auto count = static_cast<std::ptrdiff_t>(run.length());
    const auto rounded = static_cast<std::ptrdiff_t>(round_up(run.length(), kFloatVifRoundPx));
    return {0, count == 0 ? 0 : count + more, count == 0 ? 0 : rounded - count};
}

void product(decltype(FloatVifLoops::product) loop, Run &run)
{
    const float *a = run.input(running_on(run), kSamples);
    const float *b = run.random().one_in(2) ? a : run.input(running_on(run), kSamples);
    auto *out = run.output<float>("out", running_on(run));
    run.call(loop, a, b, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return a[x] * b[x]; });
}

void filter(decltype(FloatVifLoops::filter_row) loop, const float *first, std::ptrdiff_t step, const float *taps,
            unsigned tap_count, Run &run)
{
    auto *out = run.output<float>("out", running_on(run));
    run.call(loop, first, taps, tap_count, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        float sum = taps[0] * first[x];
        for (unsigned k = 1; k < tap_count; ++k)
            sum += taps[k] * first[x + static_cast<std::ptrdiff_t>(k) * step];
        return sum;
    });
}

unsigned tap_count_of(Run &run)
{
    return run.pick({1U, 3U, 5U, 9U, 17U, kFloatVifMaxTaps});
}

void filter_columns(decltype(FloatVifLoops::filter_columns) loop, Run &run)
{
    const unsigned tap_count = tap_count_of(run);
    const float *taps = run.input({0, tap_count}, Range<float>{0, 1});
    const Extent last_row = running_on(run);
    const std::ptrdiff_t rows_before = std::ptrdiff_t{tap_count - 1} * kFloatVifRowPx;
    const float *first = run.input({0, last_row.end == 0 ? 0 : rows_before + last_row.end, last_row.run_on}, kSamples);
    for (unsigned k = 0; k + 1 < tap_count && last_row.end != 0; ++k) {
        auto *row = const_cast<float *>(first) + k * kFloatVifRowPx;
        run.scramble(row + last_row.end, row + last_row.end + last_row.run_on);
    }
    filter(loop, first, kFloatVifRowPx, taps, tap_count, run);
}

void filter_row(decltype(FloatVifLoops::filter_row) loop, Run &run)
{
    const unsigned tap_count = tap_count_of(run);
    const float *taps = run.input({0, tap_count}, Range<float>{0, 1});
    filter(loop, run.input(running_on(run, tap_count - 1), kSamples), 1, taps, tap_count, run);
}

void every_second(decltype(FloatVifLoops::every_second) loop, Run &run)
{
    const Extent read{0, run.length() == 0 ? 0 : 2 * run.all().end - 1};
    const float *row = run.input(read, kSamples);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, row, run.length(), out);
    run.expect("out", out, run.all(), [&](auto i) { return row[2 * i]; });
}

FloatVifNoise noise(Run &run)
{
    const double sigma_nsq = run.pick({2.0, 0.5, 1.3, 4.7});
    const auto rounded = static_cast<float>(sigma_nsq);
    int exponent = 0;
    const bool power_of_two = std::frexp(sigma_nsq, &exponent) == 0.5;
    return {sigma_nsq,
            rounded < sigma_nsq ? std::nextafter(rounded, std::numeric_limits<float>::infinity()) : rounded,
            rounded * rounded / 65025,
            run.pick({1.0F, 1.5F, 100.0F}),
            power_of_two,
            power_of_two ? 1 / rounded : 0};
}

/// Means and second moments that fit them. The variance may be anything from slightly below 0 up.
FloatVifMoments moments(Run &run)
{
    const Extent extent = running_on(run);
    FloatVifMoments made{};
    const auto size = [&] { return std::ldexp(1.0, -static_cast<int>(run.random().below(30))); };
    const auto second = [&](const float *a, const float *b, double least) {
        return run.input<float>(extent, [&, a, b](auto x) {
            const double variance = run.content() == Content::low ? 0 : run.random().real(least, 16384) * size();
            return a[x] * b[x] + static_cast<float>(variance);
        });
    };
    const float *ref = run.input(extent, kSamples), *dis = run.input(extent, kSamples);
    made.filtered[kFloatVifRef] = ref;
    made.filtered[kFloatVifDis] = dis;
    made.filtered[kFloatVifRefRef] = second(ref, ref, -0.01);
    made.filtered[kFloatVifDisDis] = second(dis, dis, -0.01);
    made.filtered[kFloatVifRefDis] = second(ref, dis, -16384);
    return made;
}

void statistic(decltype(FloatVifLoops::statistic) loop, Run &run)
{
    const FloatVifMoments given = moments(run);
    const FloatVifNoise with = noise(run);
    auto *num = run.output<float>("num", running_on(run)), *den = run.output<float>("den", running_on(run));
    run.call(loop, given, run.length(), with, num, den);
}

const auto kDeclared = LoopsOf<FloatVifLoops>("FloatVifLoops", select_kFloatVifLoops)
                           .member("product", &FloatVifLoops::product, product, kStrips)
                           .member("filter_columns", &FloatVifLoops::filter_columns, filter_columns, kStrips)
                           .member("filter_row", &FloatVifLoops::filter_row, filter_row, kStrips)
                           .member("every_second", &FloatVifLoops::every_second, every_second, kNextPixels)
                           .member("statistic", &FloatVifLoops::statistic, statistic, kStrips);

} // namespace
} // namespace vmaf::test
