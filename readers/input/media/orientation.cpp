#include "input/media/orientation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"

extern "C" {
#include <libavutil/display.h>
}

namespace vmaf::tool {
namespace {

constexpr std::size_t kMatrixBytes = 9 * sizeof(std::int32_t);

bool is_sideways(const Orientation &orientation)
{
    return orientation.quarter_turns % 2 != 0;
}

/// Whether `value` is zero except for rounding, compared with `other`.
bool is_zero(std::int32_t value, std::int32_t other)
{
    constexpr std::int64_t kLeast = 1024;
    return std::abs(std::int64_t{value}) * kLeast <= std::abs(std::int64_t{other});
}

double degrees_clockwise(std::int32_t a, std::int32_t b)
{
    const double degrees = std::atan2(b, a) * 180 / std::numbers::pi;
    return degrees < 0 ? degrees + 360 : degrees;
}

/// Samples of one plane in the order in which they are shown: where the first one is stored, and
/// how far the next ones are.
struct Walk {
    const std::uint8_t *first;
    std::ptrdiff_t right_bytes, down_bytes;
};

Walk walk(const std::uint8_t *plane, std::ptrdiff_t stride_bytes, int width, int height, std::ptrdiff_t sample_bytes,
          const Orientation &orientation)
{
    const unsigned turns = orientation.quarter_turns;
    const bool from_right = orientation.is_mirrored != (turns >= 2);
    const bool from_bottom = turns == 1 || turns == 2;
    const std::ptrdiff_t along_row = from_right ? -sample_bytes : sample_bytes;
    const std::ptrdiff_t along_column = from_bottom ? -stride_bytes : stride_bytes;
    const std::uint8_t *first =
        plane + (from_right ? (width - 1) * sample_bytes : 0) + (from_bottom ? (height - 1) * stride_bytes : 0);
    return is_sideways(orientation) ? Walk{first, along_column, along_row} : Walk{first, along_row, along_column};
}

/// Rotate in square blocks, so that rows that are read sideways stay in the cache.
template <class Sample>
void copy(const Walk &from, std::uint8_t *to, std::ptrdiff_t stride_bytes, int width, int height)
{
    constexpr int kSquare = 32;
    for (int top = 0; top < height; top += kSquare)
        for (int left = 0; left < width; left += kSquare)
            for (int y = top; y < std::min(top + kSquare, height); ++y) {
                const std::uint8_t *source = from.first + y * from.down_bytes + left * from.right_bytes;
                std::uint8_t *destination = to + y * stride_bytes + left * std::ptrdiff_t{sizeof(Sample)};
                for (int x = left; x < std::min(left + kSquare, width); ++x) {
                    std::memcpy(destination, source, sizeof(Sample));
                    source += from.right_bytes;
                    destination += sizeof(Sample);
                }
            }
}

void turn_plane(const AVFrame &from, int plane, const PictureView &to, const Orientation &orientation)
{
    const auto format = static_cast<AVPixelFormat>(from.format);
    const bool two_bytes = av_pix_fmt_desc_get(format)->comp[0].depth > 8;
    const Walk shown = walk(from.data[plane], from.linesize[plane], plane_width(format, from.width, plane),
                            plane_height(format, from.height, plane), two_bytes ? 2 : 1, orientation);
    if (two_bytes)
        copy<std::uint16_t>(shown, to.data[0], to.stride_bytes[0], to.shape.width_px, to.shape.height_px);
    else
        copy<std::uint8_t>(shown, to.data[0], to.stride_bytes[0], to.shape.width_px, to.shape.height_px);
}

} // namespace

DisplayMatrix display_matrix(const AVStream &stream)
{
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVCodecParameters &codec = *stream.codecpar;
    const AVPacketSideData *found =
        av_packet_side_data_get(codec.coded_side_data, codec.nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return found && found->size >= kMatrixBytes ? reinterpret_cast<DisplayMatrix>(found->data) : nullptr;
#else
    std::size_t bytes = 0;
    const std::uint8_t *found = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
    return bytes >= kMatrixBytes ? reinterpret_cast<DisplayMatrix>(found) : nullptr;
#endif
}

DisplayMatrix display_matrix(const AVFrame &frame)
{
    const AVFrameSideData *found = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
    return found && found->size >= kMatrixBytes ? reinterpret_cast<DisplayMatrix>(found->data) : nullptr;
}

/// A point (x, y) is shown at (a x + c y, b x + d y).
Orientation orientation_of(DisplayMatrix matrix)
{
    const std::int32_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
    if ((a == 0 && b == 0) || (c == 0 && d == 0))
        return {}; // nothing would be seen
    if (is_zero(b, a) && is_zero(c, d)) {
        if (d > 0)
            return {a < 0, 0};
        return {a > 0, 2};
    }
    if (is_zero(a, b) && is_zero(d, c)) {
        if (b > 0)
            return c < 0 ? Orientation{false, 1} : Orientation{true, 3};
        return c > 0 ? Orientation{false, 3} : Orientation{true, 1};
    }
    throw Failure(kExitSetup, formatted("it says that it is rotated by {:.4g} degrees, and only multiples of 90 are "
                                        "supported (--no_autorotate scores pictures as they are stored)",
                                        degrees_clockwise(a, b)));
}

VideoFormat turned(const VideoFormat &format, const Orientation &orientation)
{
    VideoFormat upright = format;
    if (!is_sideways(orientation))
        return upright;
    std::swap(upright.width_px, upright.height_px);
    if (upright.pix_fmt == VMAF_PIX_FMT_YUV422P)
        upright.pix_fmt = VMAF_PIX_FMT_YUV444P;
    return upright;
}

AvFrame FrameTurner::turn(AvFrame planar)
{
    if (orientation_ == Orientation{})
        return planar;
    const auto stored = static_cast<AVPixelFormat>(planar->format);
    const PixelLayout layout = pixel_layout(stored).value();
    const VideoFormat to = turned(
        {static_cast<unsigned>(planar->width), static_cast<unsigned>(planar->height), layout.pix_fmt, layout.depth},
        orientation_);
    const AVPixelFormat format = planar_format(to.pix_fmt, to.depth);
    AvFrame upright = new_picture(format, static_cast<int>(to.width_px), static_cast<int>(to.height_px));
    if (av_frame_copy_props(upright.get(), planar.get()) < 0)
        throw std::bad_alloc();
    for (int plane = 0; plane < 3 && upright->data[plane]; ++plane) {
        const PictureView view =
            gray_view(upright->data[plane], upright->linesize[plane], plane_width(format, upright->width, plane),
                      plane_height(format, upright->height, plane), to.depth);
        if (plane == 0 || to.pix_fmt == layout.pix_fmt) {
            turn_plane(*planar, plane, view, orientation_);
            continue;
        }
        const AvFrame own_size = new_picture(view.shape.format, plane_height(stored, planar->height, plane),
                                             plane_width(stored, planar->width, plane));
        const PictureView own_view =
            gray_view(own_size->data[0], own_size->linesize[0], own_size->width, own_size->height, to.depth);
        turn_plane(*planar, plane, own_view, orientation_);
        chroma_scaler_.scale(own_view, view);
    }
    return upright;
}

} // namespace vmaf::tool
