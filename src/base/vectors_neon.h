#pragma once

#include <arm_neon.h>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// Registers of 128 bits; see Vectors in vectors_plain.h for what each operation gives.
///
/// The first values of pairs are in the lower half of the register, the second ones in the upper:
/// products of halves, added to sums of twice the size, are one instruction each, and nothing is
/// left to be added across.
struct Vectors {
    using Int = uint32x4_t;
    using Float = float32x4_t;
    using Double = float64x2_t;
    using Mask = uint32x4_t;
    using Mask16 = uint16x8_t;
    static constexpr unsigned kLanes16 = 8, kLanes32 = 4;
    static constexpr unsigned kRegisters = 32;
    static constexpr bool is_second_of_pair(unsigned lane) { return lane >= 4; }
    static constexpr unsigned kLookupBits = 0;

    static Int load16(const std::int16_t *from) { return vreinterpretq_u32_s16(vld1q_s16(from)); }
    static Int load16(const std::uint16_t *from) { return from_u16(vld1q_u16(from)); }
    static Int load32(const std::int32_t *from) { return from_s32(vld1q_s32(from)); }
    static Int load_pairs16(const std::int16_t *from)
    {
        const uint8x16_t first_then_second = {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15};
        return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_s16(vld1q_s16(from)), first_then_second));
    }
    static void store16(std::int16_t *to, Int v) { vst1q_s16(to, s16(v)); }
    static void store32(std::int32_t *to, Int v) { vst1q_s32(to, s32(v)); }
    static Int load_widened(const std::uint8_t *from) { return from_u16(vmovl_u8(vld1_u8(from))); }
    static Int load_widened(const std::uint16_t *from) { return vmovl_u16(vld1_u16(from)); }
    static Int load_signed16(const std::int16_t *from) { return from_s32(vmovl_s16(vld1_s16(from))); }
    static Int load_blocks8(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        return load_widened(reinterpret_cast<const std::uint8_t *>(blocks[0] + offset));
    }
    static Int load_blocks16(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        return load16(reinterpret_cast<const std::uint16_t *>(blocks[0] + offset));
    }
    static Float load_float(const float *from) { return vld1q_f32(from); }
    static void store_float(float *to, Float v) { vst1q_f32(to, v); }
    static void store_low16(std::uint16_t *to, Int v) { vst1_u16(to, vmovn_u32(v)); }
    static void store_widened(std::int32_t *to, Int v)
    {
        store32(to, vmovl_u16(vget_low_u16(u16(v))));
        store32(to + kLanes32, vmovl_high_u16(u16(v)));
    }
    static void store_narrowed(std::int16_t *to, Int a, Int b) { store16(to, pack_signed32(a, b)); }
    static Int pin(Int v)
    {
        asm("" : "+w"(v));
        return v;
    }

    static Int set16(int value) { return from_u16(vdupq_n_u16(static_cast<std::uint16_t>(value))); }
    static Int set32(std::uint32_t value) { return vdupq_n_u32(value); }
    static Int set_pair16(int first, int second)
    {
        return vreinterpretq_u32_s16(
            vcombine_s16(vdup_n_s16(static_cast<std::int16_t>(first)), vdup_n_s16(static_cast<std::int16_t>(second))));
    }
    static Float set_float(float value) { return vdupq_n_f32(value); }
    static Double set_double(double value) { return vdupq_n_f64(value); }

    static Int multiply_low16(Int a, Int b) { return from_u16(vmulq_u16(u16(a), u16(b))); }
    static Int multiply_high16(Int a, Int b)
    {
        const uint32x4_t low = vmull_u16(vget_low_u16(u16(a)), vget_low_u16(u16(b))),
                         high = vmull_high_u16(u16(a), u16(b));
        return from_u16(vuzp2q_u16(u16(low), u16(high)));
    }
    static Int min_u16(Int a, Int b) { return from_u16(vminq_u16(u16(a), u16(b))); }
    static Int add16(Int a, Int b) { return from_u16(vaddq_u16(u16(a), u16(b))); }
    static Int subtract16(Int a, Int b) { return from_u16(vsubq_u16(u16(a), u16(b))); }
    static Int min16(Int a, Int b) { return vreinterpretq_u32_s16(vminq_s16(s16(a), s16(b))); }
    static Int max16(Int a, Int b) { return vreinterpretq_u32_s16(vmaxq_s16(s16(a), s16(b))); }
    static Int abs16(Int v) { return vreinterpretq_u32_s16(vabsq_s16(s16(v))); }
    static Mask16 equal16(Int a, Int b) { return vceqq_u16(u16(a), u16(b)); }
    static Int select16(Mask16 mask, Int a, Int b) { return from_u16(vbslq_u16(mask, u16(a), u16(b))); }
    static std::uint32_t differing16(Int a, Int b)
    {
        const uint16x8_t bits = {1, 2, 4, 8, 16, 32, 64, 128};
        return vaddvq_u16(vbicq_u16(bits, vceqq_u16(u16(a), u16(b))));
    }
    static Int shift_right16(Int v, unsigned bits) { return from_u16(u16(v) >> static_cast<std::uint16_t>(bits)); }
    static Int shift_right_signed16(Int v, unsigned bits)
    {
        return vreinterpretq_u32_s16(s16(v) >> static_cast<std::int16_t>(bits));
    }
    static Int multiply_rounded16(Int a, Int b) { return vreinterpretq_u32_s16(vqrdmulhq_s16(s16(a), s16(b))); }
    static void transpose16(Int (&rows)[8])
    {
        for (unsigned round = 0; round < 3; ++round) {
            Int shuffled[8];
            for (unsigned i = 0; i < 4; ++i) {
                shuffled[2 * i] = from_u16(vzip1q_u16(u16(rows[i]), u16(rows[i + 4])));
                shuffled[2 * i + 1] = from_u16(vzip2q_u16(u16(rows[i]), u16(rows[i + 4])));
            }
            for (unsigned i = 0; i < 8; ++i)
                rows[i] = shuffled[i];
        }
    }
    static Int pairs_low16(Int a, Int b) { return vcombine_u32(vget_low_u32(a), vget_low_u32(b)); }
    static Int pairs_high16(Int a, Int b) { return vcombine_u32(vget_high_u32(a), vget_high_u32(b)); }
    static Int multiply_pairs(Int a, Int b)
    {
        return from_s32(vmlal_high_s16(vmull_s16(vget_low_s16(s16(a)), vget_low_s16(s16(b))), s16(a), s16(b)));
    }
    static Int add_pair_products(Int sum, Int a, Int b)
    {
        const int32x4_t with_first = vmlal_s16(s32(sum), vget_low_s16(s16(a)), vget_low_s16(s16(b)));
        return from_s32(vmlal_high_s16(with_first, s16(a), s16(b)));
    }
    static Int pack_signed32(Int a, Int b)
    {
        return vreinterpretq_u32_s16(vqmovn_high_s32(vqmovn_s32(s32(a)), s32(b)));
    }
    static void split_halves(Int a, Int b, Int &low, Int &high)
    {
        low = from_u16(vuzp1q_u16(u16(a), u16(b)));
        high = from_u16(vuzp2q_u16(u16(a), u16(b)));
    }

    static Int add32(Int a, Int b) { return vaddq_u32(a, b); }
    static Int subtract32(Int a, Int b) { return vsubq_u32(a, b); }
    static Int max32(Int a, Int b) { return from_s32(vmaxq_s32(s32(a), s32(b))); }
    static Int min32(Int a, Int b) { return from_s32(vminq_s32(s32(a), s32(b))); }
    static Int abs32(Int v) { return from_s32(vabsq_s32(s32(v))); }
    static Int multiply_low32(Int a, Int b) { return vmulq_u32(a, b); }
    static Int multiply_small32(Int a, Int b) { return vmulq_u32(a, b); }
    static Int pair_low_halves(Int a, Int b) { return from_u16(vuzp1q_u16(u16(a), u16(b))); }
    static bool is_zero(Int v) { return vmaxvq_u32(v) == 0; }
    static Mask equal32(Int a, Int b) { return vceqq_u32(a, b); }
    static Mask greater32(Int a, Int b) { return vcgtq_s32(s32(a), s32(b)); }
    static Mask both(Mask a, Mask b) { return vandq_u32(a, b); }
    static bool all(Mask mask) { return vminvq_u32(mask) != 0; }
    static Int select(Mask mask, Int a, Int b) { return vbslq_u32(mask, a, b); }
    static Int keep(Mask mask, Int v) { return vandq_u32(mask, v); }
    static Int drop(Mask mask, Int v) { return vbicq_u32(v, mask); }
    static Int count(Int sums, Mask mask) { return vsubq_u32(sums, mask); }
    static void store_mask(std::int32_t *to, Mask mask) { store32(to, mask); }
    static Mask load_mask(const std::int32_t *from) { return load32(from); }
    static Int bit_and(Int a, Int b) { return vandq_u32(a, b); }
    static Int bit_or(Int a, Int b) { return vorrq_u32(a, b); }
    static Int bit_xor(Int a, Int b) { return veorq_u32(a, b); }
    // Operators and not intrinsics: these shift by a register, and compilers would leave a constant
    // in one.
    static Int shift_left32(Int v, unsigned bits) { return v << bits; }
    static Int shift_right32(Int v, unsigned bits) { return v >> bits; }
    static Int shift_right_signed32(Int v, unsigned bits) { return from_s32(s32(v) >> static_cast<int>(bits)); }
    static Int shift_left32_by(Int v, Int bits) { return vshlq_u32(v, s32(bits)); }
    static Int shift_right32_by(Int v, Int bits) { return vshlq_u32(v, vnegq_s32(s32(bits))); }
    static Int add_widened32(Int sums, Int v) { return from_u64(vpadalq_u32(u64(sums), v)); }
    static Int odd_to_even32(Int v) { return from_u64(vshrq_n_u64(u64(v), 32)); }
    static Int multiply_even32(Int a, Int b) { return from_u64(vmull_u32(vmovn_u64(u64(a)), vmovn_u64(u64(b)))); }
    static Int even_and_odd32(Int even, Int odd) { return vbslq_u32(from_u64(vdupq_n_u64(0xffffffff)), even, odd); }
    static Int set64(std::uint64_t value) { return from_u64(vdupq_n_u64(value)); }
    static Int add64(Int a, Int b) { return from_u64(vaddq_u64(u64(a), u64(b))); }
    static Int shift_left64(Int v, unsigned bits) { return from_u64(u64(v) << bits); }
    static Int shift_right64(Int v, unsigned bits) { return from_u64(u64(v) >> bits); }
    static Int multiply_rounded_high32(Int a, Int b, Int, Int)
    {
        const uint64x2_t low = vmull_u32(vget_low_u32(a), vget_low_u32(b)), high = vmull_high_u32(a, b);
        return vrshrn_high_n_u64(vrshrn_n_u64(low, 32), high, 32);
    }

    static Double doubles(const std::int32_t *from) { return vcvtq_f64_s64(vmovl_s32(vld1_s32(from))); }
    static Double low_doubles(Int v) { return vcvtq_f64_s64(vmovl_s32(vget_low_s32(s32(v)))); }
    static Double high_doubles(Int v) { return vcvtq_f64_s64(vmovl_high_s32(s32(v))); }
    static Int truncated(Double low, Double high)
    {
        return from_s32(vqmovn_high_s64(vqmovn_s64(vcvtq_s64_f64(low)), vcvtq_s64_f64(high)));
    }
    static Double min(Double a, Double b) { return vminq_f64(a, b); }

    static Double max(Double a, Double b) { return vmaxq_f64(a, b); }
    static Double whole(Double v) { return vrndq_f64(v); }
    static Mask not_less(Double low_a, Double high_a, Double low_b, Double high_b)
    {
        return vuzp1q_u32(vreinterpretq_u32_u64(vcgeq_f64(low_a, low_b)),
                          vreinterpretq_u32_u64(vcgeq_f64(high_a, high_b)));
    }
    static Float to_float(Int v) { return vcvtq_f32_s32(s32(v)); }
    static Double low_doubles(Float v) { return vcvt_f64_f32(vget_low_f32(v)); }
    static Double high_doubles(Float v) { return vcvt_high_f64_f32(v); }
    static void to_scaled(Float v, Double &first, Double &second)
    {
        first = low_doubles(v);
        second = high_doubles(v);
    }
    static Float from_scaled(Double first, Double second) { return vcvt_high_f32_f64(vcvt_f32_f64(first), second); }

    static Int upper_float_bits(Int v)
    {
        // The bit below the 16 that count is cleared, so that rounding cannot carry into them.
        return vreinterpretq_u32_f32(vcvtq_f32_u32(vbicq_u32(v, vshrq_n_u32(v, 16))));
    }
    static Int as_int(Float v) { return vreinterpretq_u32_f32(v); }
    static Float as_float(Int v) { return vreinterpretq_f32_u32(v); }
    static Float max(Float a, Float b) { return vmaxq_f32(a, b); }
    static Float square_root(Float v) { return vsqrtq_f32(v); }
    static Int truncated(Float v) { return from_s32(vcvtq_s32_f32(v)); }
    static Float multiply_add(Float a, Float b, Float c) { return vfmaq_f32(c, a, b); }
    static Float look_up(const float *table, Int) { return vdupq_n_f32(*table); }

  private:
    static uint16x8_t u16(Int v) { return vreinterpretq_u16_u32(v); }
    static int16x8_t s16(Int v) { return vreinterpretq_s16_u32(v); }
    static int32x4_t s32(Int v) { return vreinterpretq_s32_u32(v); }
    static uint64x2_t u64(Int v) { return vreinterpretq_u64_u32(v); }
    static Int from_u16(uint16x8_t v) { return vreinterpretq_u32_u16(v); }
    static Int from_s32(int32x4_t v) { return vreinterpretq_u32_s32(v); }
    static Int from_u64(uint64x2_t v) { return vreinterpretq_u32_u64(v); }
};

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
