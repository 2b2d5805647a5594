#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "input/frame_planes.h"

/// What speaks against a raw video being what the command line says, with the cure in the text; empty: nothing does.
namespace vmaf::tool {

/// @param start the first bytes of the file.
std::optional<std::string> doubt_about_start(std::string_view start);

std::optional<std::string> doubt_about_size(std::uint64_t file_bytes, const FileLayout &layout);

/// @param picture a frame with its chroma.
std::optional<std::string> doubt_about_samples(const VmafPicture &picture, const FileLayout &layout);

} // namespace vmaf::tool
