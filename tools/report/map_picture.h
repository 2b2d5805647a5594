#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "libvmaf/libvmaf_ext.h"
#include "report/png.h"

namespace vmaf::tool {

/// How pictures of maps show values.
enum class MapPixels {
    colours, ///< a palette of increasing brightness: 8 bits
    grey     ///< 16 bits
};

/// Viridis of matplotlib (CC0): its lightness grows evenly.
std::array<Rgb, 256> map_palette();

/// Where a value is between VmafMap.dark, 0, and VmafMap.bright, `most`. Values beyond both are cut
/// off.
double map_level(const VmafMap &map, double value, double most);

/// The value at a place of a map.
float map_value(const VmafMap &map, unsigned x, unsigned y);

/// Whether this build makes PNG files: it has zlib.
extern const bool kMakesPng;

/// A map as a PNG file, from VmafMap.dark, the first colour or 0, to VmafMap.bright, the last or
/// 65535. Values beyond both are cut off. Throws std::bad_alloc.
std::string png_of_map(const VmafMap &map, MapPixels pixels);

} // namespace vmaf::tool
