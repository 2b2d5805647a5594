#include "input/media/planar_frame.h"

#include <bit>
#include <cstring>

#include "input/media/alpha.h"
#include "input/media/rgb_frame.h"
#include "input/sample_map.h"

namespace vmaf::tool {
namespace {

/// The place of one component's samples, and the conversion of each.
struct StoredSamples {
    const std::uint8_t *first = nullptr;
    std::ptrdiff_t stride_bytes = 0;
    std::size_t step_bytes = 0;
    bool two_bytes = false;
    bool big_endian = false;
    unsigned right_shift = 0;
    unsigned left_shift = 0;
    std::uint16_t mask = 0; ///< bits of the shifted sample: others may share its bytes
};

StoredSamples stored_samples(const AVFrame &frame, int component, unsigned left_shift)
{
    const AVPixFmtDescriptor &format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    const AVComponentDescriptor &samples = format.comp[component];
    return {frame.data[samples.plane] + samples.offset,
            frame.linesize[samples.plane],
            static_cast<std::size_t>(samples.step),
            samples.depth > 8,
            (format.flags & AV_PIX_FMT_FLAG_BE) != 0,
            static_cast<unsigned>(samples.shift),
            left_shift,
            static_cast<std::uint16_t>((1U << samples.depth) - 1)};
}

constexpr std::uint16_t swap_bytes(std::uint16_t sample)
{
    return static_cast<std::uint16_t>(sample << 8 | sample >> 8);
}

void take_row_of_bytes(const std::uint8_t *from, std::size_t step_bytes, std::uint8_t *to, int samples)
{
    for (int x = 0; x < samples; ++x)
        to[x] = from[static_cast<std::size_t>(x) * step_bytes];
}

template <bool big_endian>
void take_row_of_words(const std::uint8_t *from, const StoredSamples &stored, std::uint8_t *to, int samples)
{
    for (std::size_t x = 0; x < static_cast<std::size_t>(samples); ++x) {
        std::uint16_t sample = 0;
        std::memcpy(&sample, from + x * stored.step_bytes, sizeof sample);
        if (big_endian)
            sample = swap_bytes(sample);
        sample = static_cast<std::uint16_t>((sample >> stored.right_shift & stored.mask) << stored.left_shift);
        std::memcpy(to + x * sizeof sample, &sample, sizeof sample);
    }
}

void take_plane(const StoredSamples &stored, const PictureView &gray)
{
    const std::uint8_t *from = stored.first;
    std::uint8_t *to = gray.data[0];
    for (int y = 0; y < gray.shape.height_px; ++y, from += stored.stride_bytes, to += gray.stride_bytes[0]) {
        if (!stored.two_bytes)
            take_row_of_bytes(from, stored.step_bytes, to, gray.shape.width_px);
        else if (stored.big_endian)
            take_row_of_words<true>(from, stored, to, gray.shape.width_px);
        else
            take_row_of_words<false>(from, stored, to, gray.shape.width_px);
    }
}

/// The first planes of the frame are those of the planar format.
bool is_planar_already(const AVFrame &frame, const PixelLayout &layout)
{
    const auto name = static_cast<AVPixelFormat>(frame.format);
    const AVPixFmtDescriptor &format = *av_pix_fmt_desc_get(name);
    const AVPixFmtDescriptor &planar = *av_pix_fmt_desc_get(planar_format(layout.pix_fmt, layout.depth));
    if (layout.resize_chroma || layout.left_shift != 0 || (format.flags & AV_PIX_FMT_FLAG_BE) != 0)
        return false;
    for (int i = 0; i < planar.nb_components; ++i)
        if (format.comp[i].plane != planar.comp[i].plane || format.comp[i].step != planar.comp[i].step ||
            format.comp[i].offset != planar.comp[i].offset || format.comp[i].shift != planar.comp[i].shift)
            return false;
    return true;
}

/// Full range is not deepened by a shift (spec comparison 2.1).
void deepen_full_range(AVFrame &planar, const PixelLayout &layout)
{
    const FrameMap map({layout.depth - layout.left_shift, Range::full}, {layout.depth, Range::full});
    const VmafPicture planes = planes_of(planar);
    for (unsigned plane = 0; plane < 3; ++plane)
        for (unsigned y = 0; y < planes.h[plane]; ++y) {
            auto *row = static_cast<std::byte *>(planes.data[plane]) + planes.stride[plane] * std::ptrdiff_t{y};
            map.of_plane(plane).convert(row, row, planes.w[plane]);
        }
}

} // namespace

int plane_width(AVPixelFormat format, int width_px, int plane)
{
    const int shift = plane == 0 ? 0 : av_pix_fmt_desc_get(format)->log2_chroma_w;
    return AV_CEIL_RSHIFT(width_px, shift);
}

int plane_height(AVPixelFormat format, int height_px, int plane)
{
    const int shift = plane == 0 ? 0 : av_pix_fmt_desc_get(format)->log2_chroma_h;
    return AV_CEIL_RSHIFT(height_px, shift);
}

VmafPicture planes_of(const AVFrame &frame)
{
    const auto format = static_cast<AVPixelFormat>(frame.format);
    const PixelLayout layout = pixel_layout(format).value();
    VmafPicture planes{layout.pix_fmt, layout.depth, {}, {}, {}, {}, nullptr, nullptr};
    for (int plane = 0; plane < 3 && frame.data[plane]; ++plane) {
        planes.w[plane] = static_cast<unsigned>(plane_width(format, frame.width, plane));
        planes.h[plane] = static_cast<unsigned>(plane_height(format, frame.height, plane));
        planes.stride[plane] = frame.linesize[plane];
        planes.data[plane] = frame.data[plane];
    }
    return planes;
}

bool have_same_samples(const AVFrame &a, const AVFrame &b)
{
    if (a.format != b.format || a.width != b.width || a.height != b.height)
        return false;
    const VmafPicture planes = planes_of(a);
    const std::size_t sample_bytes = planes.bpc > 8 ? 2 : 1;
    for (int plane = 0; plane < 3; ++plane)
        for (unsigned y = 0; y < planes.h[plane]; ++y)
            if (std::memcmp(a.data[plane] + std::ptrdiff_t{y} * a.linesize[plane],
                            b.data[plane] + std::ptrdiff_t{y} * b.linesize[plane], planes.w[plane] * sample_bytes) != 0)
                return false;
    return true;
}

AvFrame PlanarFrames::make(const AVFrame &decoded)
{
    const PixelLayout layout = pixel_layout(static_cast<AVPixelFormat>(decoded.format)).value();
    if (layout.rgb) {
        const PictureForm own{{0, 0, layout.pix_fmt, layout.depth}, Range::limited, h273::kBt709};
        return yuv_of_rgb(decoded, rgb_form_.value_or(own), background_);
    }
    AvFrame planar = make_yuv(decoded, layout);
    if (background_ && has_alpha(decoded)) {
        if (av_frame_make_writable(planar.get()) < 0)
            throw std::bad_alloc();
        compose(*planar, decoded, *background_);
    }
    return planar;
}

AvFrame PlanarFrames::make_yuv(const AVFrame &decoded, const PixelLayout &layout)
{
    const AVPixelFormat format = planar_format(layout.pix_fmt, layout.depth);
    if (is_planar_already(decoded, layout)) {
        AvFrame same(allocated(av_frame_clone(&decoded)));
        same->format = format;
        same->color_range = av_range(range_of(decoded));
        return same;
    }
    AvFrame planar = new_picture(format, decoded.width, decoded.height);
    if (av_frame_copy_props(planar.get(), &decoded) < 0)
        throw std::bad_alloc();
    planar->color_range = av_range(range_of(decoded));
    const bool deepens_full_range = layout.left_shift != 0 && range_of(decoded) == Range::full;
    PixelLayout moved = layout;
    if (deepens_full_range)
        moved.left_shift = 0;
    take_plane(stored_samples(decoded, 0, moved.left_shift),
               gray_view(planar->data[0], planar->linesize[0], planar->width, planar->height, layout.depth));
    if (layout.pix_fmt != VMAF_PIX_FMT_YUV400P)
        fill_chroma(decoded, moved, *planar);
    if (deepens_full_range)
        deepen_full_range(*planar, layout);
    return planar;
}

void PlanarFrames::fill_chroma(const AVFrame &decoded, const PixelLayout &layout, AVFrame &planar)
{
    const auto stored_format = static_cast<AVPixelFormat>(decoded.format);
    const auto format = static_cast<AVPixelFormat>(planar.format);
    for (int plane = 1; plane < 3; ++plane) {
        const StoredSamples stored = stored_samples(decoded, plane, layout.left_shift);
        const PictureView to =
            gray_view(planar.data[plane], planar.linesize[plane], plane_width(format, planar.width, plane),
                      plane_height(format, planar.height, plane), layout.depth);
        if (!layout.resize_chroma) {
            take_plane(stored, to);
            continue;
        }
        const AvFrame own_size = new_picture(to.shape.format, plane_width(stored_format, decoded.width, plane),
                                             plane_height(stored_format, decoded.height, plane));
        PictureView from = view_of(*own_size);
        from.shape.full_range = false;
        take_plane(stored, from);
        chroma_scaler_.scale(from, to);
    }
}

} // namespace vmaf::tool
