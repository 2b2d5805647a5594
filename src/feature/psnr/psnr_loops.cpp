#include "feature/psnr/psnr_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

// 66051 squares of 8-bit differences fit 32 bits (spec psnr 5).
constexpr unsigned kBlock8 = 65536;

std::uint64_t row_sse_8bit(const std::uint8_t *ref, const std::uint8_t *dis, unsigned width_px)
{
    std::uint64_t sse = 0;
    for (unsigned start = 0; start < width_px; start += kBlock8) {
        const unsigned end = width_px - start < kBlock8 ? width_px : start + kBlock8;
        std::uint32_t block = 0;
        for (unsigned x = start; x < end; ++x) {
            const int difference = ref[x] - dis[x];
            block += static_cast<std::uint32_t>(difference * difference);
        }
        sse += block;
    }
    return sse;
}

// A 16-bit difference squared fills 32 bits, so every square is widened before it is added.
std::uint64_t row_sse_16bit(const std::uint16_t *ref, const std::uint16_t *dis, unsigned width_px)
{
    std::uint64_t sse = 0;
    for (unsigned x = 0; x < width_px; ++x) {
        const std::uint32_t difference = ref[x] > dis[x] ? ref[x] - dis[x] : dis[x] - ref[x];
        sse += difference * difference;
    }
    return sse;
}

} // namespace

extern const PsnrLoops kPsnrLoops = {row_sse_8bit, row_sse_16bit};

} // namespace vmaf::VMAF_CPU_TARGET
