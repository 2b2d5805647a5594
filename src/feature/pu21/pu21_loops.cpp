#include "feature/pu21/pu21_loops.h"

#include <cstddef>

#include "feature/pu21/pu21_pixel.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

void luminance(const float *const light[3], const float (&weights)[3], unsigned count, float *__restrict out)
{
    const float *r = light[0], *g = light[1], *b = light[2];
    const float of_red = weights[0], of_green = weights[1], of_blue = weights[2];
    for (std::size_t x = 0; x < count; ++x)
        out[x] = of_red * r[x] + of_green * g[x] + of_blue * b[x];
}

void encode(const float *light, double reflected, double scale, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = static_cast<float>(pu_of_light(static_cast<double>(light[x]) + reflected) * scale);
}

} // namespace

extern const Pu21Loops kPu21Loops = {luminance, encode};

} // namespace vmaf::VMAF_CPU_TARGET
