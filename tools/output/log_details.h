#pragma once

#include <string>

#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// Whether score files of that kind have room for more than scores.
constexpr bool has_room_for_details(VmafOutputFormat format)
{
    return format == VMAF_OUTPUT_FORMAT_XML || format == VMAF_OUTPUT_FORMAT_JSON;
}

/// A score file's text with more about its run (spec cli 10.2): JSON as the member "details", XML as a comment.
/// @param details a JSON value.
std::string add_details(std::string text, VmafOutputFormat format, std::string details);

} // namespace vmaf::tool
