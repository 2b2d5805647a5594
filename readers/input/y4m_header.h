#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/frame_planes.h"

namespace vmaf::tool {

constexpr std::string_view kY4mMagic = "YUV4MPEG";
/// Newline included.
constexpr std::size_t kMaxY4mHeaderBytes = 4096;

struct Y4mHeader {
    FileLayout layout;
    std::optional<double> frame_rate; ///< frames per second, if the header says
    std::optional<Range> range;       ///< if the header says
    int pixel_aspect_num = 0;         ///< 0: unknown
    int pixel_aspect_den = 1;
    std::vector<std::string> notes;    ///< things to tell the user
    std::vector<std::string> warnings; ///< the same of what is hardly meant
};

/// Whether the tag that says how chroma is stored is one that parse_y4m_header accepts, or missing.
bool is_known_chroma(std::string_view line);

/// Whether frames have alpha.
bool has_alpha_y4m(std::string_view line);

/// Whether it says that frames hold two fields.
bool is_interlaced_y4m(std::string_view line);

/// @param line the first line of a YUV4MPEG2 file without its newline (spec cli 3.2). Throws
/// Failure.
Y4mHeader parse_y4m_header(std::string_view line);

} // namespace vmaf::tool
