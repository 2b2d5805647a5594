#include "feature/pu21/pu21_loops.h"

#include "feature/pu21/pu21.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kLight{0, 10000};

void luminance(decltype(Pu21Loops::luminance) loop, Run &run)
{
    constexpr float kWeights[3] = {0.2627F, 0.6780F, 0.0593F};
    const float *light[3];
    for (const float *&row : light)
        row = run.input(run.all(), kLight);
    if (run.random().one_in(4)) // a grey picture
        light[1] = light[2] = light[0];
    auto *out = run.output<float>("out", run.all());
    run.call(loop, light, kWeights, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        return kWeights[0] * light[0][x] + kWeights[1] * light[1][x] + kWeights[2] * light[2][x];
    });
}

void encode(decltype(Pu21Loops::encode) loop, Run &run)
{
    const double reflected = run.random().one_in(2) ? 0 : 0.4, scale = run.random().one_in(2) ? 1 : 255.0 / 256;
    const float *light = run.input(run.all(), kLight);
    auto *out = run.output<float>("out", run.all());
    const LightCurve pu = pu21_curve().curve();
    run.call(loop, pu, light, reflected, scale, run.length(), out);
    run.expect("out", out, run.all(),
               [&](auto x) { return on_curve(pu, static_cast<double>(light[x]) + reflected) * scale; });
}

void squares(decltype(Pu21Loops::squares) loop, Run &run)
{
    constexpr Range<float> kValues{0, 600};
    const float *ref = run.input(run.all(), kValues), *dis = run.input(run.all(), kValues);
    const double sum = run.call(loop, ref, dis, run.length());
    double expected = 0;
    for (unsigned x = 0; x < run.length(); ++x) {
        const double difference = static_cast<double>(ref[x]) - static_cast<double>(dis[x]);
        expected += difference * difference;
    }
    run.expect_near(
        "sum", &sum, {0, 1}, [&](auto) { return expected; }, [&](auto) { return 1e-13 * expected; });
}

const auto kDeclared = LoopsOf<Pu21Loops>("Pu21Loops", select_kPu21Loops)
                           .member("luminance", &Pu21Loops::luminance, luminance)
                           .member("encode", &Pu21Loops::encode, encode)
                           .member("squares", &Pu21Loops::squares, squares);

} // namespace
} // namespace vmaf::test
