#include "feature/motion/motion_loops.h"
#include "feature/motion/motion_params.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

// 65536 values of at most 65535 fit 32 bits.
constexpr unsigned kBlock = 65536;

// floor((sum of tap * value + 2^(shift-1)) / 2^shift). The sum itself reaches 2^32. Two of the taps are even, so halving
// before adding drops only a bit that the division drops anyway, and every intermediate value fits 32 bits: at most
// 65535 * 32768 + 16384 < 2^31 in magnitude for values up to 65535.
std::int32_t low_pass(std::int32_t outer_pair, std::int32_t inner_pair, std::int32_t centre, unsigned shift)
{
    static_assert(kMotionTaps[1] % 2 == 0 && kMotionTaps[2] % 2 == 0);
    const std::int32_t rounding = 1 << (shift - 1);
    return (((kMotionTaps[0] * outer_pair + rounding) >> 1) + kMotionTaps[1] / 2 * inner_pair +
            kMotionTaps[2] / 2 * centre) >>
           (shift - 1);
}

void difference_row_8bit(const std::uint8_t *__restrict earlier, const std::uint8_t *__restrict current,
                         unsigned width_px, std::int32_t *__restrict difference)
{
    for (unsigned x = 0; x < width_px; ++x)
        difference[x] = earlier[x] - current[x];
}

void difference_row_16bit(const std::uint16_t *__restrict earlier, const std::uint16_t *__restrict current,
                          unsigned width_px, std::uint16_t max_sample, std::int32_t *__restrict difference)
{
    for (unsigned x = 0; x < width_px; ++x) {
        const std::uint16_t p = earlier[x] < max_sample ? earlier[x] : max_sample;
        const std::uint16_t c = current[x] < max_sample ? current[x] : max_sample;
        difference[x] = p - c;
    }
}

void vertical_row(const std::int32_t *const rows[5], unsigned width_px, unsigned bpc, std::int32_t *__restrict filtered)
{
    const std::int32_t *d0 = rows[0], *d1 = rows[1], *d2 = rows[2], *d3 = rows[3], *d4 = rows[4];
    for (unsigned x = 0; x < width_px; ++x)
        filtered[x] = low_pass(d0[x] + d4[x], d1[x] + d3[x], d2[x], bpc);
}

std::uint64_t horizontal_row_sad(const std::int32_t *filtered, unsigned width_px)
{
    std::uint64_t sad = 0;
    for (unsigned start = 0; start < width_px; start += kBlock) {
        const unsigned length = width_px - start < kBlock ? width_px - start : kBlock;
        const std::int32_t *v = filtered + start;
        std::uint32_t block = 0;
        for (int x = 0; x < static_cast<int>(length); ++x) {
            const std::int32_t z = low_pass(v[x - 2] + v[x + 2], v[x - 1] + v[x + 1], v[x], 16);
            block += static_cast<std::uint32_t>(z < 0 ? -z : z);
        }
        sad += block;
    }
    return sad;
}

} // namespace

extern const MotionLoops kMotionLoops = {difference_row_8bit, difference_row_16bit, vertical_row, horizontal_row_sad};

} // namespace vmaf::VMAF_CPU_TARGET
