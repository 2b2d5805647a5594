#include "input/compatibility.h"

#include <cmath>

#include "common/format.h"

namespace vmaf::tool {

std::vector<std::string> incompatibilities(const VideoFormat &ref, const VideoFormat &dis, bool unequal_depths_allowed)
{
    std::vector<std::string> problems;
    if (ref.width_px != dis.width_px || ref.height_px != dis.height_px)
        problems.push_back(formatted("dimensions do not match: {}x{}, {}x{}", ref.width_px, ref.height_px, dis.width_px,
                                     dis.height_px));
    if (ref.pix_fmt != dis.pix_fmt)
        problems.push_back(formatted("pixel formats do not match: {}, {}", pixel_format_text(ref.pix_fmt),
                                     pixel_format_text(dis.pix_fmt)));
    if (ref.depth != dis.depth && !unequal_depths_allowed)
        problems.push_back(formatted("bitdepths do not match: {}, {}", ref.depth, dis.depth));
    return problems;
}

bool rates_differ(std::optional<double> ref_fps, std::optional<double> dis_fps)
{
    constexpr double kLargestDifference = 0.0005; // 24 and 23.976 differ by 0.001
    return ref_fps && dis_fps && !(std::abs(*ref_fps / *dis_fps - 1) <= kLargestDifference);
}

std::optional<std::string> doubt_about_rates(std::optional<double> ref_fps, std::optional<double> dis_fps)
{
    if (!rates_differ(ref_fps, dis_fps))
        return std::nullopt;
    return formatted(
        "frame rates differ: {:.6g} and {:.6g}; frames are compared by number, so out of step if these are true: "
        "convert one video to the other's rate first (ffmpeg's filter fps)",
        *ref_fps, *dis_fps);
}

} // namespace vmaf::tool
