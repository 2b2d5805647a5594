#include "report/thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "report/png.h"

namespace vmaf::tool {
namespace {

struct Size {
    unsigned width, height;
};

Size thumbnail_size(const VmafPicture &picture)
{
    const unsigned width = std::min(picture.w[0], kThumbnailWidthPx);
    const double height = std::round(static_cast<double>(picture.h[0]) * width / picture.w[0]);
    return {width, std::max(1U, static_cast<unsigned>(height))};
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

/// The means of equal boxes of a plane of that size, in steps of 8 bits.
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

std::vector<double> shrunk_plane(const VmafPicture &picture, unsigned plane, Size size)
{
    return shrunk(picture.w[plane], picture.h[plane], picture.bpc, size,
                  [&](unsigned x, unsigned y) { return sample_at(picture, plane, x, y); });
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

std::string colour_png(const VmafPicture &picture, Size size)
{
    const std::vector<double> y = shrunk_plane(picture, 0, size);
    const bool has_chroma = picture.pix_fmt != VMAF_PIX_FMT_YUV400P && picture.w[1] > 0 && picture.h[1] > 0;
    const std::vector<double> grey(has_chroma ? 0 : y.size(), 128.0);
    const std::vector<double> cb = has_chroma ? shrunk_plane(picture, 1, size) : grey;
    const std::vector<double> cr = has_chroma ? shrunk_plane(picture, 2, size) : grey;
    std::vector<Rgb> pixels;
    pixels.reserve(y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
        pixels.push_back(colour(y[i], cb[i], cr[i]));
    return png_of_colours(size.width, size.height, pixels);
}

/// From black over violet, red and yellow to white: always brighter.
std::array<Rgb, 256> heat_palette()
{
    constexpr std::array<Rgb, 6> kStops{
        {{0, 0, 0}, {66, 10, 104}, {174, 37, 84}, {239, 112, 30}, {252, 204, 84}, {255, 255, 255}}};
    std::array<Rgb, 256> palette;
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const double place = static_cast<double>(i) / 255 * (kStops.size() - 1);
        const auto below = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
        const double share = place - static_cast<double>(below);
        const auto mixed = [&](std::uint8_t Rgb::*part) {
            return to_byte(kStops[below].*part * (1 - share) + kStops[below + 1].*part * share);
        };
        palette[i] = {mixed(&Rgb::r), mixed(&Rgb::g), mixed(&Rgb::b)};
    }
    return palette;
}

/// Differences are averaged, not the pictures subtracted when they are small: there errors cancel out.
std::string difference_png(const VmafPicture &ref, const VmafPicture &dis, Size size)
{
    const std::vector<double> differences = shrunk(ref.w[0], ref.h[0], ref.bpc, size, [&](unsigned x, unsigned y) {
        return std::abs(sample_at(ref, 0, x, y) - sample_at(dis, 0, x, y));
    });
    std::vector<std::uint8_t> pixels;
    pixels.reserve(differences.size());
    for (const double difference : differences)
        pixels.push_back(to_byte(difference * kDifferenceGain));
    return png_of_indices(size.width, size.height, pixels, heat_palette());
}

} // namespace

FramePictures thumbnails(unsigned frame, const VmafPicture &ref, const VmafPicture &dis)
{
    const Size size = thumbnail_size(ref);
    return {frame, colour_png(ref, size), colour_png(dis, size), difference_png(ref, dis, size)};
}

} // namespace vmaf::tool
