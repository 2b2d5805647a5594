#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "feature/feature.h"

namespace vmaf::test {

/// Kinds of pictures with little in them, where variances are small differences of large numbers.
enum class NearFlat { noise, bright_noise, dark_noise, letterbox, one_code_apart, gradient_and_one };
constexpr std::array kNearFlat{NearFlat::noise,     NearFlat::bright_noise,   NearFlat::dark_noise,
                               NearFlat::letterbox, NearFlat::one_code_apart, NearFlat::gradient_and_one};

/// A pair of one kind. The same seed gives the same pair.
class NearFlatPair {
  public:
    NearFlatPair(NearFlat kind, const PictureFormat &format, unsigned seed) : random_(seed)
    {
        for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
            level_ = level(kind);
            for (unsigned side = 0; side < 2; ++side)
                (side == 0 ? views_.ref : views_.dis)[plane] = make(kind, format, plane, side == 1);
        }
    }
    const FramePlanes &views() const { return views_; }

  private:
    double uniform() { return static_cast<double>(random_()) / 4294967296.0; }

    double level(NearFlat kind)
    {
        const double u = uniform();
        if (kind == NearFlat::bright_noise)
            return 0.8 + 0.15 * u;
        return kind == NearFlat::dark_noise ? 0.07 + 0.05 * u : 0.2 + 0.6 * u;
    }

    /// In units of the peak, without the error that is added to the distorted picture.
    double shape(NearFlat kind, const PictureFormat &format, unsigned x, unsigned y) const
    {
        if (kind == NearFlat::letterbox && (y < format.height / 6 || y >= format.height - format.height / 6))
            return 16.0 / 255;
        if (kind == NearFlat::gradient_and_one)
            return 0.2 + 0.5 * x / format.width + 0.1 * y / format.height;
        return level_;
    }

    PlaneView make(NearFlat kind, const PictureFormat &format, unsigned plane, bool distorted)
    {
        const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
        const double peak = (1U << format.bpc) - 1;
        const bool codes = kind == NearFlat::one_code_apart || kind == NearFlat::gradient_and_one;
        samples_.push_back(std::make_unique<std::vector<std::uint16_t>>(std::size_t{width} * height));
        std::vector<std::uint16_t> &samples = *samples_.back();
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < width; ++x) {
                double value = std::floor(shape(kind, format, x, y) * peak);
                if (distorted && codes)
                    value += kind == NearFlat::gradient_and_one ? 1 : static_cast<double>(random_() % 3) - 1;
                else if (distorted)
                    value += (uniform() - 0.5) * 0.03 * peak;
                samples[std::size_t{y} * width + x] = static_cast<std::uint16_t>(std::clamp(value, 0.0, peak));
            }
        if (format.bpc > 8)
            return {reinterpret_cast<const std::byte *>(samples.data()), std::ptrdiff_t{width} * 2, width, height,
                    format.bpc};
        bytes_.push_back(std::make_unique<std::vector<std::byte>>(samples.size()));
        std::transform(samples.begin(), samples.end(), bytes_.back()->begin(),
                       [](std::uint16_t sample) { return static_cast<std::byte>(sample); });
        return {bytes_.back()->data(), std::ptrdiff_t{width}, width, height, format.bpc};
    }

    std::mt19937 random_;
    double level_ = 0;
    std::vector<std::unique_ptr<std::vector<std::uint16_t>>> samples_;
    std::vector<std::unique_ptr<std::vector<std::byte>>> bytes_;
    FramePlanes views_;
};

} // namespace vmaf::test
