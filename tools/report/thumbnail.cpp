#include "report/thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include <zlib.h>

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

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
enum : std::uint8_t { kColourTypeRgb = 2, kColourTypePalette = 3 };
constexpr int kFilters = 5; // none, sub, up, average, Paeth

void append_number(std::string &text, std::uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        text += static_cast<char>(number >> shift & 255U);
}

void append_chunk(std::string &png, std::string_view type, std::string_view content)
{
    append_number(png, static_cast<std::uint32_t>(content.size()));
    const std::size_t begin = png.size();
    png += type;
    png += content;
    const auto *checked = reinterpret_cast<const Bytef *>(png.data() + begin);
    append_number(png, static_cast<std::uint32_t>(crc32(0, checked, static_cast<uInt>(png.size() - begin))));
}

/// The neighbour that left + up - corner is nearest to.
int paeth(int left, int up, int corner)
{
    const int to_left = std::abs(up - corner);
    const int to_up = std::abs(left - corner);
    const int to_corner = std::abs(left + up - 2 * corner);
    return to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
}

Bytes filtered_row(int filter, std::span<const std::uint8_t> row, std::span<const std::uint8_t> above,
                   std::size_t pixel_bytes)
{
    Bytes result{static_cast<std::uint8_t>(filter)};
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int left = i >= pixel_bytes ? row[i - pixel_bytes] : 0;
        const int up = above[i];
        const int corner = i >= pixel_bytes ? above[i - pixel_bytes] : 0;
        const int predictions[kFilters] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
        result.push_back(static_cast<std::uint8_t>(row[i] - predictions[filter]));
    }
    return result;
}

/// How much there is to say, as PNG's authors estimate it: differences as numbers with a sign.
unsigned long weight(const Bytes &row)
{
    unsigned long sum = 0;
    for (std::size_t i = 1; i < row.size(); ++i)
        sum += std::min<unsigned>(row[i], 256U - row[i]);
    return sum;
}

Bytes filtered(std::span<const std::uint8_t> samples, std::size_t row_bytes, std::size_t pixel_bytes)
{
    Bytes result;
    const Bytes nothing(row_bytes, 0);
    for (std::size_t begin = 0; begin < samples.size(); begin += row_bytes) {
        const auto above =
            begin == 0 ? std::span<const std::uint8_t>(nothing) : samples.subspan(begin - row_bytes, row_bytes);
        Bytes best;
        for (int filter = 0; filter < kFilters; ++filter) {
            Bytes row = filtered_row(filter, samples.subspan(begin, row_bytes), above, pixel_bytes);
            if (best.empty() || weight(row) < weight(best))
                best = std::move(row);
        }
        result.insert(result.end(), best.begin(), best.end());
    }
    return result;
}

std::string deflated(const Bytes &bytes)
{
    uLongf size = compressBound(bytes.size());
    std::string result(size, '\0');
    if (compress2(reinterpret_cast<Bytef *>(result.data()), &size, bytes.data(), bytes.size(), Z_BEST_COMPRESSION) !=
        Z_OK)
        throw std::bad_alloc(); // its only reason where the room suffices
    result.resize(size);
    return result;
}

std::string png_file(unsigned width_px, unsigned height_px, std::uint8_t colour_type, std::string_view palette,
                     const Bytes &filtered_rows)
{
    std::string header;
    append_number(header, width_px);
    append_number(header, height_px);
    for (const std::uint8_t byte : {std::uint8_t{8}, colour_type, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{0}})
        header += static_cast<char>(byte); // bits per sample; the only compression, filtering; not interlaced
    std::string png(kSignature);
    append_chunk(png, "IHDR", header);
    if (!palette.empty())
        append_chunk(png, "PLTE", palette);
    append_chunk(png, "IDAT", deflated(filtered_rows));
    append_chunk(png, "IEND", "");
    return png;
}

Bytes samples_of(std::span<const Rgb> pixels)
{
    Bytes samples;
    samples.reserve(pixels.size() * 3);
    for (const Rgb &pixel : pixels)
        samples.insert(samples.end(), {pixel.r, pixel.g, pixel.b});
    return samples;
}

} // namespace

FramePictures thumbnails(unsigned frame, const VmafPicture &ref, const VmafPicture &dis)
{
    const Size size = thumbnail_size(ref);
    return {frame, colour_png(ref, size), colour_png(dis, size), difference_png(ref, dis, size)};
}

std::string png_of_colours(unsigned width_px, unsigned height_px, std::span<const Rgb> pixels)
{
    return png_file(width_px, height_px, kColourTypeRgb, "",
                    filtered(samples_of(pixels), std::size_t{3} * width_px, 3));
}

std::string png_of_indices(unsigned width_px, unsigned height_px, std::span<const std::uint8_t> pixels,
                           const std::array<Rgb, 256> &palette)
{
    const Bytes colours = samples_of(palette);
    const std::string_view palette_text(reinterpret_cast<const char *>(colours.data()), colours.size());
    return png_file(width_px, height_px, kColourTypePalette, palette_text, filtered(pixels, width_px, 1));
}

} // namespace vmaf::tool
