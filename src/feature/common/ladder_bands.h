#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "feature/feature.h"

namespace vmaf {

/// Rows of the reference that are ahead of the encodes of a ladder, each of which goes through so
/// many at a time: what is kept of the reference, or of an encode, is more than a cache holds.
constexpr unsigned kLadderBandRows = 64;

/// The most rows of the reference that an encode has not seen yet.
constexpr unsigned ladder_rows_ahead(std::size_t encodes)
{
    return encodes == 1 ? 1 : kLadderBandRows;
}

/// Frames with one reference, band by band, to the sums of each.
/// @param ladder has the `reference`, and as many `encodes` at least.
/// @param push (planes, ref or dis, y, picture) gives row y of one of the planes' pictures to one
/// of the ladder.
template <class Ladder, class Sums, class Push>
void run_ladder(Ladder &ladder, unsigned rows, std::span<const FramePlanes> frames, std::span<Sums> sums, Push push)
{
    ladder.reference.begin();
    for (std::size_t i = 0; i < frames.size(); ++i)
        ladder.encodes[i].begin();
    const unsigned band = ladder_rows_ahead(frames.size());
    for (unsigned first = 0; first < rows; first += band) {
        const unsigned end = std::min(first + band, rows);
        for (unsigned y = first; y < end; ++y)
            push(frames.front(), &PairOf<PlaneView>::ref, y, ladder.reference);
        for (std::size_t i = 0; i < frames.size(); ++i)
            for (unsigned y = first; y < end; ++y)
                push(frames[i], &PairOf<PlaneView>::dis, y, ladder.encodes[i]);
    }
    for (std::size_t i = 0; i < frames.size(); ++i)
        ladder.encodes[i].finish(sums[i]);
}

} // namespace vmaf
