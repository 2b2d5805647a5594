#include "feature/common/gaussian_taps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace vmaf {
namespace {

// spec speed 3.3, float_features 3.2
constexpr std::array kKernelScales{
    1.0F,     1.0F / 2, 3.0F / 2,  2.0F,    2.0F / 3, 2.4F, 360.0F / 97, 4.0F / 3,  3.5F / 3, 3.75F / 3, 4.25F / 3,
    5.0F / 3, 3.0F,     1 / 2.25F, 1.4746F, 1.54F,    1.6F, 1.06667F,    0.711111F, 0.74074F, 1.111111F,
};
static_assert(kKernelScales.size() == 21);

} // namespace

bool is_valid_kernel_scale(double kernel_scale)
{
    const auto value = static_cast<float>(kernel_scale);
    return std::any_of(kKernelScales.begin(), kKernelScales.end(),
                       [value](float allowed) { return std::abs(value - allowed) < 1e-3; });
}

unsigned odd_tap_count(float length)
{
    const auto ceiling = static_cast<unsigned>(std::ceil(length));
    return std::max(3U, ceiling | 1U);
}

std::vector<float> gaussian_taps(unsigned count, float deviation)
{
    const double sd = deviation;
    const auto scale = static_cast<float>(1 / (sd * std::sqrt(2 * std::numbers::pi)));
    const int reach = static_cast<int>(count - 1) / 2;
    std::vector<float> taps;
    taps.reserve(count);
    float sum = 0;
    for (int k = -reach; k <= reach; ++k) {
        taps.push_back(static_cast<float>(std::exp(-0.5 * k / sd * k / sd)) / scale);
        sum += taps.back();
    }
    for (float &tap : taps)
        tap /= sum;
    return taps;
}

} // namespace vmaf
