#include "feature/float_psnr/float_psnr_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

// Sums of integers below 2^53, so exact in any order; the lanes are there for the vectoriser.
constexpr unsigned kLanes = 16;

inline double rounded_square(std::uint16_t ref, std::uint16_t dis)
{
    const float difference = static_cast<float>(ref) - static_cast<float>(dis);
    return static_cast<double>(difference * difference);
}

std::uint64_t row_rounded_sse(const std::uint16_t *ref, const std::uint16_t *dis, unsigned width_px)
{
    double lane[kLanes] = {};
    unsigned x = 0;
    for (; x + kLanes <= width_px; x += kLanes)
        for (unsigned i = 0; i < kLanes; ++i)
            lane[i] += rounded_square(ref[x + i], dis[x + i]);
    double sum = 0;
    for (const double partial : lane)
        sum += partial;
    for (; x < width_px; ++x)
        sum += rounded_square(ref[x], dis[x]);
    return static_cast<std::uint64_t>(sum);
}

} // namespace

extern const FloatPsnrLoops kFloatPsnrLoops = {row_rounded_sse};

} // namespace vmaf::VMAF_CPU_TARGET
