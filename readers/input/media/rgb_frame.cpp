#include "input/media/rgb_frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "input/media/alpha.h"
#include "input/media/pixel_layout.h"

namespace vmaf::tool {
namespace {

/// Value of a binary16 number, which some formats of 16 bits hold. Infinities are the largest
/// value, what is no number is black.
float of_half(std::uint32_t bits)
{
    const bool is_negative = (bits & 0x8000U) != 0;
    const std::uint32_t exponent = (bits >> 10) & 0x1fU;
    const std::uint32_t fraction = bits & 0x3ffU;
    float value = exponent == 0 ? static_cast<float>(fraction) * 0x1p-24F
                                : std::ldexp(static_cast<float>(fraction | 0x400U), static_cast<int>(exponent) - 25);
    if (exponent == 0x1fU)
        value = fraction == 0 ? 65504.0F : 0.0F;
    return is_negative ? -value : value;
}

/// NaN becomes black. Other values are limited to a range that arithmetic can handle.
float of_binary32(std::uint32_t bits)
{
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return std::isnan(value) ? 0.0F : std::clamp(value, -65504.0F, 65504.0F);
}

/// Components of RGB have this order, whatever the order of their bytes.
void read_rgb_row(const AVFrame &frame, int y, std::vector<std::uint32_t> &samples, const RgbRow &row)
{
    const AVPixFmtDescriptor &format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    float *const values[] = {row.red, row.green, row.blue};
    for (int component = 0; component < 3; ++component)
        if ((format.flags & AV_PIX_FMT_FLAG_PAL) != 0)
            read_palette_row(frame, y, static_cast<unsigned>(16 - 8 * component), values[component]);
        else
            read_component_row(frame, format, y, component, samples, values[component]);
}

} // namespace

void read_palette_row(const AVFrame &frame, int y, unsigned shift, float *values)
{
    const std::uint8_t *row = frame.data[0] + std::ptrdiff_t{y} * frame.linesize[0];
    for (int x = 0; x < frame.width; ++x) {
        std::uint32_t entry = 0;
        std::memcpy(&entry, frame.data[1] + std::size_t{row[x]} * sizeof entry, sizeof entry);
        values[x] = static_cast<float>((entry >> shift) & 0xffU) / 255;
    }
}

void read_component_row(const AVFrame &frame, const AVPixFmtDescriptor &format, int y, int component,
                        std::vector<std::uint32_t> &samples, float *values)
{
    const int depth = format.comp[component].depth;
    const std::uint8_t *planes[] = {frame.data[0], frame.data[1], frame.data[2], frame.data[3]};
    av_read_image_line2(samples.data(), planes, frame.linesize, &format, 0, y, component, frame.width, 0,
                        sizeof samples[0]);
    if ((format.flags & AV_PIX_FMT_FLAG_FLOAT) != 0) {
        for (std::size_t x = 0; x < samples.size(); ++x)
            values[x] = depth == 16 ? of_half(samples[x]) : of_binary32(samples[x]);
        return;
    }
    const auto largest = static_cast<float>((std::uint64_t{1} << depth) - 1);
    for (std::size_t x = 0; x < samples.size(); ++x)
        values[x] = static_cast<float>(samples[x]) / largest;
}

AvFrame yuv_of_rgb(const AVFrame &rgb, const PictureForm &form, const std::optional<Background> &background)
{
    const SampleCoding coding{form.format.depth, form.range};
    const RowCoder coders[] = {{coding, PlaneKind::luma}, {coding, PlaneKind::chroma}, {coding, PlaneKind::chroma}};
    const LumaWeights weights = luma_weights(form.matrix).value();
    AvFrame yuv = new_picture(planar_format(VMAF_PIX_FMT_YUV444P, coding.depth), rgb.width, rgb.height);
    if (av_frame_copy_props(yuv.get(), &rgb) < 0)
        throw std::bad_alloc();
    yuv->color_range = av_range(form.range);
    const auto width = static_cast<std::size_t>(rgb.width);
    std::vector<std::uint32_t> samples(width);
    std::vector<float> values(3 * width);
    float *const rows[] = {values.data(), values.data() + width, values.data() + 2 * width};
    std::optional<AlphaRows> alpha;
    if (background && has_alpha(rgb))
        alpha.emplace(rgb);
    for (int y = 0; y < rgb.height; ++y) {
        read_rgb_row(rgb, y, samples, {rows[0], rows[1], rows[2]});
        if (alpha) {
            const std::vector<float> &opacity = alpha->row(y);
            blend(rows[0], opacity.data(), background->red, width);
            blend(rows[1], opacity.data(), background->green, width);
            blend(rows[2], opacity.data(), background->blue, width);
        }
        yuv_of_rgb({rows[0], rows[1], rows[2]}, {rows[0], rows[1], rows[2]}, width, weights);
        for (int plane = 0; plane < 3; ++plane)
            coders[plane].encode(
                rows[plane], reinterpret_cast<std::byte *>(yuv->data[plane] + std::ptrdiff_t{y} * yuv->linesize[plane]),
                width);
    }
    return yuv;
}

} // namespace vmaf::tool
