#include "comparison/bars.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace vmaf::tool {
namespace {

/// Width of the area in which compression blurs the edge of a bar.
unsigned blur_px(unsigned picture_px)
{
    return std::max(8U, picture_px / 64);
}

template <class Sample> const Sample *row_of(const VmafPicture &frame, unsigned y)
{
    return reinterpret_cast<const Sample *>(static_cast<const std::byte *>(frame.data[0]) +
                                            static_cast<std::ptrdiff_t>(y) * frame.stride[0]);
}

/// Empty: the frame is black.
template <class Sample> std::optional<Crop> content_of(const VmafPicture &frame, unsigned limit)
{
    const unsigned width = frame.w[0];
    const auto is_content = [limit](Sample sample) { return sample > limit; };
    const auto has_content = [&](unsigned y) {
        const Sample *const row = row_of<Sample>(frame, y);
        return std::any_of(row, row + width, is_content);
    };
    unsigned top = 0, bottom = frame.h[0];
    while (top < bottom && !has_content(top))
        ++top;
    if (top == bottom)
        return std::nullopt;
    while (!has_content(bottom - 1))
        --bottom;
    unsigned left = width, right = 0;
    for (unsigned y = top; y < bottom; ++y) {
        const Sample *const row = row_of<Sample>(frame, y);
        left = static_cast<unsigned>(std::find_if(row, row + left, is_content) - row);
        while (right < width && std::any_of(row + right, row + width, is_content))
            right = static_cast<unsigned>(std::find_if(row + right, row + width, is_content) - row) + 1;
    }
    return Crop{left, top, right - left, bottom - top};
}

/// One edge of the contents of all frames: the outermost, if enough frames come near it. Others
/// are the edges of something in the picture, such as credits.
unsigned constant_edge(const std::vector<unsigned> &bars, unsigned picture_px)
{
    constexpr std::size_t kShare = 4;
    const unsigned least = *std::ranges::min_element(bars);
    const auto is_near = [&](unsigned bar) { return bar - least <= blur_px(picture_px); };
    return static_cast<std::size_t>(std::ranges::count_if(bars, is_near)) * kShare >= bars.size() ? least : 0;
}

/// A side of two pictures along one direction.
struct FrameSide {
    unsigned ref_px, dis_px;     ///< sizes of the whole pictures
    unsigned ref_step, dis_step; ///< steps between chroma samples
};

struct Interval {
    unsigned first, end;
};

/// Whether two intervals differ only as blurred edges do: one contains the other.
bool are_close(const FrameSide &side, const Interval &ref, const Interval &dis)
{
    const auto brought = [&](unsigned edge) { return static_cast<double>(edge) * side.dis_px / side.ref_px; };
    const double before = brought(ref.first) - dis.first;
    const double behind = dis.end - brought(ref.end);
    const double most = blur_px(side.dis_px);
    const bool dis_is_larger = before >= -1 && behind >= -1, ref_is_larger = before <= 1 && behind <= 1;
    return (dis_is_larger || ref_is_larger) && std::abs(before) <= most && std::abs(behind) <= most;
}

/// The same edge in the distorted picture; empty: it is between two samples of luma or chroma.
std::optional<unsigned> same_edge(const FrameSide &side, unsigned ref)
{
    const std::uint64_t product = std::uint64_t{ref} * side.dis_px;
    const auto dis = static_cast<unsigned>(product / side.ref_px);
    const bool is_even =
        (ref == side.ref_px || ref % side.ref_step == 0) && (dis == side.dis_px || dis % side.dis_step == 0);
    return product % side.ref_px == 0 && is_even ? std::optional(dis) : std::nullopt;
}

/// Moves both inwards to where they agree. False: nowhere near.
bool align(const FrameSide &side, Interval &ref, Interval &dis)
{
    if (!are_close(side, ref, dis))
        return false;
    Interval inner = ref;
    const unsigned most = 2 * blur_px(side.ref_px);
    while (!same_edge(side, inner.first) && inner.first - ref.first < most)
        ++inner.first;
    while (!same_edge(side, inner.end) && ref.end - inner.end < most && inner.end > inner.first)
        --inner.end;
    const auto first = same_edge(side, inner.first), end = same_edge(side, inner.end);
    if (!first || !end || *first >= *end)
        return false;
    ref = inner;
    dis = {*first, *end};
    return true;
}

} // namespace

BarFinder::BarFinder(const PictureForm &form) : form_(form), limit_(black_limit(form.format.depth, form.range)) {}

void BarFinder::add(const VmafPicture &frame)
{
    const auto content =
        frame.bpc > 8 ? content_of<std::uint16_t>(frame, limit_) : content_of<std::uint8_t>(frame, limit_);
    if (content)
        contents_.push_back(*content);
}

FoundPicture BarFinder::found() const
{
    const VideoFormat &format = form_.format;
    if (contents_.size() < kLeastBarFrames)
        return {frames(), whole_picture(format)};
    const auto edge = [&](unsigned picture_px, auto bar_of) {
        std::vector<unsigned> bars;
        for (const Crop &content : contents_)
            bars.push_back(bar_of(content));
        return constant_edge(bars, picture_px);
    };
    const unsigned width = format.width_px, height = format.height_px;
    const unsigned left = edge(width, [](const Crop &content) { return content.x; });
    const unsigned top = edge(height, [](const Crop &content) { return content.y; });
    const unsigned right = edge(width, [=](const Crop &content) { return width - content.x - content.width_px; });
    const unsigned bottom = edge(height, [=](const Crop &content) { return height - content.y - content.height_px; });
    return {frames(), {left, top, width - left - right, height - top - bottom}};
}

Pictures aligned_pictures(const Pictures &found, const VideoFormat &ref_format, const VideoFormat &dis_format)
{
    const auto &[ref, dis] = found;
    const ChromaStep ref_step = chroma_step(ref_format.pix_fmt), dis_step = chroma_step(dis_format.pix_fmt);
    Interval ref_columns{ref.x, ref.x + ref.width_px}, ref_rows{ref.y, ref.y + ref.height_px};
    Interval dis_columns{dis.x, dis.x + dis.width_px}, dis_rows{dis.y, dis.y + dis.height_px};
    if (!align({ref_format.width_px, dis_format.width_px, ref_step.columns, dis_step.columns}, ref_columns,
               dis_columns) ||
        !align({ref_format.height_px, dis_format.height_px, ref_step.rows, dis_step.rows}, ref_rows, dis_rows))
        return found;
    const auto crop = [](const Interval &columns, const Interval &rows) {
        return Crop{columns.first, rows.first, columns.end - columns.first, rows.end - rows.first};
    };
    return {crop(ref_columns, ref_rows), crop(dis_columns, dis_rows)};
}

} // namespace vmaf::tool
