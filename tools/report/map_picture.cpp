#include "report/map_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "report/png.h"

namespace vmaf::tool {
namespace {

/// Viridis of matplotlib (CC0) at ninths. Its lightness grows evenly.
constexpr std::array<Rgb, 10> kViridis{{{0x44, 0x01, 0x54},
                                        {0x48, 0x28, 0x78},
                                        {0x3e, 0x49, 0x89},
                                        {0x31, 0x68, 0x8e},
                                        {0x26, 0x82, 0x8e},
                                        {0x1f, 0x9e, 0x89},
                                        {0x35, 0xb7, 0x79},
                                        {0x6e, 0xce, 0x58},
                                        {0xb5, 0xde, 0x2b},
                                        {0xfd, 0xe7, 0x25}}};

template <class Sample> std::vector<Sample> samples_of(const VmafMap &map, Sample most)
{
    std::vector<Sample> samples;
    samples.reserve(std::size_t{map.w} * map.h);
    const double scale = most / (map.bright - map.dark);
    for (unsigned y = 0; y < map.h; ++y) {
        const auto *row = reinterpret_cast<const float *>(reinterpret_cast<const std::byte *>(map.data) +
                                                          map.stride * static_cast<std::ptrdiff_t>(y));
        for (unsigned x = 0; x < map.w; ++x) {
            const double place = (static_cast<double>(row[x]) - map.dark) * scale;
            samples.push_back(static_cast<Sample>(std::lround(std::clamp(place, 0.0, static_cast<double>(most)))));
        }
    }
    return samples;
}

} // namespace

const bool kMakesPng = true;

std::string png_of_map(const VmafMap &map, MapPixels pixels)
{
    if (pixels == MapPixels::grey)
        return png_of_grey(map.w, map.h, samples_of<std::uint16_t>(map, 65535));
    return png_of_indices(map.w, map.h, samples_of<std::uint8_t>(map, 255), palette_through(kViridis));
}

} // namespace vmaf::tool
