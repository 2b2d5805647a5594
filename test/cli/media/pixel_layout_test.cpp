#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string>

#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"

/// The table of pixel formats (spec cli 10.1): the format of comparison for each, and that its
/// samples are right.
namespace vmaf::test {
namespace {

using tool::AvFrame;
using tool::PixelLayout;

AVPixelFormat named(const std::string &name)
{
    const AVPixelFormat format = av_get_pix_fmt(name.c_str());
    EXPECT_NE(format, AV_PIX_FMT_NONE) << name;
    return format;
}

std::vector<AVPixelFormat> all_formats()
{
    std::vector<AVPixelFormat> formats;
    for (const AVPixFmtDescriptor *format = nullptr; (format = av_pix_fmt_desc_next(format)) != nullptr;)
        formats.push_back(av_pix_fmt_desc_get_id(format));
    return formats;
}

/// A frame of zeros: libavutil's writer of lines adds bits to the existing ones.
AvFrame black_frame(AVPixelFormat format, int width_px, int height_px)
{
    AvFrame frame = tool::new_picture(format, width_px, height_px);
    for (int i = 0; i < 4 && frame->buf[i]; ++i)
        std::fill_n(frame->buf[i]->data, frame->buf[i]->size, std::uint8_t{0});
    return frame;
}

/// Samples that differ everywhere. Bits that the format does not use stay 0.
AvFrame filled_frame(AVPixelFormat format, int width_px, int height_px)
{
    AvFrame frame = black_frame(format, width_px, height_px);
    const AVPixFmtDescriptor &descriptor = *av_pix_fmt_desc_get(format);
    if ((descriptor.flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_FLOAT)) != 0) {
        for (int i = 0; i < 4 && frame->buf[i]; ++i)
            for (std::size_t x = 0; x < frame->buf[i]->size; ++x)
                frame->buf[i]->data[x] = static_cast<std::uint8_t>(
                    (descriptor.flags & AV_PIX_FMT_FLAG_FLOAT) != 0 ? "\x12\x34\x56\x3e"[x % 4] : x * 37 >> 3);
        return frame;
    }
    for (int component = 0; component < descriptor.nb_components; ++component) {
        const bool chroma = component == 1 || component == 2;
        const int width = tool::plane_width(format, width_px, chroma ? 1 : 0);
        const int height = tool::plane_height(format, height_px, chroma ? 1 : 0);
        const unsigned mask = (1U << descriptor.comp[component].depth) - 1;
        std::vector<std::uint16_t> line(static_cast<std::size_t>(width));
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x)
                line[static_cast<std::size_t>(x)] =
                    static_cast<std::uint16_t>(static_cast<unsigned>(x * 1021 + y * 331 + component * 7919) & mask);
            av_write_image_line2(line.data(), frame->data, frame->linesize, &descriptor, 0, y, component, width, 2);
        }
    }
    return frame;
}

std::vector<std::uint16_t> component_line(const AVFrame &frame, int component, int y, int width)
{
    std::vector<std::uint16_t> line(static_cast<std::size_t>(width));
    std::array<const std::uint8_t *, 4> data{frame.data[0], frame.data[1], frame.data[2], frame.data[3]};
    av_read_image_line2(line.data(), data.data(), frame.linesize,
                        av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format)), 0, y, component, width, 0, 2);
    return line;
}

/// Reads lines with libavutil's own reader.
void expect_samples_moved(const AVFrame &from, const AVFrame &to, int component, unsigned left_shift)
{
    const auto format = static_cast<AVPixelFormat>(to.format);
    const int width = tool::plane_width(format, to.width, component);
    for (int y = 0; y < tool::plane_height(format, to.height, component); ++y) {
        std::vector<std::uint16_t> expected = component_line(from, component, y, width);
        for (std::uint16_t &sample : expected)
            sample = static_cast<std::uint16_t>(sample << left_shift);
        ASSERT_EQ(component_line(to, component, y, width), expected) << "component " << component << " y " << y;
    }
}

/// @param matrix null for grey, which is not converted.
AvFrame by_swscale(const AVFrame &from, AVPixelFormat to, int width_px, int height_px, const int *matrix)
{
    AvFrame scaled = tool::new_picture(to, width_px, height_px);
    SwsContext *context = sws_getContext(from.width, from.height, static_cast<AVPixelFormat>(from.format), width_px,
                                         height_px, to, SWS_BICUBIC, nullptr, nullptr, nullptr);
    if (matrix)
        sws_setColorspaceDetails(context, matrix, 1, matrix, 0, 0, 1 << 16, 1 << 16);
    EXPECT_EQ(sws_scale(context, from.data, from.linesize, 0, from.height, scaled->data, scaled->linesize), height_px);
    sws_freeContext(context);
    return scaled;
}

