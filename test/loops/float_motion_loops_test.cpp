#include "feature/float_motion/float_motion_loops.h"

#include <cmath>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kSamples{-128, 128};

/// Sum of five products, added from the first on.
template <class Get> float filtered(const float *taps, const Get &value)
{
    float sum = taps[0] * value(0);
    for (unsigned k = 1; k < kFloatMotionTaps; ++k)
        sum += taps[k] * value(k);
    return sum;
}

const float *taps_of(Run &run)
{
    return run.input({0, kFloatMotionTaps}, Range<float>{0, 1});
}

void filter_columns(decltype(FloatMotionLoops::filter_columns) loop, Run &run)
{
    const float *rows[kFloatMotionTaps], *taps = taps_of(run);
    for (const float *&row : rows)
        row = run.input(run.all(), kSamples);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, rows, taps, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return filtered(taps, [&](auto k) { return rows[k][x]; }); });
}

void filter_row(decltype(FloatMotionLoops::filter_row) loop, Run &run)
{
    const float *taps = taps_of(run);
    const float *row = run.input({-2, static_cast<std::ptrdiff_t>(run.length()) + 2}, kSamples);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, row, taps, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        return filtered(taps, [&](auto k) { return row[x + static_cast<std::ptrdiff_t>(k) - 2]; });
    });
}

void difference(decltype(FloatMotionLoops::difference) loop, Run &run)
{
    const float *a = run.input(run.all(), kSamples), *b = run.input(run.all(), kSamples);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, a, b, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return std::abs(a[x] - b[x]); });
}

const auto kDeclared = LoopsOf<FloatMotionLoops>("FloatMotionLoops", select_kFloatMotionLoops)
                           .member("filter_columns", &FloatMotionLoops::filter_columns, filter_columns)
                           .member("filter_row", &FloatMotionLoops::filter_row, filter_row)
                           .member("difference", &FloatMotionLoops::difference, difference);

} // namespace
} // namespace vmaf::test
