#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/console.h"
#include "input/frame_planes.h"
#include "input/input_options.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// "-" is standard input. Throws Failure.
InputFile open_input(const std::string &path, const InputOptions &options);

/// Numbered images, a file each: "frame_%04d.png". They are not opened as one file.
bool is_image_sequence(const InputFile &file);

/// Find out what the file is and read its header. Throws Failure.
std::unique_ptr<VideoReader> open_video(InputFile file, const SideOptions &side, const InputOptions &options,
                                        Warnings &warnings);

/// The warning that a raw video does not look as the command line says, with the cure; empty: none
/// does.
/// @param start the first bytes of the file.
std::optional<std::string> doubt_about_start(std::string_view start);

std::optional<std::string> doubt_about_size(std::uint64_t file_bytes, const FileLayout &layout);

/// @param picture a frame with its chroma.
std::optional<std::string> doubt_about_samples(const VmafPicture &picture, const FileLayout &layout);

} // namespace vmaf::tool
