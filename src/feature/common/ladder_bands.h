#pragma once

#include <algorithm>
#include <cstddef>

namespace vmaf {

/// Rows of the reference that are ahead of the encodes of a ladder. What an encode keeps is more
/// than a cache holds: each goes through so many rows at a time.
constexpr unsigned kLadderBandRows = 64;

/// The most rows of the reference that an encode has not seen yet.
constexpr unsigned ladder_rows_ahead(std::size_t encodes)
{
    return encodes == 1 ? 1 : kLadderBandRows;
}

/// Calls ref(y) for the rows of a band, then dis(i, y) for those of each encode i, band by band.
template <class Ref, class Dis> void for_ladder_bands(unsigned height_px, std::size_t encodes, Ref ref, Dis dis)
{
    const unsigned band = ladder_rows_ahead(encodes);
    for (unsigned first = 0; first < height_px; first += band) {
        const unsigned end = std::min(first + band, height_px);
        for (unsigned y = first; y < end; ++y)
            ref(y);
        for (std::size_t i = 0; i < encodes; ++i)
            for (unsigned y = first; y < end; ++y)
                dis(i, y);
    }
}

} // namespace vmaf
