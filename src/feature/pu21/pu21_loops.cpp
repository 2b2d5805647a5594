#include "feature/pu21/pu21_loops.h"

#include <cstddef>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

void luminance(const float *const light[3], const float (&weights)[3], unsigned count, float *__restrict out)
{
    const float *r = light[0], *g = light[1], *b = light[2];
    const float of_red = weights[0], of_green = weights[1], of_blue = weights[2];
    for (std::size_t x = 0; x < count; ++x)
        out[x] = of_red * r[x] + of_green * g[x] + of_blue * b[x];
}

void encode(const LightCurve &pu, const float *light, double reflected, double scale, unsigned count,
            float *__restrict out)
{
    const LightCurve curve = pu;
    for (std::size_t x = 0; x < count; ++x)
        out[x] = static_cast<float>(on_curve(curve, static_cast<double>(light[x]) + reflected) * scale);
}

double squares(const float *ref, const float *dis, unsigned count)
{
    constexpr std::size_t kSums = 16; // of every 16th value: no sum waits for itself
    double sums[kSums] = {};
    const auto add = [&](std::size_t x, std::size_t i) {
        const double difference = static_cast<double>(ref[x + i]) - static_cast<double>(dis[x + i]);
        sums[i] += difference * difference;
    };
    std::size_t x = 0;
    for (; x + kSums <= count; x += kSums)
        for (std::size_t i = 0; i < kSums; ++i)
            add(x, i);
    for (std::size_t i = 0; x + i < count; ++i)
        add(x, i);
    double sum = 0;
    for (const double of_lane : sums)
        sum += of_lane;
    return sum;
}

} // namespace

extern const Pu21Loops kPu21Loops = {luminance, encode, squares};

} // namespace vmaf::VMAF_CPU_TARGET
