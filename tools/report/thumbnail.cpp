#include "report/thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "report/map_picture.h"

namespace vmaf::tool {
namespace {

struct Size {
    unsigned width, height;
};

Size shrunk_size(const VmafPicture &picture, unsigned most_width_px)
{
    const unsigned width = std::min(picture.w[0], most_width_px);
    const double height = std::round(static_cast<double>(picture.h[0]) * width / picture.w[0]);
    return {width, std::max(1U, static_cast<unsigned>(height))};
}

PixelRect whole_of(const VmafPicture &picture)
{
    return {0, 0, picture.w[0], picture.h[0]};
}

double sample_at(const VmafPicture &picture, unsigned plane, unsigned x, unsigned y)
{
    const auto *row =
        static_cast<const std::byte *>(picture.data[plane]) + picture.stride[plane] * static_cast<std::ptrdiff_t>(y);
    if (picture.bpc == 8)
        return std::to_integer<unsigned>(row[x]);
    std::uint16_t sample = 0;
    std::memcpy(&sample, row + std::size_t{2} * x, sizeof sample);
    return sample;
}

/// The means of equal boxes of a plane of that size, in steps of 8 bits. Fewer samples than boxes
/// are repeated.
template <class At> std::vector<double> shrunk(unsigned width, unsigned height, unsigned depth, Size size, At at)
{
    std::vector<double> result;
    result.reserve(std::size_t{size.width} * size.height);
    const auto edge = [](unsigned i, unsigned parts, unsigned whole) {
        return static_cast<unsigned>(std::uint64_t{i} * whole / parts);
    };
    for (unsigned v = 0; v < size.height; ++v) {
        const unsigned top = std::min(edge(v, size.height, height), height - 1);
        const unsigned bottom = std::max(edge(v + 1, size.height, height), top + 1);
        for (unsigned u = 0; u < size.width; ++u) {
            const unsigned left = std::min(edge(u, size.width, width), width - 1);
            const unsigned right = std::max(edge(u + 1, size.width, width), left + 1);
            double sum = 0;
            for (unsigned y = top; y < bottom; ++y)
                for (unsigned x = left; x < right; ++x)
                    sum += at(x, y);
            result.push_back(std::ldexp(sum, 8 - static_cast<int>(depth)) / (right - left) / (bottom - top));
        }
    }
    return result;
}

/// @param of luma's pixels, on even places.
std::vector<double> shrunk_plane(const VmafPicture &picture, unsigned plane, PixelRect of, Size size)
{
    const auto scaled = [&](unsigned luma, const unsigned(&sizes)[3]) {
        return sizes[plane] < sizes[0] ? std::min((luma + 1) / 2, sizes[plane]) : luma;
    };
    const unsigned left = scaled(of.left, picture.w), top = scaled(of.top, picture.h);
    return shrunk(scaled(of.left + of.width, picture.w) - left, scaled(of.top + of.height, picture.h) - top,
                  picture.bpc, size,
                  [&](unsigned x, unsigned y) { return sample_at(picture, plane, left + x, top + y); });
}

std::uint8_t to_byte(double value)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

/// ITU-R BT.709, limited range.
Rgb colour(double y, double cb, double cr)
{
    const double luma = (y - 16) * 255 / 219;
    const double blue = (cb - 128) * 255 / 224;
    const double red = (cr - 128) * 255 / 224;
    return {to_byte(luma + 1.5748 * red), to_byte(luma - 0.1873 * blue - 0.4681 * red), to_byte(luma + 1.8556 * blue)};
}

Raster<Rgb> colours_of(const VmafPicture &picture, PixelRect of, Size size)
{
    const std::vector<double> y = shrunk_plane(picture, 0, of, size);
    const bool has_chroma = picture.pix_fmt != VMAF_PIX_FMT_YUV400P && picture.w[1] > 0 && picture.h[1] > 0;
    const std::vector<double> grey(has_chroma ? 0 : y.size(), 128.0);
    const std::vector<double> cb = has_chroma ? shrunk_plane(picture, 1, of, size) : grey;
    const std::vector<double> cr = has_chroma ? shrunk_plane(picture, 2, of, size) : grey;
    Raster<Rgb> colours{size.width, size.height, {}};
    colours.pixels.reserve(y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
        colours.pixels.push_back(colour(y[i], cb[i], cr[i]));
    return colours;
}

Raster<Rgb> cropped(const VmafPicture &picture, PixelRect crop)
{
    return colours_of(picture, crop, {crop.width, crop.height});
}

Raster<Rgb> whole(const VmafPicture &picture, unsigned most_width_px)
{
    return colours_of(picture, whole_of(picture), shrunk_size(picture, most_width_px));
}

double squared_error(const VmafPicture &ref, const VmafPicture &dis, PixelRect of)
{
    double sum = 0;
    for (unsigned y = of.top; y < of.top + of.height; ++y)
        for (unsigned x = of.left; x < of.left + of.width; ++x) {
            const double error = sample_at(ref, 0, x, y) - sample_at(dis, 0, x, y);
            sum += error * error;
        }
    return sum;
}

/// The block of a grid with the largest squared error of luma, or the whole picture if there is no
/// error.
PixelRect worst_block(const VmafPicture &ref, const VmafPicture &dis)
{
    PixelRect worst = whole_of(ref);
    double largest = 0;
    for (unsigned top = 0; top < ref.h[0]; top += kErrorBlockPx)
        for (unsigned left = 0; left < ref.w[0]; left += kErrorBlockPx) {
            const PixelRect block{left, top, std::min(kErrorBlockPx, ref.w[0] - left),
                                  std::min(kErrorBlockPx, ref.h[0] - top)};
            if (const double error = squared_error(ref, dis, block); error > largest) {
                largest = error;
                worst = block;
            }
        }
    return worst;
}

/// Around the largest error, inside the picture, on even places.
PixelRect crop_of(const VmafPicture &ref, const VmafPicture &dis, unsigned most_width_px)
{
    const PixelRect worst = worst_block(ref, dis);
    const auto around = [](unsigned begin, unsigned size, unsigned cropped, unsigned all) {
        const unsigned middle = begin + size / 2;
        return std::min(middle - std::min(middle, cropped / 2), all - cropped) & ~1U;
    };
    const unsigned width = std::min(ref.w[0], most_width_px);
    const unsigned height = std::min(ref.h[0], most_width_px * 9 / 16);
    return {around(worst.left, worst.width, width, ref.w[0]), around(worst.top, worst.height, height, ref.h[0]), width,
            height};
}

/// Palette from black over violet, red and yellow to white, with increasing brightness.
std::array<Rgb, 256> heat_palette()
{
    constexpr std::array<Rgb, 6> kStops{
        {{0, 0, 0}, {66, 10, 104}, {174, 37, 84}, {239, 112, 30}, {252, 204, 84}, {255, 255, 255}}};
    return palette_through(kStops);
}

/// Differences are averaged. If small pictures were subtracted, errors would cancel out.
Raster<std::uint8_t> difference(const VmafPicture &ref, const VmafPicture &dis, Size size)
{
    const std::vector<double> differences = shrunk(ref.w[0], ref.h[0], ref.bpc, size, [&](unsigned x, unsigned y) {
        return std::abs(sample_at(ref, 0, x, y) - sample_at(dis, 0, x, y));
    });
    Raster<std::uint8_t> heat{size.width, size.height, {}};
    heat.pixels.reserve(differences.size());
    for (const double difference : differences)
        heat.pixels.push_back(to_byte(difference * kDifferenceGain));
    return heat;
}

/// Where a map's places lie in a picture. A map is as large as the picture or one of its scales. If
/// it is smaller than that, a window stays inside the picture, and the map is in its middle.
class MapPlaces {
  public:
    MapPlaces(const VmafMap &map, const VmafPicture &picture)
        : map_(map),
          scale_(static_cast<unsigned>(std::max(
              1L, std::lround(static_cast<double>(std::max(picture.w[0], picture.h[0])) / std::max(map.w, map.h))))),
          left_(border(picture.w[0], map.w)), top_(border(picture.h[0], map.h))
    {
    }
    /// The value of the nearest place.
    double value_at(unsigned x, unsigned y) const
    {
        return static_cast<double>(map_value(map_, place(x, left_, map_.w), place(y, top_, map_.h)));
    }

  private:
    unsigned border(unsigned size, unsigned map_size) const
    {
        return (std::max(size / scale_, map_size) - map_size) / 2;
    }
    unsigned place(unsigned at, unsigned border, unsigned map_size) const
    {
        return std::min(std::max(at / scale_, border) - border, map_size - 1);
    }

    const VmafMap &map_;
    unsigned scale_;
    unsigned left_, top_;
};

} // namespace

Raster<std::uint8_t> map_levels(const VmafMap &map, PixelRect crop, const VmafPicture &picture)
{
    constexpr unsigned kDepth = 8, kMost = 255;
    const unsigned width = std::min(crop.width, kThumbnailWidthPx);
    const Size size{width, std::max(1U, crop.height * width / crop.width)};
    const MapPlaces places(map, picture);
    const std::vector<double> values = shrunk(crop.width, crop.height, kDepth, size, [&](unsigned x, unsigned y) {
        return places.value_at(crop.left + x, crop.top + y);
    });
    Raster<std::uint8_t> levels{size.width, size.height, {}};
    levels.pixels.reserve(values.size());
    for (const double value : values)
        levels.pixels.push_back(to_byte(map_level(map, value, kMost)));
    return levels;
}

FramePixels frame_pixels(unsigned frame, const VmafPicture &ref, const VmafPicture &dis, PictureWidths most)
{
    const PixelRect crop = crop_of(ref, dis, most.crop_px);
    return {frame,
            crop,
            cropped(ref, crop),
            cropped(dis, crop),
            whole(dis, most.whole_px),
            difference(ref, dis, shrunk_size(ref, kThumbnailWidthPx))};
}

FramePictures frame_pictures(const FramePixels &of)
{
    const auto png = [](const Raster<Rgb> &colours) {
        return png_of_colours(colours.width_px, colours.height_px, colours.pixels);
    };
    const auto png_of_levels = [](const Raster<std::uint8_t> &levels, const std::array<Rgb, 256> &palette) {
        return png_of_indices(levels.width_px, levels.height_px, levels.pixels, palette);
    };
    FramePictures pictures{of.frame,          of.crop,       png(of.reference),
                           png(of.distorted), png(of.whole), png_of_levels(of.difference, heat_palette())};
    for (const FramePixels::Map &map : of.maps)
        pictures.maps.push_back({map.feature, png_of_levels(map.levels, map_palette())});
    return pictures;
}

} // namespace vmaf::tool
