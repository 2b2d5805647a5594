#include "report/png.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace vmaf::tool {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
enum : std::uint8_t { kColourTypeGrey = 0, kColourTypeRgb = 2, kColourTypePalette = 3 };
constexpr int kFilters = 5; // none, sub, up, average, Paeth
// The highest level makes pictures of videos 2 % smaller and takes four times as long.
constexpr int kCompression = 6;

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
    const auto given = static_cast<uLong>(bytes.size());
    uLongf size = compressBound(given);
    std::string result(size, '\0');
    if (compress2(reinterpret_cast<Bytef *>(result.data()), &size, bytes.data(), given, kCompression) != Z_OK)
        throw std::bad_alloc(); // its only reason where the room suffices
    result.resize(size);
    return result;
}

std::string png_file(unsigned width_px, unsigned height_px, std::uint8_t colour_type, std::string_view palette,
                     const Bytes &filtered_rows, std::uint8_t sample_bits = 8)
{
    std::string header;
    append_number(header, width_px);
    append_number(header, height_px);
    for (const std::uint8_t byte : {sample_bits, colour_type, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{0}})
        header += static_cast<char>(byte); // the only compression, filtering; not interlaced
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

std::string png_of_grey(unsigned width_px, unsigned height_px, std::span<const std::uint16_t> pixels)
{
    Bytes samples;
    samples.reserve(pixels.size() * 2);
    for (const std::uint16_t pixel : pixels)
        samples.insert(samples.end(), {static_cast<std::uint8_t>(pixel >> 8), static_cast<std::uint8_t>(pixel & 255)});
    return png_file(width_px, height_px, kColourTypeGrey, "", filtered(samples, std::size_t{2} * width_px, 2), 16);
}

std::array<Rgb, 256> palette_through(std::span<const Rgb> stops)
{
    std::array<Rgb, 256> palette;
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const double place = static_cast<double>(i) / 255 * static_cast<double>(stops.size() - 1);
        const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
        const double share = place - static_cast<double>(below);
        const auto mixed = [&](std::uint8_t Rgb::*part) {
            return static_cast<std::uint8_t>(
                std::lround(stops[below].*part * (1 - share) + stops[below + 1].*part * share));
        };
        palette[i] = {mixed(&Rgb::r), mixed(&Rgb::g), mixed(&Rgb::b)};
    }
    return palette;
}

} // namespace vmaf::tool
