#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>

#include "input/media/alpha.h"
#include "input/media/matrix_frame.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"

/// Conversion between matrices (spec comparison 2.2), compared with the formulas of H.273 in
/// binary64.
namespace vmaf::test {
namespace {

using tool::AvFrame;
using tool::Range;

constexpr int kWidth = 37;
constexpr int kHeight = 21;

struct Matrix {
    int code;
    double red, blue;
};
constexpr Matrix kMatrices[] = {{1, 0.2126, 0.0722}, {4, 0.30, 0.11},   {5, 0.299, 0.114},
                                {6, 0.299, 0.114},   {7, 0.212, 0.087}, {9, 0.2627, 0.0593}};

using Colour = std::array<double, 3>;

Colour yuv_of(const Colour &rgb, const Matrix &matrix)
{
    const double luma = matrix.red * rgb[0] + (1 - matrix.red - matrix.blue) * rgb[1] + matrix.blue * rgb[2];
    return {luma, (rgb[2] - luma) / (2 - 2 * matrix.blue), (rgb[0] - luma) / (2 - 2 * matrix.red)};
}

Colour rgb_of(const Colour &yuv, const Matrix &matrix)
{
    const double red = yuv[0] + (2 - 2 * matrix.red) * yuv[2], blue = yuv[0] + (2 - 2 * matrix.blue) * yuv[1];
    return {red, (yuv[0] - matrix.red * red - matrix.blue * blue) / (1 - matrix.red - matrix.blue), blue};
}

/// Code of a value in that range, before rounding.
double code_of(double value, int plane, unsigned depth, Range range)
{
    const double k = std::exp2(depth - 8.0), largest = std::exp2(depth) - 1, middle = std::exp2(depth - 1.0);
    if (range == Range::full)
        return value * largest + (plane == 0 ? 0 : middle);
    return plane == 0 ? (16 + 219 * value) * k : 224 * k * value + middle;
}

double value_of(unsigned code, int plane, unsigned depth, Range range)
{
    const double zero = code_of(0, plane, depth, range);
    return (code - zero) / (code_of(1, plane, depth, range) - zero);
}

unsigned sample_at(const AVFrame &frame, int plane, int x, int y)
{
    const unsigned depth = tool::pixel_layout(static_cast<AVPixelFormat>(frame.format)).value().depth;
    const std::uint8_t *row = frame.data[plane] + std::ptrdiff_t{y} * frame.linesize[plane];
    std::uint16_t sample = row[x];
    if (depth > 8)
        std::memcpy(&sample, row + 2 * x, sizeof sample);
    return sample;
}

/// The nearest code. Values in the middle between two codes may be off by binary32's error.
void expect_code(unsigned got, double code, unsigned depth)
{
    const double clipped = std::clamp(code, 0.0, std::exp2(depth) - 1);
    EXPECT_LE(std::abs(got - clipped), 0.5 + 1e-6 * std::exp2(depth)) << code;
}

/// Pseudo-random sample of a component at (x, y), with `depth` bits.
unsigned noise(int x, int y, int component, unsigned depth)
{
    std::uint32_t value = static_cast<std::uint32_t>(x * 73 + y * 7919 + component * 104729 + 1) * 2654435761U;
    value ^= value >> 15;
    value *= 2246822519U;
    return (value >> 8) & ((1U << depth) - 1);
}

/// A picture of RGB in the layout of the format.
struct RgbFormat {
    AVPixelFormat format;
    unsigned depth;
    std::function<void(AVFrame &, int x, int y, const std::array<unsigned, 3> &)> put;
};

template <class Sample> void put_packed(AVFrame &frame, int x, int y, std::initializer_list<unsigned> samples)
{
    std::uint8_t *to = frame.data[0] + std::ptrdiff_t{y} * frame.linesize[0] +
                       static_cast<std::size_t>(x) * samples.size() * sizeof(Sample);
    for (const unsigned value : samples) {
        const auto sample = static_cast<Sample>(value);
        std::memcpy(to, &sample, sizeof sample);
        to += sizeof sample;
    }
}

/// Planes of green, blue and red.
template <class Sample> void put_planar(AVFrame &frame, int x, int y, const std::array<unsigned, 3> &rgb)
{
    for (const auto &[plane, value] : {std::pair(0, rgb[1]), std::pair(1, rgb[2]), std::pair(2, rgb[0])}) {
        const auto sample = static_cast<Sample>(value);
        std::memcpy(frame.data[plane] + std::ptrdiff_t{y} * frame.linesize[plane] +
                        static_cast<std::size_t>(x) * sizeof sample,
                    &sample, sizeof sample);
    }
}

void put_float(AVFrame &frame, int x, int y, const std::array<unsigned, 3> &rgb)
{
    for (const auto &[plane, value] : {std::pair(0, rgb[1]), std::pair(1, rgb[2]), std::pair(2, rgb[0])}) {
        const float sample = static_cast<float>(value) / 65535;
        std::memcpy(frame.data[plane] + std::ptrdiff_t{y} * frame.linesize[plane] + static_cast<std::size_t>(x) * 4,
                    &sample, sizeof sample);
    }
}

using Rgb = std::array<unsigned, 3>;
const RgbFormat kRgbFormats[] = {
    {AV_PIX_FMT_RGB24, 8,
     [](AVFrame &f, int x, int y, const Rgb &c) {
         put_packed<std::uint8_t>(f, x, y, {c[0], c[1], c[2]});
     }},
    {AV_PIX_FMT_BGR24, 8,
     [](AVFrame &f, int x, int y, const Rgb &c) {
         put_packed<std::uint8_t>(f, x, y, {c[2], c[1], c[0]});
     }},
    {AV_PIX_FMT_ARGB, 8,
     [](AVFrame &f, int x, int y, const Rgb &c) {
         put_packed<std::uint8_t>(f, x, y, {255, c[0], c[1], c[2]});
     }},
    {AV_PIX_FMT_BGR0, 8,
     [](AVFrame &f, int x, int y, const Rgb &c) {
         put_packed<std::uint8_t>(f, x, y, {c[2], c[1], c[0], 7});
     }},
    {AV_PIX_FMT_RGB48LE, 16,
     [](AVFrame &f, int x, int y, const Rgb &c) {
         put_packed<std::uint16_t>(f, x, y, {c[0], c[1], c[2]});
     }},
    {AV_PIX_FMT_RGBA64LE, 16,
     [](AVFrame &f, int x, int y, const Rgb &c) {
         put_packed<std::uint16_t>(f, x, y, {c[0], c[1], c[2], 65535});
     }},
    {AV_PIX_FMT_GBRP, 8, put_planar<std::uint8_t>},
    {AV_PIX_FMT_GBRP10LE, 10, put_planar<std::uint16_t>},
    {AV_PIX_FMT_GBRP12LE, 12, put_planar<std::uint16_t>},
    {AV_PIX_FMT_GBRP16LE, 16, put_planar<std::uint16_t>},
    {AV_PIX_FMT_GBRPF32LE, 16, put_float},
};

TEST(Colour, RgbBecomesYuvOfEveryMatrixRangeAndDepth)
{
    for (const RgbFormat &format : kRgbFormats) {
        const AvFrame rgb = tool::new_picture(format.format, kWidth, kHeight);
        const auto components = [&](int x, int y) {
            return Rgb{noise(x, y, 0, format.depth), noise(x, y, 1, format.depth), noise(x, y, 2, format.depth)};
        };
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                format.put(*rgb, x, y, components(x, y));
        const double largest = std::exp2(format.depth) - 1;
        for (const Matrix &matrix : kMatrices)
            for (const Range range : {Range::limited, Range::full})
                for (const unsigned depth : {8U, 10U, 12U, 16U}) {
                    SCOPED_TRACE(tool::pixel_format_name(format.format) + " by " + std::to_string(matrix.code) + " " +
                                 std::to_string(depth) + tool::range_text(range));
                    tool::PlanarFrames frames(tool::Rounding::fast);
                    frames.convert_rgb_to({{0, 0, VMAF_PIX_FMT_YUV444P, depth}, range, matrix.code});
                    const AvFrame yuv = frames.make(*rgb);
                    ASSERT_EQ(yuv->format, tool::planar_format(VMAF_PIX_FMT_YUV444P, depth));
                    ASSERT_EQ(yuv->color_range, tool::av_range(range));
                    for (int y = 0; y < kHeight; ++y)
                        for (int x = 0; x < kWidth; ++x) {
                            const Rgb c = components(x, y);
                            const Colour values = yuv_of({c[0] / largest, c[1] / largest, c[2] / largest}, matrix);
                            for (int plane = 0; plane < 3; ++plane)
                                expect_code(sample_at(*yuv, plane, x, y),
                                            code_of(values[static_cast<std::size_t>(plane)], plane, depth, range),
                                            depth);
                        }
                    if (HasFailure())
                        return;
                }
    }
}

TEST(Colour, PalettesBecomeTheirColours)
{
    const AvFrame frame = tool::new_picture(AV_PIX_FMT_PAL8, 3, 1);
    const std::uint32_t entries[] = {0xffff0000U, 0xff00ff00U, 0x00123456U};
    std::memcpy(frame->data[1], entries, sizeof entries);
    for (std::uint8_t x = 0; x < 3; ++x)
        frame->data[0][x] = x;
    const AvFrame yuv = tool::PlanarFrames(tool::Rounding::fast).make(*frame);
    const Colour colours[] = {{1, 0, 0}, {0, 1, 0}, {0x12 / 255.0, 0x34 / 255.0, 0x56 / 255.0}};
    for (int x = 0; x < 3; ++x)
        for (int plane = 0; plane < 3; ++plane)
            expect_code(
                sample_at(*yuv, plane, x, 0),
                code_of(yuv_of(colours[x], kMatrices[0])[static_cast<std::size_t>(plane)], plane, 8, Range::limited),
                8);
}

/// A frame of noise in every plane, including alpha.
AvFrame noisy_frame(AVPixelFormat format)
{
    AvFrame frame = tool::new_picture(format, kWidth, kHeight);
    for (int i = 0; i < 4 && frame->buf[i]; ++i)
        for (std::size_t x = 0; x < frame->buf[i]->size; ++x)
            frame->buf[i]->data[x] = static_cast<std::uint8_t>(noise(static_cast<int>(x), i, 3, 8));
    return frame;
}

const tool::Background kOrange{1, 0.5F, 0.25F};

// Straight alpha, in RGB (spec comparison 2.4).
TEST(Colour, RgbIsComposedOverABackground)
{
    const AvFrame frame = noisy_frame(AV_PIX_FMT_RGBA);
    EXPECT_TRUE(tool::is_transparent(*frame));
    const AvFrame yuv = tool::PlanarFrames(tool::Rounding::fast, kOrange).make(*frame);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const std::uint8_t *pixel = frame->data[0] + std::ptrdiff_t{y} * frame->linesize[0] + 4 * x;
            const double alpha = pixel[3] / 255.0;
            const auto over = [&](int i, double background) {
                return alpha * pixel[i] / 255 + (1 - alpha) * background;
            };
            const Colour values = yuv_of({over(0, 1), over(1, 0.5), over(2, 0.25)}, kMatrices[0]);
            for (int plane = 0; plane < 3; ++plane)
                expect_code(sample_at(*yuv, plane, x, y),
                            code_of(values[static_cast<std::size_t>(plane)], plane, 8, Range::limited), 8);
        }
}

TEST(Colour, YuvIsComposedOverABackground)
{
    for (const AVPixelFormat format : {AV_PIX_FMT_YUVA420P, AV_PIX_FMT_YUVA422P, AV_PIX_FMT_YUVA444P, AV_PIX_FMT_YA8})
        for (const Range range : {Range::limited, Range::full}) {
            SCOPED_TRACE(tool::pixel_format_name(format));
            const AvFrame frame = noisy_frame(format);
            frame->color_range = tool::av_range(range);
            frame->colorspace = AVCOL_SPC_BT2020_NCL;
            const AvFrame left_out = tool::PlanarFrames(tool::Rounding::fast).make(*frame);
            const AvFrame composed = tool::PlanarFrames(tool::Rounding::fast, kOrange).make(*frame);
            const auto alpha_at = [&, format = format](int x, int y) {
                return (format == AV_PIX_FMT_YA8 ? frame->data[0][std::ptrdiff_t{y} * frame->linesize[0] + 2 * x + 1]
                                                 : frame->data[3][std::ptrdiff_t{y} * frame->linesize[3] + x]) /
                       255.0;
            };
            const Colour background = yuv_of({1, 0.5, 0.25}, kMatrices[5]);
            const auto planar = static_cast<AVPixelFormat>(composed->format);
            const AVPixFmtDescriptor &descriptor = *av_pix_fmt_desc_get(planar);
            for (int plane = 0; plane < (format == AV_PIX_FMT_YA8 ? 1 : 3); ++plane) {
                const int across = 1 << (plane == 0 ? 0 : descriptor.log2_chroma_w);
                const int down = 1 << (plane == 0 ? 0 : descriptor.log2_chroma_h);
                for (int y = 0; y < tool::plane_height(planar, kHeight, plane); ++y)
                    for (int x = 0; x < tool::plane_width(planar, kWidth, plane); ++x) {
                        double alpha = 0, count = 0;
                        for (int v = down * y; v < std::min(down * (y + 1), kHeight); ++v)
                            for (int u = across * x; u < std::min(across * (x + 1), kWidth); ++u, ++count)
                                alpha += alpha_at(u, v);
                        alpha /= count;
                        const double value = value_of(sample_at(*left_out, plane, x, y), plane, 8, range);
                        expect_code(sample_at(*composed, plane, x, y),
                                    code_of(alpha * value + (1 - alpha) * background[static_cast<std::size_t>(plane)],
                                            plane, 8, range),
                                    8);
                    }
            }
        }
}

TEST(Colour, OpaqueAlphaIsNone)
{
    const AvFrame rgba = noisy_frame(AV_PIX_FMT_RGBA);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            rgba->data[0][std::ptrdiff_t{y} * rgba->linesize[0] + 4 * x + 3] = 255;
    EXPECT_FALSE(tool::is_transparent(*rgba));
    rgba->data[0][std::ptrdiff_t{kHeight - 1} * rgba->linesize[0] + 4 * (kWidth - 1) + 3] = 254;
    EXPECT_TRUE(tool::is_transparent(*rgba));
    EXPECT_FALSE(tool::is_transparent(*noisy_frame(AV_PIX_FMT_BGR0)));
    EXPECT_FALSE(tool::is_transparent(*noisy_frame(AV_PIX_FMT_YUV420P)));
}

/// Chroma at the place of a luma sample. Rows and columns end with their last samples.
double chroma_at(const AVFrame &frame, int plane, int x, int y, const std::function<double(unsigned)> &value)
{
    const auto format = static_cast<AVPixelFormat>(frame.format);
    const AVPixFmtDescriptor &descriptor = *av_pix_fmt_desc_get(format);
    const int width = tool::plane_width(format, frame.width, plane);
    const int height = tool::plane_height(format, frame.height, plane);
    // In units of chroma samples: columns are at every second luma column, rows between two luma
    // rows.
    const double column = descriptor.log2_chroma_w == 0 ? x : x / 2.0;
    const double row = descriptor.log2_chroma_h == 0 ? y : (y - 0.5) / 2.0;
    const auto tent = [](double distance) { return std::max(0.0, 1 - std::abs(distance)); };
    double sum = 0;
    for (int v = -1; v <= height; ++v)
        for (int u = -1; u <= width; ++u)
            if (const double weight = tent(u - column) * tent(v - row); weight > 0)
                sum +=
                    weight * value(sample_at(frame, plane, std::clamp(u, 0, width - 1), std::clamp(v, 0, height - 1)));
    return sum;
}

TEST(Colour, YuvBecomesThatOfEveryOtherMatrix)
{
    for (const VmafPixelFormat layout : {VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV420P})
        for (const unsigned depth : {8U, 10U, 16U})
            for (const Range range : {Range::limited, Range::full})
                for (const Matrix &from : kMatrices)
                    for (const auto &[to, to_depth, to_range] :
                         {std::tuple(kMatrices[0], 10U, Range::limited), std::tuple(kMatrices[3], 8U, Range::full),
                          std::tuple(kMatrices[5], 16U, Range::limited)}) {
                        SCOPED_TRACE(std::to_string(from.code) + " to " + std::to_string(to.code) + ", " +
                                     std::to_string(depth) + tool::range_text(range) + " layout " +
                                     tool::pixel_format_text(layout));
                        const AVPixelFormat format = tool::planar_format(layout, depth);
                        const AvFrame frame = tool::new_picture(format, kWidth, kHeight);
                        frame->color_range = tool::av_range(range);
                        const VmafPicture planes = tool::planes_of(*frame);
                        for (int plane = 0; plane < 3; ++plane)
                            for (unsigned y = 0; y < planes.h[plane]; ++y)
                                for (unsigned x = 0; x < planes.w[plane]; ++x) {
                                    const auto sample = static_cast<std::uint16_t>(
                                        noise(static_cast<int>(x), static_cast<int>(y), plane, depth));
                                    std::uint8_t *row = frame->data[plane] + std::ptrdiff_t{y} * frame->linesize[plane];
                                    if (depth == 8)
                                        row[x] = static_cast<std::uint8_t>(sample);
                                    else
                                        std::memcpy(row + std::size_t{2} * x, &sample, sizeof sample);
                                }
                        const AvFrame made =
                            tool::by_matrix(*frame, from.code, {{0, 0, layout, to_depth}, to_range, to.code});
                        ASSERT_EQ(made->format, tool::planar_format(layout, to_depth));
                        ASSERT_EQ(made->color_range, tool::av_range(to_range));
                        const auto chroma = [&, depth = depth, range = range](unsigned code) {
                            return value_of(code, 1, depth, range);
                        };
                        for (int y = 0; y < kHeight; ++y)
                            for (int x = 0; x < kWidth; ++x) {
                                const Colour yuv{value_of(sample_at(*frame, 0, x, y), 0, depth, range),
                                                 chroma_at(*frame, 1, x, y, chroma),
                                                 chroma_at(*frame, 2, x, y, chroma)};
                                expect_code(sample_at(*made, 0, x, y),
                                            code_of(yuv_of(rgb_of(yuv, from), to)[0], 0, to_depth, to_range), to_depth);
                            }
                        for (int y = 0; y < tool::plane_height(format, kHeight, 1); ++y)
                            for (int x = 0; x < tool::plane_width(format, kWidth, 1); ++x) {
                                const Colour yuv{0.5, chroma(sample_at(*frame, 1, x, y)),
                                                 chroma(sample_at(*frame, 2, x, y))};
                                const Colour values = yuv_of(rgb_of(yuv, from), to);
                                expect_code(sample_at(*made, 1, x, y), code_of(values[1], 1, to_depth, to_range),
                                            to_depth);
                                expect_code(sample_at(*made, 2, x, y), code_of(values[2], 2, to_depth, to_range),
                                            to_depth);
                            }
                        if (HasFailure())
                            return;
                    }
}

} // namespace
} // namespace vmaf::test
