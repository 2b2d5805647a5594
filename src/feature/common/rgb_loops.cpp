#include "feature/common/rgb_loops.h"

#include <cstddef>

#include "feature/common/colour_arithmetic.h"
#include "feature/common/powers.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// x^2.4 = (x x^(-1/5))^3 for 0.05 <= x <= 1 (relative error measured below 5e-7), the inverse
/// fifth root like the cube root.
INLINE Three powers_2_4(const Three &x)
{
    Three r = each([&](int i) { return inverse_root_guess(x.v[i], 0.2F, 0x1.30acp30F); });
    Three h = 1 - x * (r * r * (r * r) * r);
    r = r + r * (h * (h * (h * 0.088F + 0.12F) + 0.2F));
    h = 1 - x * (r * r * (r * r) * r);
    r = r + r * (h * (h * 0.12F + 0.2F));
    const Three t = x * r;
    return t * t * t;
}

INLINE Three clamped_to_unit(const Three &v)
{
    return each([&](int i) { return smaller(larger(v.v[i], 0), 1); });
}

/// spec ssimulacra2 3.2, after the clamp of 3.1.
INLINE Three to_linear(const Three &v)
{
    const Three clamped = clamped_to_unit(v);
    const Three curve = powers_2_4((clamped + 0.055F) * (1 / 1.055F));
    return each([&](int i) { return clamped.v[i] <= 0.04045F ? clamped.v[i] * (1 / 12.92F) : curve.v[i]; });
}

template <class Sample> void convert_samples(const Sample *__restrict samples, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = samples[x];
}

template <class Sample> void convert_twice(const Sample *__restrict samples, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[2 * x] = out[2 * x + 1] = samples[x];
}

/// R'G'B' in [0, 1], or the linear light of it.
enum class Light { encoded, linear };

template <Light kLight> INLINE Three in_light(const Three &v)
{
    return kLight == Light::linear ? to_linear(v) : clamped_to_unit(v);
}

template <Light kLight> void convert_yuv(const YuvMatrix &matrix, unsigned count, ColourRow yuv)
{
    const YuvMatrix m = matrix;
    float *__restrict red = yuv.channel[0], *__restrict green = yuv.channel[1], *__restrict blue = yuv.channel[2];
    for (std::size_t x = 0; x < count; ++x) {
        const float luma = (red[x] - m.luma_zero) * m.luma_scale;
        const float u = green[x] - m.chroma_zero;
        const float v = blue[x] - m.chroma_zero;
        const Three rgb =
            in_light<kLight>({luma + m.red_v * v, luma + m.green_u * u + m.green_v * v, luma + m.blue_u * u});
        red[x] = rgb.v[0];
        green[x] = rgb.v[1];
        blue[x] = rgb.v[2];
    }
}

template <Light kLight> void convert_luma(const YuvMatrix &matrix, unsigned count, float *__restrict luma)
{
    const YuvMatrix m = matrix;
    for (std::size_t x = 0; x < count; ++x) {
        const float y = (luma[x] - m.luma_zero) * m.luma_scale;
        luma[x] = in_light<kLight>({y, y, y}).v[0];
    }
}

void look_up(const LightParams &light, unsigned count, float *__restrict values)
{
    constexpr auto kSteps = static_cast<float>(kLightSteps);
    constexpr auto kLast = static_cast<std::int32_t>(kLightSteps) - 1;
    const float *__restrict table = light.table;
    const float least = light.least, most = light.most;
    for (std::size_t x = 0; x < count; ++x) {
        const float place = values[x] * kSteps;
        const std::int32_t whole = static_cast<std::int32_t>(place), i = whole < kLast ? whole : kLast;
        const float found = table[i] + (place - static_cast<float>(i)) * (table[i + 1] - table[i]);
        values[x] = smaller(larger(found, least), most);
    }
}

INLINE float system_factor(float luma, float power)
{
    return power_of_light(larger(luma, kLeastHlgLuma), power);
}

void apply_system(const LightParams &light, unsigned count, ColourRow rgb)
{
    const float power = light.system_power;
    float *__restrict red = rgb.channel[0], *__restrict green = rgb.channel[1], *__restrict blue = rgb.channel[2];
    for (std::size_t x = 0; x < count; ++x) {
        const float luma = kHlgLuma[0] * red[x] + kHlgLuma[1] * green[x] + kHlgLuma[2] * blue[x];
        const float factor = system_factor(luma, power);
        red[x] *= factor;
        green[x] *= factor;
        blue[x] *= factor;
    }
}

void apply_system_to_luma(const LightParams &light, unsigned count, ColourRow rgb)
{
    const float power = light.system_power;
    float *__restrict luma = rgb.channel[0];
    for (std::size_t x = 0; x < count; ++x)
        luma[x] *= system_factor(luma[x], power);
}

void convert(const LightParams &light, unsigned count, ColourRow rgb)
{
    const LightParams k = light;
    float *__restrict red = rgb.channel[0], *__restrict green = rgb.channel[1], *__restrict blue = rgb.channel[2];
    for (std::size_t x = 0; x < count; ++x) {
        const float r = red[x], g = green[x], b = blue[x];
        const auto mixed = [&](int i) {
            const float sum = k.matrix[i][0] * r + k.matrix[i][1] * g + k.matrix[i][2] * b;
            return smaller(larger(sum, 0), k.most);
        };
        red[x] = mixed(0);
        green[x] = mixed(1);
        blue[x] = mixed(2);
    }
}

void scale_luma(const LightParams &light, unsigned count, ColourRow rgb)
{
    const float scale = light.scale, most = light.most;
    float *__restrict luma = rgb.channel[0];
    for (std::size_t x = 0; x < count; ++x)
        luma[x] = smaller(luma[x] * scale, most);
}

void halve(const float *__restrict top, const float *__restrict bottom, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = ((top[2 * x] + top[2 * x + 1]) + (bottom[2 * x] + bottom[2 * x + 1])) * 0.25F;
}

} // namespace

extern const RgbLoops kRgbLoops = {
    convert_samples<std::uint8_t>,
    convert_samples<std::uint16_t>,
    convert_twice<std::uint8_t>,
    convert_twice<std::uint16_t>,
    convert_yuv<Light::encoded>,
    convert_luma<Light::encoded>,
    convert_yuv<Light::linear>,
    convert_luma<Light::linear>,
    look_up,
    apply_system,
    apply_system_to_luma,
    convert,
    scale_luma,
    halve,
};

} // namespace vmaf::VMAF_CPU_TARGET
