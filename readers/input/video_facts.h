#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "input/video_reader.h"

namespace vmaf::tool {

/// Facts about a video for reports.
struct VideoFacts {
    std::string path;
    VideoFormat format;
    std::string codec; ///< as libavcodec calls it; empty: unknown or none
    std::optional<double> frames_per_second;
    std::optional<std::uint64_t> encoded_bytes; ///< size of a compressed file; empty for raw frames
    std::optional<double> bits_per_second;      ///< rate of the packets that were read; empty for raw frames
    std::vector<std::string> conversions;       ///< made before scoring, a line each
};

VideoFacts video_facts(const VideoReader &video);

/// The members of "reference" and "distorted" (spec cli 10.7).
nlohmann::ordered_json json_of(const VideoFacts &video);
/// The members of "scored".
nlohmann::ordered_json json_of(const VideoFormat &format);

/// "reference", "distorted" and "scored" of a pair, as an object. @param ref in the form that is
/// compared.
std::string video_facts_json(const VideoReader &ref, const VideoReader &dis);

} // namespace vmaf::tool
