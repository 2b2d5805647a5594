#include "input/crop.h"

#include <array>
#include <charconv>

#include "common/format.h"

namespace vmaf::tool {
namespace {

/// Four numbers with a mark between them; empty: the text is something else.
std::optional<std::array<unsigned, 4>> four_numbers(std::string_view text, char mark)
{
    std::array<unsigned, 4> numbers{};
    const char *at = text.data();
    const char *const end = at + text.size();
    for (unsigned &number : numbers) {
        const auto [next, error] = std::from_chars(at, end, number);
        const bool is_last = &number == &numbers.back();
        if (error != std::errc{} || number > kMaxDimensionPx || (next == end) != is_last || (!is_last && *next != mark))
            return std::nullopt;
        at = is_last ? next : next + 1;
    }
    return numbers;
}

struct Interval {
    unsigned first, count;
};

/// The picture's own end is as good as an even one.
Interval inward(Interval of, unsigned step, unsigned picture_px)
{
    const unsigned first = (of.first + step - 1) / step * step;
    const unsigned end = of.first + of.count;
    const unsigned last = end == picture_px ? end : end / step * step;
    return {first, last > first ? last - first : 0};
}

bool is_inside(unsigned first, unsigned count, unsigned picture_px)
{
    return count > 0 && first < picture_px && count <= picture_px - first;
}

ResolvedCrop inside(const CropOption &option, const VideoFormat &format, std::string_view name)
{
    if (option.kind == CropOption::Kind::borders) {
        if (option.left + option.right < format.width_px && option.top + option.bottom < format.height_px)
            return {{option.left, option.top, format.width_px - option.left - option.right,
                     format.height_px - option.top - option.bottom},
                    {}};
        return {
            {},
            formatted("{} {},{},{},{} leaves nothing of a picture of {}x{}: L,R,T,B are columns and rows to cut off",
                      name, option.left, option.right, option.top, option.bottom, format.width_px, format.height_px)};
    }
    const Crop &crop = option.rectangle;
    if (is_inside(crop.x, crop.width_px, format.width_px) && is_inside(crop.y, crop.height_px, format.height_px))
        return {crop, {}};
    return {{},
            formatted("{} {} is not inside a picture of {}x{}: W+X may be {} at most, H+Y {}", name, crop_text(crop),
                      format.width_px, format.height_px, format.width_px, format.height_px)};
}

} // namespace

std::string crop_text(const Crop &crop)
{
    return formatted("{}:{}:{}:{}", crop.width_px, crop.height_px, crop.x, crop.y);
}

std::optional<CropOption> parse_crop(std::string_view text)
{
    using Kind = CropOption::Kind;
    if (text == "none")
        return CropOption{};
    if (text == "auto")
        return CropOption{.kind = Kind::automatic};
    if (const auto numbers = four_numbers(text, ':')) {
        const auto [width, height, x, y] = *numbers;
        return CropOption{.kind = Kind::rectangle, .rectangle = {x, y, width, height}};
    }
    if (const auto numbers = four_numbers(text, ',')) {
        const auto [left, right, top, bottom] = *numbers;
        return CropOption{.kind = Kind::borders, .left = left, .right = right, .top = top, .bottom = bottom};
    }
    return std::nullopt;
}

Crop whole_picture(const VideoFormat &format)
{
    return {0, 0, format.width_px, format.height_px};
}

ChromaStep chroma_step(VmafPixelFormat pix_fmt)
{
    const bool halves_columns = pix_fmt == VMAF_PIX_FMT_YUV420P || pix_fmt == VMAF_PIX_FMT_YUV422P;
    return {halves_columns ? 2U : 1U, pix_fmt == VMAF_PIX_FMT_YUV420P ? 2U : 1U};
}

Crop rounded_inward(const Crop &crop, const VideoFormat &format)
{
    const ChromaStep step = chroma_step(format.pix_fmt);
    const Interval columns = inward({crop.x, crop.width_px}, step.columns, format.width_px);
    const Interval rows = inward({crop.y, crop.height_px}, step.rows, format.height_px);
    return {columns.first, rows.first, columns.count, rows.count};
}

ResolvedCrop resolve_crop(const CropOption &option, const VideoFormat &format, std::string_view name)
{
    ResolvedCrop resolved = inside(option, format, name);
    if (!resolved.problem.empty())
        return resolved;
    const Crop even = rounded_inward(resolved.crop, format);
    if (even == resolved.crop)
        return resolved;
    resolved.problem = formatted("{} {}: {} has to begin and end on even {}", name, crop_text(resolved.crop),
                                 pixel_format_text(format.pix_fmt),
                                 format.pix_fmt == VMAF_PIX_FMT_YUV420P ? "columns and rows" : "columns");
    if (even.width_px > 0 && even.height_px > 0)
        resolved.problem += formatted(": {} {}", name, crop_text(even));
    return resolved;
}

} // namespace vmaf::tool
