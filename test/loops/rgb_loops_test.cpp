#include "feature/common/rgb_loops.h"

#include <algorithm>
#include <cmath>
#include <vector>

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

/// One of the four matrices of spec ssimulacra2 3.1, or a similar one.
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

/// Parameters with a parabola as the table and a matrix with negative weights.
LightParams light_params(Run &run)
{
    LightParams light{};
    light.table = run.input<float>(Extent{0, kLightSteps + 1}, [](std::ptrdiff_t i) {
        return static_cast<float>(static_cast<double>(i) * static_cast<double>(i) / 4e7);
    });
    light.least = 0.005F;
    light.most = 60;
    light.system_power = 0.2F;
    light.scale = 1.7F;
    for (auto &row : light.matrix)
        for (float &weight : row)
            weight = static_cast<float>(run.between(0, 1000)) / 500 - 0.7F;
    light.converts = true;
    return light;
}

ColourRow colours(Run &run)
{
    return {{run.in_out("red", run.all(), kLinear), run.in_out("green", run.all(), kLinear),
             run.in_out("blue", run.all(), kLinear)}};
}

/// Values of the channels in `row`.
std::vector<std::vector<float>> values_of(const ColourRow &row, Run &run)
{
    std::vector<std::vector<float>> values;
    for (const float *channel : row.channel)
        values.emplace_back(channel, channel + run.length());
    return values;
}

void look_up(decltype(RgbLoops::look_up) loop, Run &run)
{
    const LightParams light = light_params(run);
    float *values = run.in_out("values", run.all(), kLinear);
    const std::vector<float> before(values, values + run.length());
    run.call(loop, light, run.length(), values);
    run.expect("values", values, run.all(), [&](auto x) {
        const float place = before[static_cast<std::size_t>(x)] * kLightSteps;
        const int i = std::min(static_cast<int>(place), static_cast<int>(kLightSteps) - 1);
        const float found = light.table[i] + (place - static_cast<float>(i)) * (light.table[i + 1] - light.table[i]);
        return std::clamp(found, light.least, light.most);
    });
}

void apply_system(decltype(RgbLoops::apply_system) loop, Run &run)
{
    run.call(loop, light_params(run), run.length(), colours(run));
}

void convert(decltype(RgbLoops::convert) loop, Run &run)
{
    const LightParams light = light_params(run);
    const ColourRow row = colours(run);
    const auto before = values_of(row, run);
    run.call(loop, light, run.length(), row);
    const char *const names[] = {"red", "green", "blue"};
    for (unsigned i = 0; i < 3; ++i)
        run.expect(names[i], row.channel[i], run.all(), [&](auto at) {
            const auto x = static_cast<std::size_t>(at);
            const float *m = light.matrix[i];
            const float sum = m[0] * before[0][x] + m[1] * before[1][x] + m[2] * before[2][x];
            return sum > 0 ? std::min(sum, light.most) : 0;
        });
}

void scale_luma(decltype(RgbLoops::scale_luma) loop, Run &run)
{
    const LightParams light = light_params(run);
    const ColourRow row{{run.in_out("luma", run.all(), kLinear), nullptr, nullptr}};
    const std::vector<float> before(row.channel[0], row.channel[0] + run.length());
    run.call(loop, light, run.length(), row);
    run.expect("luma", row.channel[0], run.all(),
               [&](auto x) { return std::min(before[static_cast<std::size_t>(x)] * light.scale, light.most); });
}

void apply_system_to_luma(decltype(RgbLoops::apply_system_to_luma) loop, Run &run)
{
    run.call(loop, light_params(run), run.length(),
             ColourRow{{run.in_out("luma", run.all(), kLinear), nullptr, nullptr}});
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
                           .member("look_up", &RgbLoops::look_up, look_up)
                           .member("apply_system", &RgbLoops::apply_system, apply_system)
                           .member("apply_system_to_luma", &RgbLoops::apply_system_to_luma, apply_system_to_luma)
                           .member("convert", &RgbLoops::convert, convert)
                           .member("scale_luma", &RgbLoops::scale_luma, scale_luma)
                           .member("halve", &RgbLoops::halve, halve);

} // namespace
} // namespace vmaf::test
