#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cli/options.h"
#include "common/warnings.h"
#include "input/media.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// What is compared: one or more distorted videos, each with the reference.
struct Videos {
    std::unique_ptr<VideoReader> ref;
    std::vector<std::unique_ptr<VideoReader>> dis;
};

/// The session's GPU, which is the only one that the driver shows; null: videos are decoded in software.
std::shared_ptr<MediaGpu> gpu_to_decode(const Options &options);

/// Open them and bring them to one form, as far as the options say so. Throws Failure.
/// @param gpu that may decode; null: none.
Videos open_videos(const Options &options, std::shared_ptr<MediaGpu> gpu, Warnings &warnings);

/// To sessions on that GPU, if it decodes one of them. @param decoders several: if all videos can be read again, should that be needed.
void lend_frames(Videos &videos, const std::shared_ptr<MediaGpu> &gpu, DecodersInFlight decoders);

/// Throws Failure if they cannot be compared.
void make_comparable(Videos &videos, bool unequal_depths_allowed, Warnings &warnings);

void leave_out_what_nobody_reads(Videos &videos, const Selection &selection);

/// What must not be written over.
std::vector<FileStatus> files_read(const Options &options, const Videos &videos);

/// The least of what is known (spec cli 10.3).
std::optional<std::uint64_t> expected_frames(const Options &options, const Videos &videos);

/// Frames per second, if one of them says.
std::optional<double> frame_rate(const Videos &videos);

} // namespace vmaf::tool
