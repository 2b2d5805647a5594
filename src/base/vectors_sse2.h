#pragma once

#include <emmintrin.h>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// Registers of 128 bits, of any x86-64 processor; see Vectors in vectors_plain.h for what each
/// operation gives.
struct Sse2Vectors {
    using Int = __m128i;
    using Float = __m128;
    using Double = __m128d;
    using Mask = __m128i;
    using Mask16 = __m128i;
    static constexpr unsigned kLanes16 = 8, kLanes32 = 4;
    static constexpr unsigned kRegisters = 16;
    static constexpr bool is_second_of_pair(unsigned lane) { return lane % 2 != 0; }
    static constexpr unsigned kLookupBits = 0;

    static Int load16(const std::int16_t *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); }
    static Int load16(const std::uint16_t *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); }
    static Int load32(const std::int32_t *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); }
    static Int load_pairs16(const std::int16_t *from) { return load16(from); }
    static void store16(std::int16_t *to, Int v) { _mm_storeu_si128(reinterpret_cast<__m128i *>(to), v); }
    static void store32(std::int32_t *to, Int v) { _mm_storeu_si128(reinterpret_cast<__m128i *>(to), v); }
    static Int load_widened(const std::uint8_t *from)
    {
        return _mm_unpacklo_epi8(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)), _mm_setzero_si128());
    }
    static Int load_widened(const std::uint16_t *from)
    {
        return _mm_unpacklo_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)), _mm_setzero_si128());
    }
    static Int load_signed16(const std::int16_t *from)
    {
        const Int v = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(from));
        return _mm_srai_epi32(_mm_unpacklo_epi16(v, v), 16);
    }
    static Int load_blocks8(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        return load_widened(reinterpret_cast<const std::uint8_t *>(blocks[0] + offset));
    }
    static Int load_blocks16(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        return _mm_loadu_si128(reinterpret_cast<const __m128i *>(blocks[0] + offset));
    }
    static Float load_float(const float *from) { return _mm_loadu_ps(from); }
    static void store_float(float *to, Float v) { _mm_storeu_ps(to, v); }
    static void store_low16(std::uint16_t *to, Int v)
    {
        const __m128i as_signed = _mm_srai_epi32(_mm_slli_epi32(v, 16), 16);
        _mm_storel_epi64(reinterpret_cast<__m128i *>(to), _mm_packs_epi32(as_signed, as_signed));
    }
    static void store_widened(std::int32_t *to, Int v)
    {
        store32(to, _mm_unpacklo_epi16(v, _mm_setzero_si128()));
        store32(to + kLanes32, _mm_unpackhi_epi16(v, _mm_setzero_si128()));
    }
    static void store_narrowed(std::int16_t *to, Int a, Int b) { store16(to, _mm_packs_epi32(a, b)); }
    static Int pin(Int v)
    {
        asm("" : "+x"(v));
        return v;
    }

    static Int set16(int value) { return _mm_set1_epi16(static_cast<short>(value)); }
    static Int set32(std::uint32_t value) { return _mm_set1_epi32(static_cast<int>(value)); }
    static Int set_pair16(int first, int second)
    {
        return set32((static_cast<std::uint32_t>(first) & 0xffff) | static_cast<std::uint32_t>(second) << 16);
    }
    static Float set_float(float value) { return _mm_set1_ps(value); }
    static Double set_double(double value) { return _mm_set1_pd(value); }

    static Int multiply_low16(Int a, Int b) { return _mm_mullo_epi16(a, b); }
    static Int multiply_high16(Int a, Int b) { return _mm_mulhi_epu16(a, b); }
    static Int min_u16(Int a, Int b) { return _mm_sub_epi16(a, _mm_subs_epu16(a, b)); }
    static Int add16(Int a, Int b) { return _mm_add_epi16(a, b); }
    static Int subtract16(Int a, Int b) { return _mm_sub_epi16(a, b); }
    static Int min16(Int a, Int b) { return _mm_min_epi16(a, b); }
    static Int max16(Int a, Int b) { return _mm_max_epi16(a, b); }
    static Int abs16(Int v) { return _mm_max_epi16(v, _mm_sub_epi16(_mm_setzero_si128(), v)); }
    static Mask16 equal16(Int a, Int b) { return _mm_cmpeq_epi16(a, b); }
    static Int select16(Mask16 mask, Int a, Int b)
    {
        return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
    }
    static std::uint32_t differing16(Int a, Int b)
    {
        const Int equal = _mm_packs_epi16(_mm_cmpeq_epi16(a, b), _mm_setzero_si128());
        return static_cast<std::uint32_t>(_mm_movemask_epi8(equal)) ^ 0xff;
    }
    static Int pairs_low16(Int a, Int b) { return _mm_unpacklo_epi16(a, b); }
    static Int pairs_high16(Int a, Int b) { return _mm_unpackhi_epi16(a, b); }
    static Int shift_right16(Int v, unsigned bits) { return _mm_srli_epi16(v, static_cast<int>(bits)); }
    static Int shift_right_signed16(Int v, unsigned bits) { return _mm_srai_epi16(v, static_cast<int>(bits)); }
    static Int multiply_rounded16(Int a, Int b)
    {
        const Int rounded_low = _mm_avg_epu16(_mm_srli_epi16(_mm_mullo_epi16(a, b), 14), _mm_setzero_si128());
        return _mm_add_epi16(_mm_slli_epi16(_mm_mulhi_epi16(a, b), 1), rounded_low);
    }
    static void transpose16(Int (&rows)[8])
    {
        for (unsigned round = 0; round < 3; ++round) {
            Int shuffled[8];
            for (unsigned i = 0; i < 4; ++i) {
                shuffled[2 * i] = _mm_unpacklo_epi16(rows[i], rows[i + 4]);
                shuffled[2 * i + 1] = _mm_unpackhi_epi16(rows[i], rows[i + 4]);
            }
            for (unsigned i = 0; i < 8; ++i)
                rows[i] = shuffled[i];
        }
    }
    static Int multiply_pairs(Int a, Int b) { return _mm_madd_epi16(a, b); }
    // Pinned: GCC would regroup the sums into trees, which need more registers than there are.
    static Int add_pair_products(Int sum, Int a, Int b) { return pin(_mm_add_epi32(sum, _mm_madd_epi16(a, b))); }
    static Int pack_signed32(Int a, Int b) { return _mm_packs_epi32(a, b); }
    static void split_halves(Int a, Int b, Int &low, Int &high)
    {
        low = _mm_packs_epi32(_mm_srai_epi32(_mm_slli_epi32(a, 16), 16), _mm_srai_epi32(_mm_slli_epi32(b, 16), 16));
        high = _mm_packs_epi32(_mm_srai_epi32(a, 16), _mm_srai_epi32(b, 16));
    }

    static Int add32(Int a, Int b) { return _mm_add_epi32(a, b); }
    static Int subtract32(Int a, Int b) { return _mm_sub_epi32(a, b); }
    static Int max32(Int a, Int b)
    {
        const Int a_greater = _mm_cmpgt_epi32(a, b);
        return _mm_or_si128(_mm_and_si128(a_greater, a), _mm_andnot_si128(a_greater, b));
    }
    static Int min32(Int a, Int b)
    {
        const Int a_greater = _mm_cmpgt_epi32(a, b);
        return select(a_greater, b, a);
    }
    static Int abs32(Int v)
    {
        const Int sign = _mm_srai_epi32(v, 31);
        return _mm_sub_epi32(_mm_xor_si128(v, sign), sign);
    }
    static Int multiply_low32(Int a, Int b)
    {
        return even_and_odd32(_mm_mul_epu32(a, b),
                              _mm_slli_epi64(_mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32)), 32));
    }
    static Int multiply_small32(Int a, Int b) { return _mm_madd_epi16(a, b); }
    static Int pair_low_halves(Int a, Int b)
    {
        return _mm_or_si128(_mm_and_si128(a, _mm_set1_epi32(0xffff)), _mm_slli_epi32(b, 16));
    }
    static bool is_zero(Int v) { return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) == 0xffff; }
    static Mask equal32(Int a, Int b) { return _mm_cmpeq_epi32(a, b); }
    static Mask greater32(Int a, Int b) { return _mm_cmpgt_epi32(a, b); }
    static Mask both(Mask a, Mask b) { return _mm_and_si128(a, b); }
    static bool all(Mask mask) { return _mm_movemask_epi8(mask) == 0xffff; }
    static Int select(Mask mask, Int a, Int b)
    {
        return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
    }
    static Int keep(Mask mask, Int v) { return _mm_and_si128(mask, v); }
    static Int drop(Mask mask, Int v) { return _mm_andnot_si128(mask, v); }
    static Int count(Int sums, Mask mask) { return _mm_sub_epi32(sums, mask); }
    static void store_mask(std::int32_t *to, Mask mask) { store32(to, mask); }
    static Mask load_mask(const std::int32_t *from) { return load32(from); }
    static Int bit_and(Int a, Int b) { return _mm_and_si128(a, b); }
    static Int bit_or(Int a, Int b) { return _mm_or_si128(a, b); }
    static Int bit_xor(Int a, Int b) { return _mm_xor_si128(a, b); }
    static Int shift_left32(Int v, unsigned bits)
    {
        return _mm_sll_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right32(Int v, unsigned bits)
    {
        return _mm_srl_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right_signed32(Int v, unsigned bits)
    {
        return _mm_sra_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_left32_by(Int v, Int bits) { return multiply_low32(v, power_of_two(bits)); }
    static Int shift_right32_by(Int v, Int bits)
    {
        const Int power = power_of_two(_mm_sub_epi32(_mm_set1_epi32(31), bits));
        const Int even = _mm_srli_epi64(_mm_mul_epu32(v, power), 31);
        const Int odd = _mm_slli_epi64(_mm_mul_epu32(_mm_srli_epi64(v, 32), _mm_srli_epi64(power, 32)), 1);
        return even_and_odd32(even, odd);
    }
    static Int add_widened32(Int sums, Int v)
    {
        const Int even = _mm_and_si128(v, _mm_set1_epi64x(0xffffffff));
        return _mm_add_epi64(sums, _mm_add_epi64(even, _mm_srli_epi64(v, 32)));
    }
    static Int odd_to_even32(Int v) { return _mm_srli_epi64(v, 32); }
    static Int multiply_even32(Int a, Int b) { return _mm_mul_epu32(a, b); }
    static Int even_and_odd32(Int even, Int odd) { return select(_mm_set1_epi64x(~0xffffffffLL), odd, even); }
    static Int set64(std::uint64_t value) { return _mm_set1_epi64x(static_cast<long long>(value)); }
    static Int add64(Int a, Int b) { return _mm_add_epi64(a, b); }
    static Int shift_left64(Int v, unsigned bits)
    {
        return _mm_sll_epi64(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right64(Int v, unsigned bits)
    {
        return _mm_srl_epi64(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int multiply_rounded_high32(Int a, Int b, Int odd_a, Int odd_b)
    {
        const Int half = _mm_set1_epi64x(0x80000000), odd_lanes = _mm_set1_epi64x(~0xffffffffLL);
        const Int even = _mm_add_epi64(_mm_mul_epu32(a, b), half);
        const Int odd = _mm_add_epi64(_mm_mul_epu32(odd_a, odd_b), half);
        return _mm_or_si128(_mm_srli_epi64(even, 32), _mm_and_si128(odd, odd_lanes));
    }

    static Double doubles(const std::int32_t *from)
    {
        return _mm_cvtepi32_pd(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)));
    }
    static Double low_doubles(Int v) { return _mm_cvtepi32_pd(v); }
    static Double high_doubles(Int v) { return _mm_cvtepi32_pd(_mm_unpackhi_epi64(v, v)); }
    static Int truncated(Double low, Double high)
    {
        return _mm_unpacklo_epi64(_mm_cvttpd_epi32(low), _mm_cvttpd_epi32(high));
    }
    static Double min(Double a, Double b) { return _mm_min_pd(a, b); }

    static Double max(Double a, Double b) { return _mm_max_pd(a, b); }
    static Double whole(Double v) { return _mm_cvtepi32_pd(_mm_cvttpd_epi32(v)); }
    static Mask not_less(Double low_a, Double high_a, Double low_b, Double high_b)
    {
        const __m128 low = _mm_castpd_ps(_mm_cmpge_pd(low_a, low_b)),
                     high = _mm_castpd_ps(_mm_cmpge_pd(high_a, high_b));
        return _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
    }
    static Float to_float(Int v) { return _mm_cvtepi32_ps(v); }
    static Double low_doubles(Float v) { return _mm_cvtps_pd(v); }
    static Double high_doubles(Float v) { return _mm_cvtps_pd(_mm_movehl_ps(v, v)); }
    // The bits of binary32 moved to their places in binary64: the exponent's bias makes it 2^-896
    // times the value.
    static void to_scaled(Float v, Double &first, Double &second)
    {
        const Int bits = _mm_castps_si128(v), odd = _mm_and_si128(bits, _mm_set1_epi64x(~0xffffffffLL));
        first = _mm_castsi128_pd(_mm_mul_epu32(bits, _mm_set1_epi64x(1 << 29)));
        second = _mm_castsi128_pd(_mm_srli_epi64(odd, 3));
    }
    static Float from_scaled(Double first, Double second)
    {
        const Double scale = _mm_set1_pd(0x1p896);
        return _mm_unpacklo_ps(_mm_cvtpd_ps(first * scale), _mm_cvtpd_ps(second * scale));
    }

    static Int upper_float_bits(Int v)
    {
        // The bit below the 16 that count is cleared, so that rounding cannot carry into them.
        return _mm_castps_si128(_mm_cvtepi32_ps(_mm_andnot_si128(_mm_srli_epi32(v, 16), v)));
    }
    static Int as_int(Float v) { return _mm_castps_si128(v); }
    static Float as_float(Int v) { return _mm_castsi128_ps(v); }
    static Float max(Float a, Float b) { return _mm_max_ps(a, b); }
    static Float square_root(Float v) { return _mm_sqrt_ps(v); }
    static Int truncated(Float v) { return _mm_cvttps_epi32(v); }
    static Float multiply_add(Float a, Float b, Float c) { return a * b + c; }
    static Float look_up(const float *table, Int) { return _mm_set1_ps(*table); }

  private:
    /// Powers of two, made from the exponents of floats. 2^31 does not fit: the conversion yields
    /// 2^31 as an unsigned number.
    static Int power_of_two(Int exponent)
    {
        return _mm_cvttps_epi32(_mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(exponent, _mm_set1_epi32(127)), 23)));
    }
};

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
