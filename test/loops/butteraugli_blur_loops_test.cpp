#include "feature/butteraugli/butteraugli_blur_loops.h"

#include "feature/butteraugli/butteraugli_params.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kValues{-120, 120}, kWeights{0, 0.4F}, kNorms{1, 3};

unsigned any_reach(Run &run)
{
    return run.pick<unsigned>({2, 3, 6, 7, 16});
}

const float *taps(Run &run, unsigned reach)
{
    return run.input({0, static_cast<std::ptrdiff_t>(reach) + 1}, kWeights);
}

void blur_columns(decltype(ButteraugliBlurLoops::blur_columns) loop, Run &run)
{
    const unsigned reach = any_reach(run), first = run.between(0, 40);
    const float *weights = taps(run, reach);
    const Extent columns{static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(first) + run.all().end};
    const float *rows[2 * kButteraugliMostReach + 1];
    for (unsigned i = 0; i < 2 * reach + 1; ++i)
        rows[i] = run.input(columns, kValues);
    const float scale = static_cast<float>(run.random().real(1, 3));
    auto *out = run.output<float>("out", run.all());
    run.call(loop, rows, first, run.length(), weights, reach, scale, out);
    run.expect("out", out, run.all(), [&](auto x) {
        float sum = weights[0] * rows[reach][first + x];
        for (unsigned k = 1; k <= reach; ++k)
            sum += weights[k] * (rows[reach - k][first + x] + rows[reach + k][first + x]);
        return sum * scale;
    });
}

void blur_row(decltype(ButteraugliBlurLoops::blur_row) loop, Run &run)
{
    const auto reach = static_cast<std::ptrdiff_t>(any_reach(run));
    const float *weights = taps(run, static_cast<unsigned>(reach));
    const float *values = run.input({-reach, run.all().end + reach}, kValues);
    const float *scales = run.input(run.all(), kNorms);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, values, run.length(), weights, static_cast<unsigned>(reach), scales, out);
    run.expect("out", out, run.all(), [&](auto x) {
        float sum = weights[0] * values[x];
        for (std::ptrdiff_t k = 1; k <= reach; ++k)
            sum += weights[k] * (values[x - k] + values[x + k]);
        return sum * scales[x];
    });
}

const auto kDeclared = LoopsOf<ButteraugliBlurLoops>("ButteraugliBlurLoops", select_kButteraugliBlurLoops)
                           .member("blur_columns", &ButteraugliBlurLoops::blur_columns, blur_columns)
                           .member("blur_row", &ButteraugliBlurLoops::blur_row, blur_row);

} // namespace
} // namespace vmaf::test
