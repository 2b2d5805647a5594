#pragma once

#include <string>
#include <vector>

#include "input/input_options.h"
#include "input/media/converting_reader.h"

namespace vmaf::tool {

/// What one side is to deliver.
struct Delivery {
    CommonFormat format;
    ConvertingReader::OtherSizes other_sizes = ConvertingReader::OtherSizes::are_errors;
    std::vector<std::string> conversions; ///< what that takes
};

struct Match {
    Delivery ref;
    Delivery dis;
    std::vector<std::string> notes;    ///< conversions to tell the user, a line each
    std::vector<std::string> warnings; ///< likewise, of what may well not be meant
};

/// How two videos are brought together (spec cli 10.1, "Scaling" and "Pixel format").
/// @param any_media at least one of them is neither raw nor Y4M.
Match match_formats(const CommonFormat &ref, const CommonFormat &dis, const InputOptions &options, bool any_media);

/// What their tags say against comparing them, a line each.
std::vector<std::string> tag_warnings(const VideoTags &ref, const VideoTags &dis);

} // namespace vmaf::tool
