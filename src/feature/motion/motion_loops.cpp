#include "feature/motion/motion_loops.h"

#include "base/vectors.h"
#include "feature/motion/motion_params.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using V = Vectors;
using Int = V::Int;

// 65536 values of at most 65535 fit 32 bits.
constexpr unsigned kBlock = 65536;

// ---- step 1 ----

void difference_row_8bit(const std::uint8_t *__restrict earlier, const std::uint8_t *__restrict current,
                         unsigned width_px, std::int16_t *__restrict difference)
{
    const bool done = for_registers(0, width_px, V::kLanes16, [&](std::ptrdiff_t x) {
        V::store16(difference + x, V::subtract16(V::load_widened(earlier + x), V::load_widened(current + x)));
    });
    for (unsigned x = 0; x < width_px && !done; ++x)
        difference[x] = static_cast<std::int16_t>(earlier[x] - current[x]);
}

inline std::uint16_t held(std::uint16_t sample, std::uint16_t max_sample)
{
    return sample < max_sample ? sample : max_sample;
}

void difference_row_16bit(const std::uint16_t *__restrict earlier, const std::uint16_t *__restrict current,
                          unsigned width_px, std::uint16_t max_sample, std::int16_t *__restrict difference)
{
    const Int most = V::set16(max_sample);
    const bool done = for_registers(0, width_px, V::kLanes16, [&](std::ptrdiff_t x) {
        V::store16(difference + x,
                   V::subtract16(V::min_u16(V::load16(earlier + x), most), V::min_u16(V::load16(current + x), most)));
    });
    for (unsigned x = 0; x < width_px && !done; ++x)
        difference[x] = static_cast<std::int16_t>(held(earlier[x], max_sample) - held(current[x], max_sample));
}

void difference_row_wide(const std::uint16_t *__restrict earlier, const std::uint16_t *__restrict current,
                         unsigned width_px, std::uint16_t max_sample, std::int32_t *__restrict difference)
{
    for (unsigned x = 0; x < width_px; ++x)
        difference[x] = held(earlier[x], max_sample) - held(current[x], max_sample);
}

// ---- step 2 ----

// floor((sum of tap * value + 2^(shift-1)) / 2^shift). The sum itself reaches 2^32. Two of the taps
// are even, so halving before adding drops only a bit that the division drops anyway, and every
// intermediate value fits 32 bits: at most 65535 * 32768 + 16384 < 2^31 in magnitude for values up
// to 65535.
inline std::int32_t low_pass(std::int32_t outer_pair, std::int32_t inner_pair, std::int32_t centre, unsigned shift)
{
    static_assert(kMotionTaps[1] % 2 == 0 && kMotionTaps[2] % 2 == 0);
    const std::int32_t rounding = 1 << (shift - 1);
    return (((kMotionTaps[0] * outer_pair + rounding) >> 1) + kMotionTaps[1] / 2 * inner_pair +
            kMotionTaps[2] / 2 * centre) >>
           (shift - 1);
}

template <class T>
void vertical_row_to_wide(const T *const rows[5], unsigned width_px, unsigned bpc, std::int32_t *__restrict filtered)
{
    const T *d0 = rows[0], *d1 = rows[1], *d2 = rows[2], *d3 = rows[3], *d4 = rows[4];
    for (unsigned x = 0; x < width_px; ++x)
        filtered[x] = low_pass(d0[x] + d4[x], d1[x] + d3[x], d2[x], bpc);
}

