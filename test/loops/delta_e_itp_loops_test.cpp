#include "feature/delta_e_itp/delta_e_itp_loops.h"

#include "feature/delta_e_itp/delta_e_itp.h"
#include "feature/delta_e_itp/delta_e_itp_pixel.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kLight{0, 10000};
constexpr Range<double> kColour{-1, 1};

void to_itp(decltype(DeltaEItpLoops::to_itp) loop, Run &run)
{
    const float *light[3];
    for (const float *&row : light)
        row = run.input(run.all(), kLight);
    if (run.random().one_in(4)) // for a grey picture
        light[1] = light[2] = light[0];
    const ItpRow out{run.output<double>("i", run.all()), run.output<double>("t", run.all()),
                     run.output<double>("p", run.all())};
    const LightCurve pq = delta_e_itp_curve().curve();
    run.call(loop, pq, light, run.length(), out);
    const auto colour = [&](auto x) { return itp_of_light(pq, light[0][x], light[1][x], light[2][x]); };
    run.expect("i", out.i, run.all(), [&](auto x) { return colour(x).i; });
    run.expect("t", out.t, run.all(), [&](auto x) { return colour(x).t; });
    run.expect("p", out.p, run.all(), [&](auto x) { return colour(x).p; });
}

/// These rows are only read, but the declared row of colours is writable.
ItpRow colours(Run &run)
{
    const auto row = [&] { return const_cast<double *>(run.input(run.all(), kColour)); };
    return {row(), row(), row()};
}

void differences(decltype(DeltaEItpLoops::differences) loop, Run &run)
{
    const ItpRow ref = colours(run), dis = colours(run);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, ref, dis, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        return delta_e_itp({ref.i[x], ref.t[x], ref.p[x]}, {dis.i[x], dis.t[x], dis.p[x]});
    });
}

const auto kDeclared = LoopsOf<DeltaEItpLoops>("DeltaEItpLoops", select_kDeltaEItpLoops)
                           .member("to_itp", &DeltaEItpLoops::to_itp, to_itp)
                           .member("differences", &DeltaEItpLoops::differences, differences);

} // namespace
} // namespace vmaf::test
