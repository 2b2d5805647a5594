#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace vmaf::tool {

struct Rgb {
    std::uint8_t r, g, b;
};

/// PNG files of small pictures; `pixels` are width * height of them, row by row. Throws
/// std::bad_alloc.
std::string png_of_colours(unsigned width_px, unsigned height_px, std::span<const Rgb> pixels);
std::string png_of_indices(unsigned width_px, unsigned height_px, std::span<const std::uint8_t> pixels,
                           const std::array<Rgb, 256> &palette);
/// Grey, 16 bits a sample.
std::string png_of_grey(unsigned width_px, unsigned height_px, std::span<const std::uint16_t> pixels);

/// Colours at equal distances, and those between them.
std::array<Rgb, 256> palette_through(std::span<const Rgb> stops);

} // namespace vmaf::tool
