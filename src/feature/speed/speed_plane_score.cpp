#include <cmath>

#include "feature/speed/speed_plane.h"

// spec speed 3.8

namespace vmaf {
namespace {

struct Weights {
    double ref, dis;
};

// 1 + s alone is rounded to float; what mixes both variances is not.
Weights weights(int mode, float ref, float dis)
{
    const double ref_alone = 1 + ref, dis_alone = 1 + dis;
    const double r = ref, d = dis;
    switch (mode) {
    case 1:
        return {ref_alone, ref_alone};
    case 2:
        return {dis_alone, dis_alone};
    case 3: {
        const double mean = 1 + static_cast<double>(ref + dis) / 2;
        return {mean, mean};
    }
    case 4:
        return {ref_alone, 1 + static_cast<double>(ref + dis) / 2};
    case 5:
        return {ref_alone, 1 + (0.75 * r + 0.25 * d)};
    case 6:
        return {ref_alone, 1 + (0.25 * r + 0.75 * d)};
    default:
        return {ref_alone, dis_alone};
    }
}

float weighted(float entropy, double weight)
{
    return static_cast<float>(entropy * std::log2(weight));
}

// The entropy of a block that holds nothing but noise, raised by the floor.
float noise_entropy(const SpeedOptions &options)
{
    const float noise = (1 + static_cast<float>(options.nn_floor)) * static_cast<float>(options.sigma_nn);
    return static_cast<float>(kSpeedDimension * (std::log2(static_cast<double>(noise)) + kSpeedGaussianBits));
}

} // namespace

SpeedPlaneScore speed_plane_score(const SpeedBlocks &ref, const SpeedBlocks &dis, const SpeedOptions &options)
{
    if (ref.singular != dis.singular)
        return {0, 1};
    const float base = noise_entropy(options);
    float sum = 0;
    for (std::size_t t = 0; t < ref.entropy.size(); ++t) {
        if (ref.entropy[t] < base && dis.entropy[t] < base)
            continue;
        const Weights w = weights(options.weight_var_mode, ref.variance[t], dis.variance[t]);
        sum += std::abs(weighted(ref.entropy[t], w.ref) - weighted(dis.entropy[t], w.dis));
    }
    return {sum / static_cast<float>(ref.entropy.size()), ref.singular ? 1U : 0U};
}

} // namespace vmaf
