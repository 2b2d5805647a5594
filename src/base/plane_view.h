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
    /// Prefetches samples of row y: processors do not see by themselves which row comes next. Does
    /// nothing for a row outside the plane. Always inline, because GCC 12 deletes calls of a
    /// function that does nothing else.
    [[gnu::always_inline]] void prefetch(std::ptrdiff_t y, std::size_t first_px, std::size_t count) const
    {
        constexpr std::size_t kCacheLine = 64;
        if (y < 0 || y >= static_cast<std::ptrdiff_t>(height_px))
            return;
        const std::byte *from = row<std::byte>(static_cast<unsigned>(y)) + first_px * sample_bytes(bpc);
        const std::byte *end = from + count * sample_bytes(bpc);
        for (from -= reinterpret_cast<std::uintptr_t>(from) % kCacheLine; from < end; from += kCacheLine)
            __builtin_prefetch(from);
    }
    [[gnu::always_inline]] void prefetch(std::ptrdiff_t y) const { prefetch(y, 0, width_px); }
};

} // namespace vmaf
