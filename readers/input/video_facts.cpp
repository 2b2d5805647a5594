#include "input/video_facts.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace vmaf::tool {

using nlohmann::ordered_json;

VideoFacts video_facts(const VideoReader &video)
{
    VideoFacts facts;
    facts.path = video.file().path();
    facts.format = video.stored_format();
    facts.codec = video.tags().codec;
    if (video.tags().is_media)
        facts.encoded_bytes = video.file().size_bytes();
    facts.conversions = video.conversions();
    facts.frames_per_second = video.frame_rate();
    if (const auto bits = video.bits_per_frame(); bits && facts.frames_per_second)
        facts.bits_per_second = *bits * *facts.frames_per_second;
    return facts;
}

ordered_json json_of(const VideoFormat &format)
{
    return {{"width", format.width_px},
            {"height", format.height_px},
            {"pixel_format", pixel_format_text(format.pix_fmt)},
            {"bitdepth", format.depth}};
}

ordered_json json_of(const VideoFacts &video)
{
    const auto or_null = [](const std::optional<double> &number) {
        return number && std::isfinite(*number) ? ordered_json(*number) : ordered_json();
    };
    ordered_json result{{"path", video.path}};
    result.update(json_of(video.format));
    result["fps"] = or_null(video.frames_per_second);
    if (!video.codec.empty())
        result["codec"] = video.codec;
    if (video.encoded_bytes)
        result["bytes"] = *video.encoded_bytes;
    if (video.bits_per_second)
        result["bitrate"] = or_null(video.bits_per_second);
    return result;
}

std::string video_facts_json(const VideoReader &ref, const VideoReader &dis)
{
    const ordered_json facts{{"reference", json_of(video_facts(ref))},
                             {"distorted", json_of(video_facts(dis))},
                             {"scored", json_of(ref.format())}};
    return facts.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

} // namespace vmaf::tool
