#include "input/media/common_format.h"

#include <algorithm>
#include <cstdint>

#include "common/format.h"

namespace vmaf::tool {
namespace {

using OtherSizes = ConvertingReader::OtherSizes;

ScaleOption::Kind scaling(const ScaleOption &option, bool any_media)
{
    if (option.kind != ScaleOption::Kind::automatic)
        return option.kind;
    return any_media ? ScaleOption::Kind::reference : ScaleOption::Kind::none;
}

bool is_gray(const CommonFormat &video)
{
    return video.format.pix_fmt == VMAF_PIX_FMT_YUV400P;
}

const char *range_text(bool full_range)
{
    return full_range ? "full" : "limited";
}

void convert(Match &match, const char *side, Delivery &video, const std::string &text)
{
    match.notes.push_back(formatted("{}: {}", side, text));
    video.conversions.push_back(text);
}

void match_sizes(Match &match, const InputOptions &options, bool any_media)
{
    const char *const how = options.scaler == ScalerChoice::integer ? "bicubic, in integers" : "bicubic";
    const auto scale_to = [&match, how](const char *side, Delivery &video, unsigned width_px, unsigned height_px) {
        VideoFormat &format = video.format.format;
        if (format.width_px != width_px || format.height_px != height_px)
            convert(
                match, side, video,
                formatted("{}x{} scaled to {}x{} ({})", format.width_px, format.height_px, width_px, height_px, how));
        format.width_px = width_px;
        format.height_px = height_px;
        video.other_sizes = OtherSizes::are_scaled;
    };
    switch (scaling(options.scale, any_media)) {
    case ScaleOption::Kind::reference:
        return scale_to("distorted", match.dis, match.ref.format.format.width_px, match.ref.format.format.height_px);
    case ScaleOption::Kind::size:
        scale_to("reference", match.ref, options.scale.width_px, options.scale.height_px);
        return scale_to("distorted", match.dis, options.scale.width_px, options.scale.height_px);
    case ScaleOption::Kind::none:
    case ScaleOption::Kind::automatic:
        return;
    }
}

void match_layouts(Match &match, const PixelFormatOption &option, bool any_media)
{
    const VideoFormat &ref = match.ref.format.format;
    const VideoFormat &dis = match.dis.format.format;
    VideoFormat common = ref;
    if (option.kind == PixelFormatOption::Kind::named) {
        common.pix_fmt = option.pix_fmt;
        common.depth = option.depth;
    } else if (option.kind == PixelFormatOption::Kind::none || !any_media) {
        return;
    } else {
        common.pix_fmt = is_gray(match.dis.format) ? VMAF_PIX_FMT_YUV400P : ref.pix_fmt;
        common.depth = std::max(ref.depth, dis.depth);
    }
    const std::string fate = common.pix_fmt == VMAF_PIX_FMT_YUV400P
                                 ? "left out"
                                 : formatted("scaled to {}", pixel_format_text(common.pix_fmt));
    const auto bring = [&](const char *side, Delivery &video) {
        VideoFormat &format = video.format.format;
        if (format.pix_fmt != common.pix_fmt)
            convert(match, side, video, formatted("chroma {} is {}", pixel_format_text(format.pix_fmt), fate));
        if (format.depth != common.depth)
            video.conversions.push_back(formatted("{} bits are made {}", format.depth, common.depth));
        format.pix_fmt = common.pix_fmt;
        format.depth = common.depth;
    };
    bring("reference", match.ref);
    bring("distorted", match.dis);
}

void match_ranges(Match &match)
{
    const bool range = match.ref.format.full_range;
    if (match.dis.format.full_range != range) {
        const std::string text =
            formatted("{} range is converted to the reference's {} range", range_text(!range), range_text(range));
        match.dis.conversions.push_back(text);
        match.warnings.push_back("distorted: " + text);
    }
    match.dis.format.full_range = range;
}

bool are_different_aspects(const VideoTags &a, const VideoTags &b)
{
    return a.pixel_aspect_num > 0 && b.pixel_aspect_num > 0 &&
           std::int64_t{a.pixel_aspect_num} * b.pixel_aspect_den !=
               std::int64_t{b.pixel_aspect_num} * a.pixel_aspect_den;
}

} // namespace

Match match_formats(const CommonFormat &ref, const CommonFormat &dis, const InputOptions &options, bool any_media)
{
    Match match;
    match.ref.format = ref;
    match.dis.format = dis;
    match_sizes(match, options, any_media);
    match_layouts(match, options.pix_fmt, any_media);
    match_ranges(match);
    return match;
}

std::vector<std::string> tag_warnings(const VideoTags &ref, const VideoTags &dis)
{
    std::vector<std::string> lines;
    const auto compare = [&lines](const char *what, const std::string &a, const std::string &b) {
        if (!a.empty() && !b.empty() && a != b)
            lines.push_back(formatted("{} differ: {} and {}; nothing is converted", what, a, b));
    };
    compare("matrices", ref.matrix, dis.matrix);
    compare("primaries", ref.primaries, dis.primaries);
    compare("transfer functions", ref.transfer, dis.transfer);
    if (are_different_aspects(ref, dis))
        lines.push_back(formatted("aspect ratios of pixels differ: {}:{} and {}:{}; they are ignored",
                                  ref.pixel_aspect_num, ref.pixel_aspect_den, dis.pixel_aspect_num,
                                  dis.pixel_aspect_den));
    return lines;
}

} // namespace vmaf::tool
