#include "feature/float_ansnr/float_ansnr_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kSamples{-128, 128};

/// The row's samples, with `reach` more on either side.
Extent with_neighbours(const Run &run, std::ptrdiff_t reach)
{
    return {-reach, static_cast<std::ptrdiff_t>(run.length()) + reach};
}

void ref_row(decltype(FloatAnsnrLoops::ref_row) loop, Run &run)
{
    const float *row = run.input(with_neighbours(run, 1), kSamples);
    auto *filtered = run.output<float>("filtered", run.all());
    run.call(loop, row, run.length(), filtered);
    run.expect("filtered", filtered, run.all(), [&](auto x) { return row[x - 1] / 16 + row[x] / 8 + row[x + 1] / 16; });
}

void dis_row(decltype(FloatAnsnrLoops::dis_row) loop, Run &run)
{
    constexpr double kWeights[kAnsnrDisKinds][3] = {{2, 7, 12}, {7, 31, 52}, {12, 52, 127}}; // spec float_features 3.12
    const float *row = run.input(with_neighbours(run, kAnsnrDisReach), kSamples);
    float *filtered[kAnsnrDisKinds];
    for (float *&kind : filtered)
        kind = run.output<float>("filtered", run.all());
    run.call(loop, row, run.length(), filtered);
    for (unsigned kind = 0; kind < kAnsnrDisKinds; ++kind) {
        const auto weight = [&](int d) { return static_cast<float>(kWeights[kind][2 - std::abs(d)] / 571); };
        run.expect("filtered", filtered[kind], run.all(), [&](auto x) {
            float sum = weight(-2) * row[x - 2];
            for (int d = -1; d <= 2; ++d)
                sum += weight(d) * row[x + d];
            return sum;
        });
    }
}

void terms(decltype(FloatAnsnrLoops::terms) loop, Run &run)
{
    const float *ref[kAnsnrRefRows], *dis[kAnsnrDisRows];
    for (const float *&row : ref)
        row = run.input(run.all(), Range<float>{-32, 32});
    for (const float *&row : dis)
        row = run.input(run.all(), kSamples);
    auto *signal = run.output<float>("signal", run.all()), *noise = run.output<float>("noise", run.all());
    run.call(loop, ref, dis, run.length(), signal, noise);
    const auto a = [&](auto x) { return ref[0][x] + 2 * ref[1][x] + ref[2][x]; };
    const auto f = [&](auto x) { return dis[0][x] + dis[1][x] + dis[2][x] + dis[3][x] + dis[4][x]; };
    run.expect("signal", signal, run.all(), [&](auto x) { return a(x) * a(x); });
    run.expect("noise", noise, run.all(), [&](auto x) { return (a(x) - f(x)) * (a(x) - f(x)); });
}

const auto kDeclared = LoopsOf<FloatAnsnrLoops>("FloatAnsnrLoops", select_kFloatAnsnrLoops)
                           .member("ref_row", &FloatAnsnrLoops::ref_row, ref_row)
                           .member("dis_row", &FloatAnsnrLoops::dis_row, dis_row)
                           .member("terms", &FloatAnsnrLoops::terms, terms);

} // namespace
} // namespace vmaf::test
