#include "input/media/pixel_layout.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "common/format.h"

namespace vmaf::tool {
namespace {

static_assert(std::endian::native == std::endian::little, "pictures hold little-endian samples");

constexpr std::uint64_t kNeverSupported = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER;

bool has(const AVPixFmtDescriptor &format, std::uint64_t flags)
{
    return (format.flags & flags) != 0;
}

int colour_components(const AVPixFmtDescriptor &format)
{
    return format.nb_components - (has(format, AV_PIX_FMT_FLAG_ALPHA) ? 1 : 0);
}

/// 9 bits are held as 10, 14 as 16; 0: not supported.
unsigned held_depth(int stored_depth)
{
    switch (stored_depth) {
    case 8:
    case 10:
    case 12:
    case 16:
        return static_cast<unsigned>(stored_depth);
    case 9:
        return 10;
    case 14:
        return 16;
    default:
        return 0;
    }
}

/// Depth that RGB samples are read with; binary32 samples have the largest one.
unsigned rgb_depth(const AVPixFmtDescriptor &format)
{
    int depth = 8;
    for (int i = 0; i < colour_components(format); ++i)
        depth = std::max(depth, format.comp[i].depth);
    return depth > 16 ? 16 : held_depth(depth);
}

std::optional<PixelLayout> rgb_layout(const AVPixFmtDescriptor &format)
{
    PixelLayout layout;
    layout.pix_fmt = VMAF_PIX_FMT_YUV444P;
    layout.depth = rgb_depth(format);
    layout.rgb = true;
    if (layout.depth == 0 || has(format, AV_PIX_FMT_FLAG_BITSTREAM))
        return std::nullopt;
    return layout;
}

struct ChromaSize {
    int log2_width, log2_height; ///< ratios of luma to chroma
    VmafPixelFormat pix_fmt;
    bool resize;
};
constexpr ChromaSize kChromaSizes[] = {
    {1, 1, VMAF_PIX_FMT_YUV420P, false}, {1, 0, VMAF_PIX_FMT_YUV422P, false}, {0, 0, VMAF_PIX_FMT_YUV444P, false},
    {2, 2, VMAF_PIX_FMT_YUV420P, true},  {2, 0, VMAF_PIX_FMT_YUV422P, true},  {0, 1, VMAF_PIX_FMT_YUV444P, true},
};

/// Every sample of a component is as far from the next one as the descriptor says. Formats that
/// pack several luma samples around one pair of chroma samples at uneven distances (uyyvyy411) are
/// not.
bool has_even_steps(const AVPixFmtDescriptor &format)
{
    return has(format, AV_PIX_FMT_FLAG_PLANAR) || format.comp[1].step == format.comp[0].step << format.log2_chroma_w;
}

/// The descriptor calls the components of CIE XYZ as it calls those of YUV.
bool is_xyz(const AVPixFmtDescriptor &format)
{
    return std::string_view(format.name).starts_with("xyz");
}

/// Planar, semi-planar or packed, with or without alpha, either byte order.
std::optional<PixelLayout> yuv_layout(const AVPixFmtDescriptor &format)
{
    PixelLayout layout;
    const int components = colour_components(format);
    const int stored_depth = format.comp[0].depth;
    const bool equal_depths = std::all_of(format.comp, format.comp + components,
                                          [&](const auto &component) { return component.depth == stored_depth; });
    layout.depth = held_depth(stored_depth);
    if (layout.depth == 0 || !equal_depths || has(format, AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_FLOAT))
        return std::nullopt;
    layout.left_shift = layout.depth - static_cast<unsigned>(stored_depth);
    layout.full_range = std::string_view(format.name).starts_with("yuvj");
    if (components == 1) {
        layout.pix_fmt = VMAF_PIX_FMT_YUV400P;
        return layout;
    }
    const auto *chroma = std::ranges::find_if(kChromaSizes, [&](const ChromaSize &size) {
        return size.log2_width == format.log2_chroma_w && size.log2_height == format.log2_chroma_h;
    });
    if (components != 3 || !has_even_steps(format) || is_xyz(format) || chroma == std::end(kChromaSizes))
        return std::nullopt;
    layout.pix_fmt = chroma->pix_fmt;
    layout.resize_chroma = chroma->resize;
    return layout;
}

struct PlanarFormat {
    VmafPixelFormat pix_fmt;
    unsigned depth;
    AVPixelFormat format;
};
constexpr PlanarFormat kPlanarFormats[] = {
    {VMAF_PIX_FMT_YUV400P, 8, AV_PIX_FMT_GRAY8},        {VMAF_PIX_FMT_YUV400P, 10, AV_PIX_FMT_GRAY10LE},
    {VMAF_PIX_FMT_YUV400P, 12, AV_PIX_FMT_GRAY12LE},    {VMAF_PIX_FMT_YUV400P, 16, AV_PIX_FMT_GRAY16LE},
    {VMAF_PIX_FMT_YUV420P, 8, AV_PIX_FMT_YUV420P},      {VMAF_PIX_FMT_YUV420P, 10, AV_PIX_FMT_YUV420P10LE},
    {VMAF_PIX_FMT_YUV420P, 12, AV_PIX_FMT_YUV420P12LE}, {VMAF_PIX_FMT_YUV420P, 16, AV_PIX_FMT_YUV420P16LE},
    {VMAF_PIX_FMT_YUV422P, 8, AV_PIX_FMT_YUV422P},      {VMAF_PIX_FMT_YUV422P, 10, AV_PIX_FMT_YUV422P10LE},
    {VMAF_PIX_FMT_YUV422P, 12, AV_PIX_FMT_YUV422P12LE}, {VMAF_PIX_FMT_YUV422P, 16, AV_PIX_FMT_YUV422P16LE},
    {VMAF_PIX_FMT_YUV444P, 8, AV_PIX_FMT_YUV444P},      {VMAF_PIX_FMT_YUV444P, 10, AV_PIX_FMT_YUV444P10LE},
    {VMAF_PIX_FMT_YUV444P, 12, AV_PIX_FMT_YUV444P12LE}, {VMAF_PIX_FMT_YUV444P, 16, AV_PIX_FMT_YUV444P16LE},
};

} // namespace

std::optional<PixelLayout> pixel_layout(AVPixelFormat format)
{
    const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(format);
    if (!descriptor || has(*descriptor, kNeverSupported))
        return std::nullopt;
    if (has(*descriptor, AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL))
        return rgb_layout(*descriptor);
    return yuv_layout(*descriptor);
}

AVPixelFormat planar_format(VmafPixelFormat pix_fmt, unsigned depth)
{
    const auto *found = std::ranges::find_if(
        kPlanarFormats, [&](const PlanarFormat &row) { return row.pix_fmt == pix_fmt && row.depth == depth; });
    return found == std::end(kPlanarFormats) ? AV_PIX_FMT_NONE : found->format;
}

std::string pixel_format_name(AVPixelFormat format)
{
    const char *name = av_get_pix_fmt_name(format);
    return name ? name : formatted("pixel format {}", static_cast<int>(format));
}

} // namespace vmaf::tool
