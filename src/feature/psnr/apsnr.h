#pragma once

#include <cmath>
#include <cstdint>

namespace vmaf {

/// PSNR in dB of one plane of a whole clip (spec psnr 3): the squared errors of all its samples, how many samples those are, and the square
/// of the largest one. Without samples it is not finite.
inline double clip_psnr(std::uint64_t sse, std::uint64_t samples, std::uint64_t squared_peak)
{
    const auto log_of = [](std::uint64_t value) { return std::log10(static_cast<double>(value)); };
    const double psnr = 10.0 * ((log_of(squared_peak) + log_of(samples)) - log_of(sse));
    const double cap = std::ceil(10.0 * log_of(squared_peak * samples * 2));
    return psnr < cap ? psnr : cap;
}

} // namespace vmaf
