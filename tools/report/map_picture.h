#pragma once

#include <string>

#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

/// How pictures of maps show values.
enum class MapPixels {
    colours, ///< of a palette, always brighter: 8 bits
    grey     ///< 16 bits
};

/// Whether this build makes PNG files: it has zlib.
extern const bool kMakesPng;

/// A map as a PNG file, from VmafMap.dark, the first colour or 0, to VmafMap.bright, the last or
/// 65535. Values beyond both are cut off. Throws std::bad_alloc.
std::string png_of_map(const VmafMap &map, MapPixels pixels);

} // namespace vmaf::tool
