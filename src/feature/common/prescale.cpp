#include "feature/common/prescale.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "feature/common/mirror.h"
#include "feature/common/prescale_loops.h"

namespace vmaf {
namespace {

// Taps -1..2 and -4..4 around the floor of the position.
constexpr int kBicubicFirst = -1;
constexpr int kLanczosFirst = -4;

unsigned tap_count(PrescaleMethod method)
{
    switch (method) {
    case PrescaleMethod::nearest:
        return 1;
    case PrescaleMethod::bilinear:
        return 2;
    case PrescaleMethod::bicubic:
        return 4;
    default:
        return 9;
    }
}

float bicubic_weight(float distance)
{
    constexpr float a = -0.75F;
    const float t = std::abs(distance);
    if (t < 1)
        return ((a + 2) * t - (a + 3)) * t * t + 1;
    return t < 2 ? (((t - 5) * t + 8) * t - 4) * a : 0;
}

float lanczos_weight(float distance)
{
    constexpr double pi = std::numbers::pi;
    const double t = distance;
    if (t == 0)
        return 1;
    if (t <= -4 || t >= 4)
        return 0;
    return static_cast<float>(4 * std::sin(pi * t) * std::sin(pi * t / 4) / (pi * pi * t * t));
}

struct Tap {
    unsigned index;
    float weight;
};

// The offset is taken from the mirrored sample: left of the first one it extrapolates (spec speed
// 3.2).
Tap bilinear_tap(unsigned tap, float position, unsigned size)
{
    const unsigned left = mirror(static_cast<int>(std::floor(position)), size);
    const float offset = position - static_cast<float>(left);
    if (tap == 0)
        return {left, 1 - offset};
    return {mirror(static_cast<int>(std::ceil(position)), size), offset};
}

template <class Weight> Tap kernel_tap(int tap, float position, unsigned size, Weight &&weight)
{
    const auto start = static_cast<int>(std::floor(position));
    const float offset = position - static_cast<float>(start);
    return {mirror(start + tap, size), weight(static_cast<float>(tap) - offset)};
}

// spec speed 3.2, float_features 3.1
Tap make_tap(PrescaleMethod method, unsigned tap, unsigned x, float ratio, unsigned size)
{
    if (method == PrescaleMethod::nearest)
        return {static_cast<unsigned>(static_cast<float>(x) * ratio), 1};
    const auto position = static_cast<float>((x + 0.5) * ratio - 0.5);
    if (method == PrescaleMethod::bilinear)
        return bilinear_tap(tap, position, size);
    if (method == PrescaleMethod::bicubic)
        return kernel_tap(static_cast<int>(tap) + kBicubicFirst, position, size, bicubic_weight);
    return kernel_tap(static_cast<int>(tap) + kLanczosFirst, position, size, lanczos_weight);
}

} // namespace

std::optional<PrescaleMethod> prescale_method(std::string_view name)
{
    if (name == "nearest")
        return PrescaleMethod::nearest;
    if (name == "bilinear")
        return PrescaleMethod::bilinear;
    if (name == "bicubic")
        return PrescaleMethod::bicubic;
    if (name == "lanczos4")
        return PrescaleMethod::lanczos4;
    return std::nullopt;
}

PictureSize prescaled_size(const PictureSize &size, double factor)
{
    if (std::isnan(factor)) // an option text may say so (spec abi 5.2)
        return {};
    return {static_cast<unsigned>(size.width_px * factor + 0.5), static_cast<unsigned>(size.height_px * factor + 0.5)};
}

PrescaleAxis::PrescaleAxis(PrescaleMethod method, unsigned from, unsigned to) : taps(tap_count(method)), length(to)
{
    const float ratio = static_cast<float>(from) / static_cast<float>(to);
    for (unsigned tap = 0; tap < taps; ++tap)
        for (unsigned x = 0; x < to; ++x) {
            const Tap made = make_tap(method, tap, x, ratio, from);
            index.push_back(static_cast<int>(made.index));
            weight.push_back(made.weight);
        }
}

Prescaler::Prescaler(PrescaleMethod method, const PictureSize &from, const PictureSize &to, CpuTarget target)
    : loops_(select_kPrescaleLoops(target)), normalised_(is_normalised(method)),
      columns_(method, from.width_px, to.width_px), rows_(method, from.height_px, to.height_px),
      weight_sum_(normalised_ ? to.width_px : 0)
{
}

// All methods are sums of sample * (column weight * row weight), row by row, each from the left.
// The sum may start from 0 where the chapter's has no start: that only loses the sign of a zero.
void Prescaler::row(const float *source, std::size_t stride, unsigned y, float *out)
{
    const unsigned width = columns_.length;
    std::fill_n(out, width, 0.0F);
    if (normalised_)
        std::fill_n(weight_sum_.data(), width, 0.0F);
    for (unsigned j = 0; j < rows_.taps; ++j) {
        const std::size_t row_tap = std::size_t{j} * rows_.length + y;
        const float *source_row = source + stride * static_cast<std::size_t>(rows_.index[row_tap]);
        for (unsigned i = 0; i < columns_.taps; ++i) {
            const float *column_weights = columns_.weight.data() + std::size_t{i} * width;
            loops_.add_tap(source_row, columns_.index.data() + std::size_t{i} * width, column_weights,
                           rows_.weight[row_tap], width, out);
            if (normalised_)
                loops_.add_weight(column_weights, rows_.weight[row_tap], width, weight_sum_.data());
        }
    }
    if (normalised_)
        loops_.divide(weight_sum_.data(), width, out);
}

} // namespace vmaf
