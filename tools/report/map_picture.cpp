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

/// Colours of viridis at each ninth.
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
    for (unsigned y = 0; y < map.h; ++y)
        for (unsigned x = 0; x < map.w; ++x)
            samples.push_back(static_cast<Sample>(std::lround(map_level(map, map_value(map, x, y), most))));
    return samples;
}

} // namespace

std::array<Rgb, 256> map_palette()
{
    return palette_through(kViridis);
}

double map_level(const VmafMap &map, double value, double most)
{
    return std::clamp((value - map.dark) * most / (map.bright - map.dark), 0.0, most);
}

float map_value(const VmafMap &map, unsigned x, unsigned y)
{
    const auto *const row = reinterpret_cast<const std::byte *>(map.data) + map.stride * static_cast<std::ptrdiff_t>(y);
    return reinterpret_cast<const float *>(row)[x];
}

const bool kMakesPng = true;

std::string png_of_map(const VmafMap &map, MapPixels pixels)
{
    if (pixels == MapPixels::grey)
        return png_of_grey(map.w, map.h, samples_of<std::uint16_t>(map, 65535));
    return png_of_indices(map.w, map.h, samples_of<std::uint8_t>(map, 255), map_palette());
}

} // namespace vmaf::tool