/// The smallest and the largest of some values.
struct Bounds {
    std::int16_t low, high;
    void take(std::int16_t value)
    {
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    /// What does not fit becomes one of the ends.
    bool fit() const { return low > -32768 && high < 32767; }
};

bool vertical_row(const std::int16_t *const rows[5], unsigned width_px, unsigned bpc, std::int16_t *__restrict filtered)
{
    static_assert(2 * ((1 << kMotionMaxNarrowBits) - 1) <= 32767, "sums of two differences fit 16 bits");
    const std::int16_t *d0 = rows[0], *d1 = rows[1], *d2 = rows[2], *d3 = rows[3], *d4 = rows[4];
    const Int outer_and_inner = V::pin(V::set_pair16(kMotionTaps[0], kMotionTaps[1])),
              centre_and_half = V::pin(V::set_pair16(kMotionTaps[2], 1 << (bpc - 1))), one = V::pin(V::set16(1));
    Int low = V::set16(0), high = V::set16(0);
    const bool done = for_registers(0, width_px, V::kLanes16, [&](std::ptrdiff_t x) {
        const Int outer = V::add16(V::load16(d0 + x), V::load16(d4 + x)),
                  inner = V::add16(V::load16(d1 + x), V::load16(d3 + x)), centre = V::load16(d2 + x);
        const Int first = V::add_pair_products(V::multiply_pairs(V::pairs_low16(outer, inner), outer_and_inner),
                                               V::pairs_low16(centre, one), centre_and_half);
        const Int second = V::add_pair_products(V::multiply_pairs(V::pairs_high16(outer, inner), outer_and_inner),
                                                V::pairs_high16(centre, one), centre_and_half);
        const Int v = V::pack_signed32(V::shift_right_signed32(first, bpc), V::shift_right_signed32(second, bpc));
        low = V::min16(low, v);
        high = V::max16(high, v);
        V::store16(filtered + x, v);
    });
    Bounds bounds{0, 0};
    alignas(64) std::int16_t ends[2 * V::kLanes16];
    V::store16(ends, low);
    V::store16(ends + V::kLanes16, high);
    for (const std::int16_t value : ends)
        bounds.take(value);
    for (unsigned x = 0; x < width_px && !done; ++x) {
        const std::int32_t v = low_pass(d0[x] + d4[x], d1[x] + d3[x], d2[x], bpc);
        filtered[x] = static_cast<std::int16_t>(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
        bounds.take(filtered[x]);
    }
    return bounds.fit();
}

// ---- steps 3 and 4 ----

std::uint64_t horizontal_row_sad_wide(const std::int32_t *filtered, unsigned width_px)
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

/// A pair of neighbouring values serves two results: the even one of the register and the odd one
/// behind it.
std::uint64_t horizontal_row_sad(const std::int16_t *filtered, unsigned width_px)
{
    constexpr int k0 = kMotionTaps[0], k1 = kMotionTaps[1], k2 = kMotionTaps[2];
    const Int even[3] = {V::pin(V::set_pair16(k0, k1)), V::pin(V::set_pair16(k2, k1)), V::pin(V::set_pair16(k0, 0))};
    const Int odd[3] = {V::pin(V::set_pair16(0, k0)), V::pin(V::set_pair16(k1, k2)), V::pin(V::set_pair16(k1, k0))};
    const Int half = V::pin(V::set32(32768));
    std::uint64_t sad = 0;
    unsigned x = 0;
    while (x + V::kLanes16 <= width_px) {
        Int sums = V::set32(0);
        const unsigned end = width_px - x < kBlock ? width_px : x + kBlock;
        for (; x + V::kLanes16 <= end; x += V::kLanes16) {
            Int z[2] = {half, half};
            for (int k = 0; k < 3; ++k) {
                const Int pairs = V::load_pairs16(filtered + x + (2 * k - 2));
                z[0] = V::add_pair_products(z[0], pairs, even[k]);
                z[1] = V::add_pair_products(z[1], pairs, odd[k]);
            }
            sums = V::add32(sums, V::add32(V::abs32(V::shift_right_signed32(z[0], 16)),
                                           V::abs32(V::shift_right_signed32(z[1], 16))));
        }
        sad += static_cast<std::uint64_t>(total_of_32bit<std::uint32_t>(sums));
    }
    for (const std::int16_t *v = filtered + x; v != filtered + width_px; ++v) {
        const std::int32_t z = low_pass(v[-2] + v[2], v[-1] + v[1], v[0], 16);
        sad += static_cast<std::uint32_t>(z < 0 ? -z : z);
    }
    return sad;
}

} // namespace

extern const MotionLoops kMotionLoops = {
    difference_row_8bit,
    difference_row_16bit,
    difference_row_wide,
    vertical_row,
    vertical_row_to_wide<std::int16_t>,
    vertical_row_to_wide<std::int32_t>,
    horizontal_row_sad,
    horizontal_row_sad_wide,
};

} // namespace vmaf::VMAF_CPU_TARGET
