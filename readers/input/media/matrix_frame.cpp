#include "input/media/matrix_frame.h"

#include <algorithm>
#include <vector>

#include "input/colour_rows.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"

namespace vmaf::tool {
namespace {

const std::byte *row_of(const AVFrame &frame, int plane, int y)
{
    return reinterpret_cast<const std::byte *>(frame.data[plane] + std::ptrdiff_t{y} * frame.linesize[plane]);
}

std::byte *row_of(AVFrame &frame, int plane, int y)
{
    return reinterpret_cast<std::byte *>(frame.data[plane] + std::ptrdiff_t{y} * frame.linesize[plane]);
}

/// Where a luma sample stands among the chroma samples of its row or column: between two
/// neighbours.
struct Between {
    int first, second;
    float of_second; ///< share of the second one; the rest is the first's
};

/// @param is_centred chroma stands in the middle of its two luma samples, else at the first.
Between chroma_at(int luma, int shift, bool is_centred, int count)
{
    if (shift == 0)
        return {luma, luma, 0};
    const int half = luma >> 1;
    const bool is_odd = (luma & 1) != 0;
    Between place{half, half + 1, 0.0F};
    if (is_centred && is_odd)
        place.of_second = 0.25F;
    else if (is_centred)
        place = {half - 1, half, 0.75F};
    else if (is_odd)
        place.of_second = 0.5F;
    place.first = std::clamp(place.first, 0, count - 1);
    place.second = std::clamp(place.second, 0, count - 1);
    return place;
}

/// One plane of chroma as rows of luma's size.
class ChromaRows {
  public:
    ChromaRows(const AVFrame &frame, int plane, const RowCoder &coder)
        : frame_(frame), plane_(plane), coder_(coder),
          format_(*av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format))),
          width_(plane_width(static_cast<AVPixelFormat>(frame.format), frame.width, plane)),
          height_(plane_height(static_cast<AVPixelFormat>(frame.format), frame.height, plane)),
          first_(static_cast<std::size_t>(width_)), second_(first_.size())
    {
    }

    /// Chroma that stands at a row of luma.
    void read(int y, float *values)
    {
        // H.273 and the media libraries: left is the default, centre is JPEG's, and top left has
        // rows at luma's first.
        const AVChromaLocation location = frame_.chroma_location;
        const Between rows = chroma_at(y, format_.log2_chroma_h, location != AVCHROMA_LOC_TOPLEFT, height_);
        coder_.decode(row_of(frame_, plane_, rows.first), first_.data(), first_.size());
        coder_.decode(row_of(frame_, plane_, rows.second), second_.data(), second_.size());
        for (std::size_t x = 0; x < first_.size(); ++x)
            first_[x] += (second_[x] - first_[x]) * rows.of_second;
        for (int x = 0; x < frame_.width; ++x) {
            const Between columns = chroma_at(x, format_.log2_chroma_w, location == AVCHROMA_LOC_CENTER, width_);
            const float left = first_[static_cast<std::size_t>(columns.first)];
            const float right = first_[static_cast<std::size_t>(columns.second)];
            values[x] = left + (right - left) * columns.of_second;
        }
    }

  private:
    const AVFrame &frame_;
    int plane_;
    const RowCoder &coder_;
    const AVPixFmtDescriptor &format_;
    int width_, height_;
    std::vector<float> first_, second_;
};

/// Rows of values, three at a time, between two matrices.
class MatrixRows {
  public:
    MatrixRows(int from, int to, int width)
        : from_(luma_weights(from).value()), to_(luma_weights(to).value()), values_(3 * static_cast<std::size_t>(width))
    {
        const auto count = static_cast<std::size_t>(width);
        row_ = {values_.data(), values_.data() + count, values_.data() + 2 * count};
    }

    const YuvRow &row() const { return row_; }
    void convert(int count) const
    {
        const RgbRow rgb{row_.luma, row_.cb, row_.cr};
        rgb_of_yuv(row_, rgb, static_cast<std::size_t>(count), from_);
        yuv_of_rgb(rgb, row_, static_cast<std::size_t>(count), to_);
    }

  private:
    LumaWeights from_, to_;
    std::vector<float> values_;
    YuvRow row_{};
};

} // namespace

AvFrame by_matrix(const AVFrame &planar, int from, const PictureForm &form)
{
    const auto format = static_cast<AVPixelFormat>(planar.format);
    const PixelLayout layout = pixel_layout(format).value();
    const SampleCoding stored{layout.depth, range_of(planar)};
    const SampleCoding wanted{form.format.depth, form.range};
    const RowCoder luma_from(stored, PlaneKind::luma);
    const RowCoder luma_to(wanted, PlaneKind::luma);
    const RowCoder chroma_from(stored, PlaneKind::chroma);
    const RowCoder chroma_to(wanted, PlaneKind::chroma);
    AvFrame made = new_picture(planar_format(layout.pix_fmt, wanted.depth), planar.width, planar.height);
    made->color_range = av_range(form.range);
    ChromaRows cb(planar, 1, chroma_from);
    ChromaRows cr(planar, 2, chroma_from);
    const MatrixRows rows(from, form.matrix, planar.width);
    const YuvRow &row = rows.row();
    const auto width = static_cast<std::size_t>(planar.width);
    for (int y = 0; y < planar.height; ++y) {
        luma_from.decode(row_of(planar, 0, y), row.luma, width);
        cb.read(y, row.cb);
        cr.read(y, row.cr);
        rows.convert(planar.width);
        luma_to.encode(row.luma, row_of(*made, 0, y), width);
    }
    // The position of chroma samples relative to luma does not matter, because chroma stands for
    // differences from luma.
    const int chroma_width = plane_width(format, planar.width, 1);
    const auto count = static_cast<std::size_t>(chroma_width);
    for (int y = 0; y < plane_height(format, planar.height, 1); ++y) {
        std::fill_n(row.luma, count, 0.0F);
        chroma_from.decode(row_of(planar, 1, y), row.cb, count);
        chroma_from.decode(row_of(planar, 2, y), row.cr, count);
        rows.convert(chroma_width);
        chroma_to.encode(row.cb, row_of(*made, 1, y), count);
        chroma_to.encode(row.cr, row_of(*made, 2, y), count);
    }
    return made;
}

} // namespace vmaf::tool
