#include "input/colour_rows.h"

#include <algorithm>
#include <cstring>

#include "input/h273.h"

namespace vmaf::tool {
namespace {

LumaWeights weights_of(double red, double blue)
{
    return {static_cast<float>(red), static_cast<float>(1 - red - blue), static_cast<float>(blue)};
}

template <class Sample>
void decode_row(const std::byte *row, float *values, std::size_t count, float origin, float span)
{
    for (std::size_t x = 0; x < count; ++x) {
        Sample sample = 0;
        std::memcpy(&sample, row + x * sizeof sample, sizeof sample);
        values[x] = (static_cast<float>(sample) - origin) / span;
    }
}

template <class Sample>
void encode_row(const float *values, std::byte *row, std::size_t count, float origin, float span, float largest)
{
    for (std::size_t x = 0; x < count; ++x) {
        const float code = std::clamp(values[x] * span + origin, 0.0F, largest);
        const auto sample = static_cast<Sample>(static_cast<int>(code + 0.5F));
        std::memcpy(row + x * sizeof sample, &sample, sizeof sample);
    }
}

} // namespace

std::optional<LumaWeights> luma_weights(int matrix)
{
    switch (h273::canonical(h273::Kind::matrix, matrix)) {
    case h273::kBt709:
        return weights_of(0.2126, 0.0722);
    case h273::kFcc:
        return weights_of(0.30, 0.11);
    case h273::kSmpte170m:
        return weights_of(0.299, 0.114);
    case h273::kSmpte240m:
        return weights_of(0.212, 0.087);
    case h273::kBt2020Nc:
        return weights_of(0.2627, 0.0593);
    default:
        return std::nullopt;
    }
}

void yuv_of_rgb(const RgbRow &rgb, const YuvRow &yuv, std::size_t values, const LumaWeights &weights)
{
    const float cb_span = 2 * (1 - weights.blue);
    const float cr_span = 2 * (1 - weights.red);
    for (std::size_t x = 0; x < values; ++x) {
        const float red = rgb.red[x];
        const float blue = rgb.blue[x];
        const float luma = weights.red * red + weights.green * rgb.green[x] + weights.blue * blue;
        yuv.luma[x] = luma;
        yuv.cb[x] = (blue - luma) / cb_span;
        yuv.cr[x] = (red - luma) / cr_span;
    }
}

void rgb_of_yuv(const YuvRow &yuv, const RgbRow &rgb, std::size_t values, const LumaWeights &weights)
{
    const float cb_span = 2 * (1 - weights.blue);
    const float cr_span = 2 * (1 - weights.red);
    for (std::size_t x = 0; x < values; ++x) {
        const float luma = yuv.luma[x];
        const float red = luma + cr_span * yuv.cr[x];
        const float blue = luma + cb_span * yuv.cb[x];
        rgb.red[x] = red;
        rgb.green[x] = (luma - weights.red * red - weights.blue * blue) / weights.green;
        rgb.blue[x] = blue;
    }
}

void blend(float *values, const float *alpha, float background, std::size_t count)
{
    for (std::size_t x = 0; x < count; ++x)
        values[x] = background + alpha[x] * (values[x] - background);
}

RowCoder::RowCoder(const SampleCoding &coding, PlaneKind kind)
    : origin_(static_cast<float>(code_scale(coding, kind).origin)),
      span_(static_cast<float>(code_scale(coding, kind).span)), largest_(static_cast<float>((1U << coding.depth) - 1)),
      two_bytes_(coding.depth > 8)
{
}

void RowCoder::decode(const std::byte *row, float *values, std::size_t count) const
{
    if (two_bytes_)
        decode_row<std::uint16_t>(row, values, count, origin_, span_);
    else
        decode_row<std::uint8_t>(row, values, count, origin_, span_);
}

void RowCoder::encode(const float *values, std::byte *row, std::size_t count) const
{
    if (two_bytes_)
        encode_row<std::uint16_t>(values, row, count, origin_, span_, largest_);
    else
        encode_row<std::uint8_t>(values, row, count, origin_, span_, largest_);
}

} // namespace vmaf::tool
