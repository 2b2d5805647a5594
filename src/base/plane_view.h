#pragma once

#include <cstddef>
#include <cstdint>

namespace vmaf {

/// Size of one sample in memory.
constexpr std::size_t sample_bytes(unsigned bpc)
{
    return bpc > 8 ? 2 : 1;
}

/// One plane of samples in host memory, borrowed: uint8_t at 8 bits, native-endian uint16_t above,
/// value in the low bits.
struct PlaneView {
    const std::byte *data = nullptr;
    std::ptrdiff_t stride_bytes = 0;
    unsigned width_px = 0;
    unsigned height_px = 0;
    unsigned bpc = 0; ///< bits per sample, 8..16

    bool operator==(const PlaneView &) const = default;
    bool is_empty() const { return width_px == 0 || height_px == 0; }
    /// Size of a row's samples, without padding.
    std::size_t row_bytes() const { return width_px * sample_bytes(bpc); }

    template <class Sample> const Sample *row(unsigned y) const
    {
        return reinterpret_cast<const Sample *>(data + stride_bytes * static_cast<std::ptrdiff_t>(y));
    }
};

} // namespace vmaf
