#pragma once

#include <memory>
#include <string>

#include "common/failure.h"
#include "common/warnings.h"
#include "input/input_options.h"
#include "input/video_reader.h"

/// What needs the media libraries. In a build without them these throw Failure (no_media.cpp).
namespace vmaf::tool {

bool has_media_support();

/// The file's kind is unknown to the media libraries.
class NotMedia : public Failure {
  public:
    explicit NotMedia(const std::string &text) : Failure(kExitSetup, text) {}
};

/// A file of any container and codec, of which the first frame is decoded now.
std::unique_ptr<VideoReader> make_media_reader(InputFile file, const InputOptions &options, Warnings &warnings);

/// Bring both to one size, layout, depth and range, as far as the options say so (spec cli 10.1). Says what it does.
void match_videos(std::unique_ptr<VideoReader> &ref, std::unique_ptr<VideoReader> &dis, const InputOptions &options,
                  Warnings &warnings);

} // namespace vmaf::tool
