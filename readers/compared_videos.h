#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/console.h"
#include "frames/frame_loop.h"
#include "input/media.h"
#include "input/video_reader.h"
#include "reading_options.h"

namespace vmaf::tool {

/// What is compared: one or more distorted videos, each with the reference.
struct Videos {
    std::unique_ptr<VideoReader> ref;
    std::vector<std::unique_ptr<VideoReader>> dis;
};

/// Open them and bring them to one form, as far as the options say so. Throws Failure.
/// @param gpu that may decode; null: none.
Videos open_videos(const ReadingOptions &options, std::shared_ptr<MediaGpu> gpu, Warnings &warnings);

/// Throws Failure if they cannot be compared.
void make_comparable(Videos &videos, bool unequal_depths_allowed);

/// To sessions on that GPU, if it decodes one of them. @param decoders several: if all videos can
/// be read again, should that be needed.
void lend_frames(Videos &videos, const std::shared_ptr<MediaGpu> &gpu, DecodersInFlight decoders);

/// See VideoReader.
void leave_out_chroma(Videos &videos);

/// The reference first.
std::vector<VideoReader *> all_of(const Videos &videos);
/// What they say, the reference first.
std::vector<VideoTags> tags_of(const Videos &videos);
/// All of them, from where the options say.
std::vector<FrameSource> sources_of(const Videos &videos, const ReadingOptions &options);

/// The least of what is known (spec cli 10.3).
std::optional<std::uint64_t> expected_frames(const ReadingOptions &options, const Videos &videos);

/// Frames per second, if one of them says.
std::optional<double> frame_rate(const Videos &videos);

/// In words: which video ended, and which one is longer.
std::string end_of_one(const ReadingOptions &options, const EarlyEnd &end);

/// Once everything was read. Throws ScoringStopped where warnings are errors.
void warn_of_damage(const Videos &videos, Warnings &warnings);

} // namespace vmaf::tool
