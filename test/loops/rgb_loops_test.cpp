#include "feature/common/rgb_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kLinear{0, 1};

template <class Sample> void samples(void (*loop)(const Sample *, unsigned, float *), Run &run)
{
    const Sample *in = run.input(run.all(), Range<Sample>{0, static_cast<Sample>(-1)});
    auto *out = run.output<float>("out", run.all());
    run.call(loop, in, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) { return in[x]; });
}

template <class Sample> void twice(void (*loop)(const Sample *, unsigned, float *), Run &run)
{
    const Sample *in = run.input(run.all(), Range<Sample>{0, static_cast<Sample>(-1)});
    const Extent doubled{0, 2 * run.all().end};
    auto *out = run.output<float>("out", doubled);
    run.call(loop, in, run.length(), out);
    run.expect("out", out, doubled, [&](auto x) { return in[x / 2]; });
}

/// One of the four matrices of spec ssimulacra2 3.1, or near it.
YuvMatrix matrix(Run &run, float peak)
{
    const bool full = run.random().one_in(2), bt601 = run.random().one_in(2);
    const float chroma = (full ? 1.0F : 255.0F / 224) / peak;
    return {full ? 0 : peak * 16 / 255,
            (full ? 1.0F : 255.0F / 219) / peak,
            peak / 2,
            (bt601 ? 1.402F : 1.5748F) * chroma,
            (bt601 ? -0.3441F : -0.1873F) * chroma,
            (bt601 ? -0.7141F : -0.4681F) * chroma,
            (bt601 ? 1.772F : 1.8556F) * chroma};
}

/// Samples as floats.
Range<float> any_sample(Run &run)
{
    return {0, static_cast<float>((1U << run.between(8, 16)) - 1)};
}

void convert_yuv(decltype(RgbLoops::yuv_to_linear) loop, Run &run)
{
    const Range<float> any = any_sample(run);
    const YuvMatrix m = matrix(run, any.high);
    run.call(loop, m, run.length(),
             ColourRow{{run.in_out("red", run.all(), any), run.in_out("green", run.all(), any),
                        run.in_out("blue", run.all(), any)}});
}

void convert_luma(decltype(RgbLoops::luma_to_linear) loop, Run &run)
{
    const Range<float> any = any_sample(run);
    const YuvMatrix m = matrix(run, any.high);
    run.call(loop, m, run.length(), run.in_out("luma", run.all(), any));
}

void halve(decltype(RgbLoops::halve) loop, Run &run)
{
    const Extent doubled{0, 2 * run.all().end};
    const float *top = run.input(doubled, kLinear), *bottom = run.input(doubled, kLinear);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, top, bottom, run.length(), out);
    run.expect("out", out, run.all(),
               [&](auto x) { return ((top[2 * x] + top[2 * x + 1]) + (bottom[2 * x] + bottom[2 * x + 1])) / 4; });
}

const auto kDeclared = LoopsOf<RgbLoops>("RgbLoops", select_kRgbLoops)
                           .member("samples_8bit", &RgbLoops::samples_8bit, samples<std::uint8_t>)
                           .member("samples_16bit", &RgbLoops::samples_16bit, samples<std::uint16_t>)
                           .member("twice_8bit", &RgbLoops::twice_8bit, twice<std::uint8_t>)
                           .member("twice_16bit", &RgbLoops::twice_16bit, twice<std::uint16_t>)
                           .member("yuv_to_rgb", &RgbLoops::yuv_to_rgb, convert_yuv)
                           .member("luma_to_rgb", &RgbLoops::luma_to_rgb, convert_luma)
                           .member("yuv_to_linear", &RgbLoops::yuv_to_linear, convert_yuv)
                           .member("luma_to_linear", &RgbLoops::luma_to_linear, convert_luma)
                           .member("halve", &RgbLoops::halve, halve);

} // namespace
} // namespace vmaf::test
