#include "feature/psnr_hvs/psnr_hvs_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kOneGroup{kHvsGroup * kHvsCoefficients, kHvsGroup *kHvsCoefficients};

void widen(decltype(PsnrHvsLoops::widen) loop, Run &run)
{
    const std::uint8_t *samples = run.input(run.all(), Range<std::uint8_t>{0, 255});
    auto *out = run.output<std::uint16_t>("out", run.all());
    run.call(loop, samples, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return samples[x]; });
}

void limit(decltype(PsnrHvsLoops::limit) loop, Run &run)
{
    const std::uint16_t *samples = run.input(run.all(), Range<std::uint16_t>{0, 65535});
    const auto peak = static_cast<std::uint16_t>((1U << run.between(9, 16)) - 1);
    auto *out = run.output<std::uint16_t>("out", run.all());
    run.call(loop, samples, run.length(), peak, out);
    run.expect("out", out, run.all(), [&](auto x) { return std::min(samples[x], peak); });
}

void spread(decltype(PsnrHvsLoops::spread) loop, Run &run)
{
    auto &rows = run.object<HvsRows>();
    for (auto &row : rows.sample)
        run.fill(row, std::end(row), Range<std::uint16_t>{0, 65535});
    auto &samples = run.object<HvsSamples>();
    run.scramble(&samples, &samples + 1);
    run.call(loop, rows, samples);
    for (unsigned k = 0; k < kHvsCoefficients; ++k) {
        run.compare("value", samples.value[k], {0, kHvsGroup});
        run.expect("value", samples.value[k], {0, kHvsGroup},
                   [&](auto b) { return rows.sample[k / 8][kHvsStepPx * b + k % 8]; });
    }
}

/// Blocks of samples of up to 12 bits, some flat.
const HvsSamples &blocks(Run &run)
{
    auto &samples = run.object<HvsSamples>();
    const std::int32_t peak = (1 << run.between(8, 12)) - 1;
    for (auto &coefficient : samples.value)
        run.fill(coefficient, std::end(coefficient), Range<std::int32_t>{0, peak});
    for (unsigned b = 0; b < kHvsGroup; ++b)
        if (const std::int32_t level = samples.value[0][b]; run.random().one_in(4))
            for (auto &coefficient : samples.value)
                coefficient[b] = std::min(peak, level + static_cast<std::int32_t>(run.random().below(3)));
    return samples;
}

void errors(decltype(PsnrHvsLoops::errors) loop, Run &run)
{
    const HvsSamples &ref = blocks(run), &dis = run.random().one_in(8) ? ref : blocks(run);
    auto &out = run.object<HvsErrors>();
    run.scramble(&out, &out + 1);
    run.call(loop, ref, dis, kHvsWeights[run.between(0, 2)], out);
    for (const auto &coefficient : out.z)
        run.compare("z", coefficient, {0, kHvsGroup});
}

const auto kDeclared = LoopsOf<PsnrHvsLoops>("PsnrHvsLoops", select_kPsnrHvsLoops)
                           .member("widen", &PsnrHvsLoops::widen, widen)
                           .member("limit", &PsnrHvsLoops::limit, limit)
                           .member("spread", &PsnrHvsLoops::spread, spread, kOneGroup)
                           .member("errors", &PsnrHvsLoops::errors, errors, kOneGroup);

} // namespace
} // namespace vmaf::test
