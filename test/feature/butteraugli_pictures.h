#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "feature/feature.h"

namespace vmaf::test {

/// A pair of pictures of random blocks. In the distorted one, some blocks are changed and all have
/// noise.
class BlockPair {
  public:
    BlockPair(const PictureFormat &format, unsigned seed)
    {
        std::mt19937 random(seed);
        const double peak = (1U << format.bpc) - 1;
        for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
            const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
            std::vector<double> blocks((width / 6 + 1) * (height / 5 + 1));
            for (double &block : blocks)
                block = 0.2 + 0.6 * static_cast<double>(random() % 1000) / 1000;
            for (unsigned side = 0; side < 2; ++side) {
                auto &samples = samples_[plane][side];
                samples.resize(std::size_t{width} * height);
                for (unsigned y = 0; y < height; ++y)
                    for (unsigned x = 0; x < width; ++x) {
                        const double noise = 0.1 * side * static_cast<double>(random() % 1000) / 1000;
                        samples[y * width + x] =
                            static_cast<std::uint16_t>(peak * (blocks[y / 5 * (width / 6 + 1) + x / 6] + noise));
                    }
                bytes_[plane][side].assign(samples.begin(), samples.end());
                const void *data = format.bpc == 8 ? static_cast<const void *>(bytes_[plane][side].data())
                                                   : static_cast<const void *>(samples.data());
                (side == 0 ? views_.ref : views_.dis)[plane] =
                    PlaneView{static_cast<const std::byte *>(data),
                              static_cast<std::ptrdiff_t>(width * format.sample_bytes()), width, height, format.bpc};
            }
        }
    }
    const FramePlanes &views() const { return views_; }

  private:
    std::vector<std::uint16_t> samples_[3][2];
    std::vector<std::uint8_t> bytes_[3][2];
    FramePlanes views_;
};

} // namespace vmaf::test
