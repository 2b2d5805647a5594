#include "input/media/alpha.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "input/colour_rows.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"
#include "input/media/rgb_frame.h"

namespace vmaf::tool {
namespace {

/// Values of a background in a frame's own YUV.
std::array<float, 3> yuv_of(const Background &background, const AVFrame &frame)
{
    std::array<float, 3> yuv = {background.red, background.green, background.blue};
    const auto tagged = luma_weights(frame.colorspace);
    const LumaWeights weights =
        tagged ? *tagged : luma_weights(assumed_matrix(static_cast<unsigned>(frame.height))).value();
    yuv_of_rgb({&yuv[0], &yuv[1], &yuv[2]}, {&yuv[0], &yuv[1], &yuv[2]}, 1, weights);
    return yuv;
}

/// Means of the alpha of the luma samples of each chroma sample.
class ShrunkAlpha {
  public:
    ShrunkAlpha(const AVFrame &decoded, int log2_width, int log2_height, int width)
        : rows_(decoded), decoded_(decoded), log2_width_(log2_width), log2_height_(log2_height),
          sums_(static_cast<std::size_t>(width)), counts_(sums_.size())
    {
    }

    const std::vector<float> &row(int y)
    {
        std::ranges::fill(sums_, 0.0F);
        std::ranges::fill(counts_, 0.0F);
        const int end = std::min((y + 1) << log2_height_, decoded_.height);
        for (int line = y << log2_height_; line < end; ++line) {
            const std::vector<float> &alpha = rows_.row(line);
            for (std::size_t x = 0; x < alpha.size(); ++x) {
                sums_[x >> log2_width_] += alpha[x];
                ++counts_[x >> log2_width_];
            }
        }
        for (std::size_t x = 0; x < sums_.size(); ++x)
            sums_[x] /= counts_[x];
        return sums_;
    }

  private:
    AlphaRows rows_;
    const AVFrame &decoded_;
    int log2_width_, log2_height_;
    std::vector<float> sums_, counts_;
};

} // namespace

AlphaRows::AlphaRows(const AVFrame &frame)
    : frame_(frame), format_(*av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format))),
      samples_(static_cast<std::size_t>(frame.width)), values_(samples_.size())
{
}

const std::vector<float> &AlphaRows::row(int y)
{
    if ((format_.flags & AV_PIX_FMT_FLAG_PAL) != 0)
        read_palette_row(frame_, y, kPaletteAlpha, values_.data());
    else
        read_component_row(frame_, format_, y, format_.nb_components - 1, samples_, values_.data());
    return values_;
}

bool has_alpha_beside(const AVStream &stream)
{
    const AVDictionaryEntry *const mode = av_dict_get(stream.metadata, "alpha_mode", nullptr, 0);
    return mode && std::string_view(mode->value) == "1";
}

bool has_alpha(const AVFrame &frame)
{
    const AVPixFmtDescriptor &format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    return (format.flags & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL)) != 0;
}

bool is_transparent(const AVFrame &frame)
{
    if (!has_alpha(frame))
        return false;
    AlphaRows rows(frame);
    for (int y = 0; y < frame.height; ++y)
        if (std::ranges::any_of(rows.row(y), [](float alpha) { return alpha < 1; }))
            return true;
    return false;
}

void compose(AVFrame &planar, const AVFrame &decoded, const Background &background)
{
    const auto format = static_cast<AVPixelFormat>(planar.format);
    const AVPixFmtDescriptor &descriptor = *av_pix_fmt_desc_get(format);
    const SampleCoding coding{pixel_layout(format).value().depth, range_of(planar)};
    const std::array<float, 3> behind = yuv_of(background, decoded);
    for (int plane = 0; plane < 3 && planar.data[plane]; ++plane) {
        const RowCoder coder(coding, plane == 0 ? PlaneKind::luma : PlaneKind::chroma);
        const int width = plane_width(format, planar.width, plane);
        ShrunkAlpha alpha(decoded, plane == 0 ? 0 : descriptor.log2_chroma_w, plane == 0 ? 0 : descriptor.log2_chroma_h,
                          width);
        std::vector<float> values(static_cast<std::size_t>(width));
        for (int y = 0; y < plane_height(format, planar.height, plane); ++y) {
            auto *row = reinterpret_cast<std::byte *>(planar.data[plane] + std::ptrdiff_t{y} * planar.linesize[plane]);
            coder.decode(row, values.data(), values.size());
            blend(values.data(), alpha.row(y).data(), behind[static_cast<std::size_t>(plane)], values.size());
            coder.encode(values.data(), row, values.size());
        }
    }
}

} // namespace vmaf::tool
