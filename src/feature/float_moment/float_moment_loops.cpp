#include "feature/float_moment/float_moment_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

// Squares of 8-bit samples: 66051 of them fit 32 bits.
constexpr unsigned kBlock8 = 65536;
// Double lanes hold sums of integers below 2^53, so they are exact in any order; they are there for
// the vectoriser.
constexpr unsigned kLanes = 16;

void add_8bit(const std::uint8_t *samples, unsigned width_px, FloatMoments &moments)
{
    for (unsigned start = 0; start < width_px; start += kBlock8) {
        const unsigned end = width_px - start < kBlock8 ? width_px : start + kBlock8;
        std::uint32_t sum = 0, squares = 0;
        for (unsigned x = start; x < end; ++x) {
            sum += samples[x];
            squares += static_cast<std::uint32_t>(samples[x] * samples[x]);
        }
        moments.sum += sum;
        moments.squares += squares;
    }
}

void add_to_15bit(const std::uint16_t *samples, unsigned width_px, FloatMoments &moments)
{
    std::uint64_t sum = 0, squares = 0;
    for (unsigned x = 0; x < width_px; ++x) {
        const std::uint32_t sample = samples[x];
        sum += sample;
        squares += sample * sample;
    }
    moments.sum += sum;
    moments.squares += squares;
}

inline double rounded_square(std::uint16_t sample)
{
    const float value = static_cast<float>(sample);
    return static_cast<double>(value * value);
}

void add_16bit(const std::uint16_t *samples, unsigned width_px, FloatMoments &moments)
{
    std::uint64_t sum = 0;
    for (unsigned x = 0; x < width_px; ++x)
        sum += samples[x];
    double lane[kLanes] = {};
    unsigned x = 0;
    for (; x + kLanes <= width_px; x += kLanes)
        for (unsigned i = 0; i < kLanes; ++i)
            lane[i] += rounded_square(samples[x + i]);
    double squares = 0;
    for (const double partial : lane)
        squares += partial;
    for (; x < width_px; ++x)
        squares += rounded_square(samples[x]);
    moments.sum += sum;
    moments.squares += static_cast<std::uint64_t>(squares);
}

} // namespace

extern const FloatMomentLoops kFloatMomentLoops = {add_8bit, add_to_15bit, add_16bit};

} // namespace vmaf::VMAF_CPU_TARGET
