#include "comparison/frame_rates.h"

#include <cmath>
#include <string_view>

#include "common/format.h"

namespace vmaf::tool {
namespace {

/// The text quoted as one word of a shell command.
std::string quoted(std::string_view word)
{
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:@%/";
    if (!word.empty() && word.find_first_not_of(kPlain) == word.npos)
        return std::string(word);
    std::string text = "'";
    for (const char letter : word)
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

/// The rate as text for ffmpeg: rates of NTSC are fractions.
std::string exact_rate(double fps)
{
    constexpr double kRounding = 1e-5;
    const double ntsc = std::round(fps * 1.001);
    if (std::abs(fps / std::round(fps) - 1) > kRounding && std::abs(fps * 1.001 / ntsc - 1) <= kRounding)
        return formatted("{:.0f}000/1001", ntsc);
    return formatted("{:.6g}", fps);
}

std::string without_extension(const std::string &path)
{
    const std::size_t dot = path.rfind('.');
    const std::size_t slash = path.rfind('/');
    const std::size_t name = slash == path.npos ? 0 : slash + 1;
    return dot == path.npos || dot <= name ? path : path.substr(0, dot);
}

} // namespace

bool rates_differ(std::optional<double> ref_fps, std::optional<double> dis_fps)
{
    constexpr double kLargestDifference = 0.0005; // 24 and 23.976 differ by 0.001
    return ref_fps && dis_fps && !(std::abs(*ref_fps / *dis_fps - 1) <= kLargestDifference);
}

std::string rate_text(const VideoDescription &video)
{
    return formatted("{:.6g}{}", *video.frame_rate, video.tags.has_variable_rate ? " (variable frame rate)" : "");
}

std::string converting_command(const VideoDescription &video, double fps)
{
    const std::string made = formatted("{}_{:.6g}fps.mkv", without_extension(video.name), fps);
    return formatted("ffmpeg -i {} -vf fps={} -c:v ffv1 {}", quoted(video.name), exact_rate(fps), quoted(made));
}

std::string converting_command(const VideoDescription &ref, const VideoDescription &dis)
{
    const bool one_varies = ref.tags.has_variable_rate != dis.tags.has_variable_rate;
    const bool is_ref = one_varies ? ref.tags.has_variable_rate : *ref.frame_rate > *dis.frame_rate;
    return is_ref ? converting_command(ref, *dis.frame_rate) : converting_command(dis, *ref.frame_rate);
}

} // namespace vmaf::tool
