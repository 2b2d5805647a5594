#include <cmath>

#include "feature/speed/speed_plane.h"

// spec speed 3.8

namespace vmaf {
namespace {

float weighted(float entropy, double weight)
{
    return speed_weighted(entropy, weight, std::log2(weight));
}

} // namespace

float speed_noise_entropy(const SpeedOptions &options)
{
    const float noise = (1 + static_cast<float>(options.nn_floor)) * static_cast<float>(options.sigma_nn);
    return static_cast<float>(kSpeedDimension * (std::log2(static_cast<double>(noise)) + kSpeedGaussianBits));
}

SpeedPlaneScore speed_plane_score(const SpeedBlocks &ref, const SpeedBlocks &dis, const SpeedOptions &options)
{
    if (ref.singular != dis.singular)
        return {0, 1};
    const float base = speed_noise_entropy(options);
    float sum = 0;
    for (std::size_t t = 0; t < ref.entropy.size(); ++t) {
        if (ref.entropy[t] < base && dis.entropy[t] < base)
            continue;
        const SpeedWeights w = speed_weights(options.weight_var_mode, ref.variance[t], dis.variance[t]);
        sum += std::abs(weighted(ref.entropy[t], w.ref) - weighted(dis.entropy[t], w.dis));
    }
    return {sum / static_cast<float>(ref.entropy.size()), ref.singular ? 1U : 0U};
}

} // namespace vmaf
