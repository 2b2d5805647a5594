#include "comparison/pairing.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr double kMostSeconds = 100'000;
constexpr double kMostFrames = 10'000'000;

/// The sum, at most 4294967295. No video has more frames.
unsigned sum(unsigned a, unsigned b)
{
    return a > std::numeric_limits<unsigned>::max() - b ? std::numeric_limits<unsigned>::max() : a + b;
}

} // namespace

std::optional<Alignment> parse_alignment(std::string_view text)
{
    if (text == "off")
        return Alignment::off;
    if (text == "check")
        return Alignment::check;
    if (text == "offset")
        return Alignment::offset;
    if (text == "frames")
        return Alignment::frames;
    return std::nullopt;
}

std::optional<FrameOffset> parse_frame_offset(std::string_view text)
{
    FrameOffset offset;
    if (text.starts_with('+'))
        text.remove_prefix(1);
    offset.is_in_seconds = text.ends_with('s');
    if (offset.is_in_seconds)
        text.remove_suffix(1);
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), offset.value, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(offset.value))
        return std::nullopt;
    if (std::abs(offset.value) > (offset.is_in_seconds ? kMostSeconds : kMostFrames))
        return std::nullopt;
    if (!offset.is_in_seconds && offset.value != std::trunc(offset.value))
        return std::nullopt;
    return offset;
}

std::string frame_offset_text(const FrameOffset &offset)
{
    return formatted("{:g}{}", offset.value, offset.is_in_seconds ? "s" : "");
}

std::string lag_text(int lag)
{
    const unsigned frames = lag < 0 ? 0U - static_cast<unsigned>(lag) : static_cast<unsigned>(lag);
    return formatted("{} {}", counted(frames, "frame"), lag < 0 ? "early" : "late");
}

std::string step_text(int lag)
{
    return lag == 0 ? "in step" : lag_text(lag);
}

FrameSkips skips_with(int lag, const FrameSkips &skips)
{
    if (lag < 0)
        return {sum(skips.ref, 0U - static_cast<unsigned>(lag)), skips.dis};
    return {skips.ref, sum(skips.dis, static_cast<unsigned>(lag))};
}

int frames_of(const FrameOffset &offset, std::optional<double> frame_rate)
{
    if (!offset.is_in_seconds)
        return static_cast<int>(offset.value);
    if (!frame_rate)
        throw Failure(kExitSetup, formatted("--offset {}: the videos say no frame rate, so give the offset in frames",
                                            frame_offset_text(offset)));
    const double frames = std::round(offset.value * *frame_rate);
    if (std::abs(frames) > kMostFrames)
        throw Failure(kExitSetup, formatted("--offset {} is too large", frame_offset_text(offset)));
    return static_cast<int>(frames);
}

} // namespace vmaf::tool
