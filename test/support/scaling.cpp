#include "support/scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace vmaf::test {
namespace {

constexpr long double kTiny =
    1e-10L; // far above rounding errors, far below the differences between two weights of small sizes

long double bicubic(long double t)
{
    constexpr long double kC = 0.6L;
    t = std::fabs(t);
    if (t < 1)
        return (2 - kC) * t * t * t - (3 - kC) * t * t + 1;
    return t < 2 ? -kC * (t * t * t - 5 * t * t + 8 * t - 4) : 0;
}

/// Rounds to integers with the sum 16384. The largest remainders are rounded up.
std::vector<int> rounded(const std::vector<long double> &weights)
{
    long double sum = 0;
    for (const long double weight : weights)
        sum += weight;
    std::vector<int> parts;
    std::vector<long double> rests;
    int missing = 16384;
    for (const long double weight : weights) {
        const long double share = weight / sum * 16384;
        parts.push_back(static_cast<int>(std::floor(share + kTiny)));
        rests.push_back(share - parts.back());
        missing -= parts.back();
    }
    for (; missing > 0; --missing) {
        std::size_t largest = 0;
        for (std::size_t i = 1; i < rests.size(); ++i)
            if (rests[i] > rests[largest] + kTiny)
                largest = i;
        ++parts[largest];
        rests[largest] = -1;
    }
    return parts;
}

struct Tap {
    unsigned index;
    int weight;
};

std::vector<Tap> taps_of(const std::vector<int> &weights)
{
    std::vector<Tap> taps;
    for (unsigned i = 0; i < weights.size(); ++i)
        if (weights[i] != 0)
            taps.push_back({i, weights[i]});
    return taps;
}

} // namespace

std::vector<int> scale_weights(unsigned from_px, unsigned to_px, unsigned x)
{
    const long double ratio = static_cast<long double>(from_px) / to_px;
    const long double centre = (x + 0.5L) * ratio - 0.5L, wide = std::max(1.0L, ratio);
    const auto begin = static_cast<std::int64_t>(std::floor(centre - 2 * wide)),
               end = begin + std::lround(4 * wide) + 3;
    std::vector<long double> weights;
    for (std::int64_t i = begin; i < end; ++i)
        weights.push_back(bicubic((static_cast<long double>(i) - centre) / wide));
    const std::vector<int> parts = rounded(weights);
    std::vector<int> of_sample(from_px);
    for (std::int64_t i = begin; i < end; ++i)
        of_sample[static_cast<std::size_t>(std::clamp(i, std::int64_t{0}, std::int64_t{from_px} - 1))] +=
            parts[static_cast<std::size_t>(i - begin)];
    return of_sample;
}

std::vector<unsigned> scaled_plane(const PlaneView &plane, unsigned width_px, unsigned height_px)
{
    const auto sample = [&](unsigned x, unsigned y) -> std::int64_t {
        return plane.bpc > 8 ? plane.row<std::uint16_t>(y)[x] : plane.row<std::uint8_t>(y)[x];
    };
    std::vector<std::vector<std::int64_t>> rows(plane.height_px, std::vector<std::int64_t>(width_px));
    for (unsigned x = 0; x < width_px; ++x) {
        const std::vector<Tap> taps = taps_of(scale_weights(plane.width_px, width_px, x));
        for (unsigned y = 0; y < plane.height_px; ++y) {
            std::int64_t sum = 0;
            for (const Tap &tap : taps)
                sum += sample(tap.index, y) * tap.weight;
            rows[y][x] = (sum + 64) >> 7;
        }
    }
    std::vector<unsigned> scaled;
    for (unsigned y = 0; y < height_px; ++y) {
        const std::vector<Tap> taps = taps_of(scale_weights(plane.height_px, height_px, y));
        for (unsigned x = 0; x < width_px; ++x) {
            std::int64_t sum = 0;
            for (const Tap &tap : taps)
                sum += rows[tap.index][x] * tap.weight;
            scaled.push_back(static_cast<unsigned>(
                std::clamp((sum + (1 << 20)) >> 21, std::int64_t{0}, (std::int64_t{1} << plane.bpc) - 1)));
        }
    }
    return scaled;
}

Clip scaled_clip(const Clip &clip, const ClipSpec &spec)
{
    const PictureFormat format{spec.pix_fmt, spec.bits, spec.width, spec.height};
    std::map<std::array<unsigned, 3>, std::vector<unsigned>> planes;
    return Clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
        if (x >= width || y >= height) // not part of a picture
            return 0U;
        std::vector<unsigned> &scaled = planes[{side == Side::dis ? 1U : 0U, frame, plane}];
        if (scaled.empty())
            scaled = scaled_plane(clip.plane(side, frame, plane), width, height);
        return scaled[std::size_t{y} * width + x];
    });
}

} // namespace vmaf::test
