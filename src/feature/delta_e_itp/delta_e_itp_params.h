#pragma once

// Shared with kernels/delta_e_itp/: plain C++17.

namespace vmaf {

/// What a backend computes of one frame: of the differences of all pixels, in binary32, the sum and
/// the 95th percentile.
struct DeltaEItpSums {
    double sum;
    double percentile;
};

/// spec hdr 4: how many of so many differences are at most the percentile, less one.
constexpr unsigned long long delta_e_itp_rank(unsigned width_px, unsigned height_px)
{
    const unsigned long long pixels = static_cast<unsigned long long>(width_px) * height_px;
    return (95 * pixels + 99) / 100 - 1;
}

} // namespace vmaf