void expect_chroma_resized(const AVFrame &from, const AVFrame &to, int plane, unsigned depth)
{
    const auto stored = static_cast<AVPixelFormat>(from.format);
    const auto format = static_cast<AVPixelFormat>(to.format);
    const AVPixelFormat gray = tool::planar_format(VMAF_PIX_FMT_YUV400P, depth);
    const AvFrame chroma =
        black_frame(gray, tool::plane_width(stored, from.width, plane), tool::plane_height(stored, from.height, plane));
    for (int y = 0; y < chroma->height; ++y) {
        const auto line = component_line(from, plane, y, chroma->width);
        av_write_image_line2(line.data(), chroma->data, chroma->linesize, av_pix_fmt_desc_get(gray), 0, y, 0,
                             chroma->width, 2);
    }
    const AvFrame expected = by_swscale(*chroma, gray, tool::plane_width(format, to.width, plane),
                                        tool::plane_height(format, to.height, plane), nullptr);
    for (int y = 0; y < expected->height; ++y)
        ASSERT_EQ(component_line(to, plane, y, expected->width), component_line(*expected, 0, y, expected->width))
            << "plane " << plane << " y " << y;
}

/// swscale rounds more than once, but its results show whether components or bytes changed places.
void expect_rgb_of_swscale(const AVFrame &from, const AVFrame &to, unsigned depth)
{
    const AvFrame expected = by_swscale(from, static_cast<AVPixelFormat>(to.format), to.width, to.height,
                                        sws_getCoefficients(SWS_CS_ITU709));
    const int most = 3 << (depth - 8);
    for (int plane = 0; plane < 3; ++plane)
        for (int y = 0; y < to.height; ++y) {
            const auto a = component_line(*expected, plane, y, to.width), b = component_line(to, plane, y, to.width);
            for (std::size_t x = 0; x < a.size(); ++x)
                ASSERT_LE(std::abs(a[x] - b[x]), most) << "plane " << plane << ": " << x << ", " << y;
        }
}

TEST(PixelFormats, EveryRowOfTheTableBecomesWhatItSays)
{
    struct Row {
        std::vector<std::string> names;
        PixelLayout layout;
    };
    constexpr auto k420 = VMAF_PIX_FMT_YUV420P;
    constexpr auto k422 = VMAF_PIX_FMT_YUV422P;
    constexpr auto k444 = VMAF_PIX_FMT_YUV444P;
    constexpr auto kGray = VMAF_PIX_FMT_YUV400P;
    const std::vector<Row> rows{
        {{"yuv420p", "nv12", "nv21", "yuva420p"}, {k420, 8}},
        {{"yuv422p", "nv16", "yuva422p", "yuyv422", "uyvy422", "yvyu422"}, {k422, 8}},
        {{"yuv444p", "nv24", "nv42", "yuva444p"}, {k444, 8}},
        {{"gray", "ya8"}, {kGray, 8}},
        {{"yuvj420p"}, {k420, 8, 0, false, false, true}},
        {{"yuvj422p"}, {k422, 8, 0, false, false, true}},
        {{"yuvj444p"}, {k444, 8, 0, false, false, true}},
        {{"yuv420p10le", "yuv420p10be", "p010le", "p010be", "yuva420p10le"}, {k420, 10}},
        {{"yuv422p10le", "yuv422p10be", "p210le", "p210be", "nv20le", "yuva422p10be", "y210le"}, {k422, 10}},
        {{"yuv444p10le", "yuv444p10be", "p410le", "p410be"}, {k444, 10}},
        {{"yuv420p12le", "yuv420p12be"}, {k420, 12}},
        {{"yuv422p12le", "yuv422p12be"}, {k422, 12}},
        {{"yuv444p12le", "yuv444p12be"}, {k444, 12}},
        {{"yuv420p16le", "yuv420p16be", "p016le", "p016be"}, {k420, 16}},
        {{"yuv422p16le", "yuv422p16be", "p216le", "p216be"}, {k422, 16}},
        {{"yuv444p16le", "yuv444p16be", "p416le", "p416be", "yuva444p16le", "ayuv64le"}, {k444, 16}},
        {{"gray10le", "gray10be"}, {kGray, 10}},
        {{"gray12le", "gray12be"}, {kGray, 12}},
        {{"gray16le", "gray16be", "ya16le", "ya16be"}, {kGray, 16}},
        {{"yuv420p9le", "yuv420p9be", "yuva420p9le"}, {k420, 10, 1}},
        {{"yuv422p9le", "yuv422p9be"}, {k422, 10, 1}},
        {{"yuv444p9le", "yuv444p9be"}, {k444, 10, 1}},
        {{"gray9le", "gray9be"}, {kGray, 10, 1}},
        {{"yuv420p14le", "yuv420p14be"}, {k420, 16, 2}},
        {{"yuv422p14le", "yuv422p14be"}, {k422, 16, 2}},
        {{"yuv444p14le", "yuv444p14be"}, {k444, 16, 2}},
        {{"gray14le", "gray14be"}, {kGray, 16, 2}},
        {{"yuv411p"}, {k422, 8, 0, false, true}},
        {{"yuvj411p"}, {k422, 8, 0, false, true, true}},
        {{"yuv410p"}, {k420, 8, 0, false, true}},
        {{"yuv440p"}, {k444, 8, 0, false, true}},
        {{"yuvj440p"}, {k444, 8, 0, false, true, true}},
        {{"yuv440p10le", "yuv440p10be"}, {k444, 10, 0, false, true}},
        {{"yuv440p12le", "yuv440p12be"}, {k444, 12, 0, false, true}},
        {{"rgb24", "bgr24", "rgba", "0rgb", "gbrp", "gbrap", "pal8", "rgb565le", "rgb8", "bgr4_byte"},
         {k444, 8, 0, true}},
        {{"gbrp9le", "gbrp10le", "gbrp10be", "gbrap10le", "x2rgb10le"}, {k444, 10, 0, true}},
        {{"gbrp12le", "gbrap12be"}, {k444, 12, 0, true}},
        {{"gbrp14le", "gbrp16be", "rgb48le", "rgba64be", "gbrpf32le"}, {k444, 16, 0, true}},
    };
    for (const Row &row : rows)
        for (const std::string &name : row.names)
            EXPECT_EQ(tool::pixel_layout(named(name)), row.layout) << name;
}

