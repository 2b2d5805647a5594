#pragma once

#include <memory>
#include <string>

#include "common/warnings.h"
#include "input/input_options.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// "-" is standard input. Throws Failure.
InputFile open_input(const std::string &path, const InputOptions &options);

/// Find out what the file is and read its header. Throws Failure.
std::unique_ptr<VideoReader> open_video(InputFile file, ContainerFormat format, const InputOptions &options,
                                        Warnings &warnings);

} // namespace vmaf::tool
