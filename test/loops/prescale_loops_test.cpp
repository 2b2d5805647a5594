#include "feature/common/prescale_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kSamples{-128, 127}, kWeights{-0.5F, 1};

void add_tap(decltype(PrescaleLoops::add_tap) loop, Run &run)
{
    const unsigned source_px = run.between(1, 2 * run.length() + 9);
    const float *source = run.input({0, source_px}, kSamples);
    const int *index = run.input(run.all(), Range<int>{0, static_cast<int>(source_px) - 1});
    const float *weights = run.input(run.all(), kWeights);
    const auto row_weight = static_cast<float>(run.random().real(-0.5, 1));
    auto *out = run.in_out("out", run.all(), kSamples);
    const std::vector<float> before(out, out + run.length());
    run.call(loop, source, index, weights, row_weight, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return before[x] + source[index[x]] * (weights[x] * row_weight); });
}

void add_weight(decltype(PrescaleLoops::add_weight) loop, Run &run)
{
    const float *weights = run.input(run.all(), kWeights);
    const auto row_weight = static_cast<float>(run.random().real(-0.5, 1));
    auto *sum = run.in_out("sum", run.all(), kWeights);
    const std::vector<float> before(sum, sum + run.length());
    run.call(loop, weights, row_weight, run.length(), sum);
    run.expect("sum", sum, run.all(), [&](auto x) { return before[x] + weights[x] * row_weight; });
}

void divide(decltype(PrescaleLoops::divide) loop, Run &run)
{
    const float *sum = run.input(run.all(), Range<float>{0.5F, 1.5F});
    auto *out = run.in_out("out", run.all(), kSamples);
    const std::vector<float> before(out, out + run.length());
    run.call(loop, sum, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return before[x] / sum[x]; });
}

const auto kDeclared = LoopsOf<PrescaleLoops>("PrescaleLoops", select_kPrescaleLoops)
                           .member("add_tap", &PrescaleLoops::add_tap, add_tap)
                           .member("add_weight", &PrescaleLoops::add_weight, add_weight)
                           .member("divide", &PrescaleLoops::divide, divide);

} // namespace
} // namespace vmaf::test