TEST(PixelFormats, AnythingElseIsRefused)
{
    for (const char *name :
         {"uyyvyy411", "monow", "monob", "xyz12le", "bayer_rggb8", "grayf32le", "cuda", "vaapi", "rgb4"})
        EXPECT_EQ(tool::pixel_layout(named(name)), std::nullopt) << name;
    EXPECT_EQ(tool::pixel_layout(AV_PIX_FMT_NONE), std::nullopt);
    EXPECT_EQ(tool::pixel_format_name(AV_PIX_FMT_P010LE), "p010le");
}

TEST(PixelFormats, EverySupportedOneIsMadePlanar)
{
    unsigned tried = 0;
    for (const AVPixelFormat format : all_formats())
        for (const auto &[width, height] : {std::pair(48, 32), std::pair(37, 21)}) {
            const auto layout = tool::pixel_layout(format);
            if (!layout)
                continue;
            SCOPED_TRACE(tool::pixel_format_name(format));
            const AvFrame decoded = filled_frame(format, width, height);
            if (layout->full_range)
                decoded->color_range = AVCOL_RANGE_JPEG;
            const AvFrame planar = tool::PlanarFrames(tool::Rounding::fast).make(*decoded);
            ASSERT_EQ(planar->format, tool::planar_format(layout->pix_fmt, layout->depth));
            ASSERT_EQ(planar->width, width);
            ASSERT_EQ(planar->height, height);
            EXPECT_EQ(planar->color_range, layout->full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG);
            ++tried;
            if (layout->rgb) {
                // swscale converts formats of fewer than 8 bits, and palettes, differently.
                if (sws_isSupportedInput(format) != 0 && av_pix_fmt_desc_get(format)->comp[2].depth >= 8)
                    expect_rgb_of_swscale(*decoded, *planar, layout->depth);
                continue;
            }
            expect_samples_moved(*decoded, *planar, 0, layout->left_shift);
            for (int plane = 1; plane < 3 && layout->pix_fmt != VMAF_PIX_FMT_YUV400P; ++plane)
                if (layout->resize_chroma)
                    expect_chroma_resized(*decoded, *planar, plane, layout->depth);
                else
                    expect_samples_moved(*decoded, *planar, plane, layout->left_shift);
        }
    EXPECT_GT(tried, 200U);
}

TEST(PixelFormats, TheRangeOfAFrameCountsUnlessItIsRgb)
{
    const AvFrame yuv = filled_frame(AV_PIX_FMT_YUV420P, 32, 16);
    yuv->color_range = AVCOL_RANGE_JPEG;
    EXPECT_EQ(tool::PlanarFrames(tool::Rounding::fast).make(*yuv)->color_range, AVCOL_RANGE_JPEG);
    const AvFrame rgb = filled_frame(AV_PIX_FMT_RGB24, 32, 16);
    rgb->color_range = AVCOL_RANGE_JPEG;
    EXPECT_EQ(tool::PlanarFrames(tool::Rounding::fast).make(*rgb)->color_range, AVCOL_RANGE_MPEG);
}

} // namespace
} // namespace vmaf::test
