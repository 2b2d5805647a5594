#include "feature/common/float_row_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

template <class Sample> void convert(void (*loop)(const Sample *, unsigned, float, float *), unsigned bpc, Run &run)
{
    const float scale = 1.0F / static_cast<float>(1U << (bpc - 8));
    const Sample *samples = run.input(run.all(), Range<Sample>{0, static_cast<Sample>((1U << bpc) - 1)});
    auto *out = run.output<float>("out", run.all());
    run.call(loop, samples, run.length(), scale, out);
    run.expect("out", out, run.all(), [&](auto x) { return static_cast<float>(samples[x]) * scale - 128; });
}

void from_8bit(decltype(FloatRowLoops::from_8bit) loop, Run &run)
{
    convert<std::uint8_t>(loop, 8, run);
}

void from_16bit(decltype(FloatRowLoops::from_16bit) loop, Run &run)
{
    convert<std::uint16_t>(loop, run.between(9, 16), run);
}

template <unsigned Chains> void add_rows(void (*loop)(const float *const *, unsigned, float *), Run &run)
{
    const float *rows[Chains];
    for (const float *&row : rows)
        row = run.input(run.all(), Range<float>{-1000, 1e6F});
    auto *sums = run.in_out("sums", {0, Chains}, Range<float>{0, 1e7F});
    std::vector<float> expected(sums, sums + Chains);
    for (unsigned k = 0; k < Chains; ++k)
        for (unsigned x = 0; x < run.length(); ++x)
            expected[k] += rows[k][x];
    run.call(loop, rows, run.length(), sums);
    run.expect("sums", sums, {0, Chains}, [&](auto k) { return expected[k]; });
}

const auto kDeclared = LoopsOf<FloatRowLoops>("FloatRowLoops", select_kFloatRowLoops)
                           .member("from_8bit", &FloatRowLoops::from_8bit, from_8bit)
                           .member("from_16bit", &FloatRowLoops::from_16bit, from_16bit)
                           .member("add_rows", &FloatRowLoops::add_rows, add_rows<kRowChains>)
                           .member("add_band_rows", &FloatRowLoops::add_band_rows, add_rows<kBandChains>);

} // namespace
} // namespace vmaf::test
