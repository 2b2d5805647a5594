#pragma once

#include <immintrin.h>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// Registers of 512 bits; see Vectors in vectors_plain.h for what each operation gives.
struct Vectors {
    using Int = __m512i;
    using Float = __m512;
    using Double = __m512d;
    using Mask = __mmask16;
    using Mask16 = __mmask32;
    static constexpr unsigned kLanes16 = 32, kLanes32 = 16;
    static constexpr unsigned kRegisters = 32;
    static constexpr bool is_second_of_pair(unsigned lane) { return lane % 2 != 0; }
    static constexpr unsigned kLookupBits = 5;

    static Int load16(const std::int16_t *from) { return _mm512_loadu_si512(from); }
    static Int load16(const std::uint16_t *from) { return _mm512_loadu_si512(from); }
    static Int load32(const std::int32_t *from) { return _mm512_loadu_si512(from); }
    static Int load_pairs16(const std::int16_t *from) { return load16(from); }
    static void store16(std::int16_t *to, Int v) { _mm512_storeu_si512(to, v); }
    static void store32(std::int32_t *to, Int v) { _mm512_storeu_si512(to, v); }
    static Int load_widened(const std::uint8_t *from)
    {
        return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
    }
    static Int load_widened(const std::uint16_t *from)
    {
        return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
    }
    static Int load_signed16(const std::int16_t *from)
    {
        return _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
    }
    static Int load_blocks8(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        const auto pair = [&](unsigned n) {
            return _mm_unpacklo_epi64(_mm_loadu_si64(blocks[n] + offset), _mm_loadu_si64(blocks[n + 8] + offset));
        };
        return _mm512_cvtepu8_epi16(_mm256_inserti128_si256(_mm256_castsi128_si256(pair(0)), pair(16), 1));
    }
    static Int load_blocks16(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        const auto block = [&](unsigned n) {
            return _mm_loadu_si128(reinterpret_cast<const __m128i *>(blocks[n] + offset));
        };
        const auto pair = [&](unsigned n) {
            return _mm256_inserti128_si256(_mm256_castsi128_si256(block(n)), block(n + 8), 1);
        };
        return _mm512_inserti64x4(_mm512_castsi256_si512(pair(0)), pair(16), 1);
    }
    static Float load_float(const float *from) { return _mm512_loadu_ps(from); }
    static void store_float(float *to, Float v) { _mm512_storeu_ps(to, v); }
    static void store_low16(std::uint16_t *to, Int v)
    {
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm512_cvtepi32_epi16(v));
    }
    static void store_widened(std::int32_t *to, Int v)
    {
        store32(to, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(v)));
        store32(to + kLanes32, _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(v, 1)));
    }
    static void store_narrowed(std::int16_t *to, Int a, Int b)
    {
        store_low16(reinterpret_cast<std::uint16_t *>(to), a);
        store_low16(reinterpret_cast<std::uint16_t *>(to) + kLanes32, b);
    }
    static Int pin(Int v)
    {
        asm("" : "+v"(v));
        return v;
    }

    static Int set16(int value) { return _mm512_set1_epi16(static_cast<short>(value)); }
    static Int set32(std::uint32_t value) { return _mm512_set1_epi32(static_cast<int>(value)); }
    static Int set_pair16(int first, int second)
    {
        return set32((static_cast<std::uint32_t>(first) & 0xffff) | static_cast<std::uint32_t>(second) << 16);
    }
    static Float set_float(float value) { return _mm512_set1_ps(value); }
    static Double set_double(double value) { return _mm512_set1_pd(value); }

    static Int multiply_low16(Int a, Int b) { return _mm512_mullo_epi16(a, b); }
    static Int multiply_high16(Int a, Int b) { return _mm512_mulhi_epu16(a, b); }
    static Int min_u16(Int a, Int b) { return _mm512_min_epu16(a, b); }
    static Int add16(Int a, Int b) { return _mm512_add_epi16(a, b); }
    static Int subtract16(Int a, Int b) { return _mm512_sub_epi16(a, b); }
    static Int min16(Int a, Int b) { return _mm512_min_epi16(a, b); }
    static Int max16(Int a, Int b) { return _mm512_max_epi16(a, b); }
    static Int abs16(Int v) { return _mm512_abs_epi16(v); }
    static Mask16 equal16(Int a, Int b) { return _mm512_cmpeq_epi16_mask(a, b); }
    static Int select16(Mask16 mask, Int a, Int b) { return _mm512_mask_blend_epi16(mask, b, a); }
    static std::uint32_t differing16(Int a, Int b) { return _mm512_cmpneq_epi16_mask(a, b); }
    static Int pairs_low16(Int a, Int b) { return _mm512_unpacklo_epi16(a, b); }
    static Int pairs_high16(Int a, Int b) { return _mm512_unpackhi_epi16(a, b); }
    static Int shift_right16(Int v, unsigned bits) { return _mm512_srli_epi16(v, bits); }
    static Int shift_right_signed16(Int v, unsigned bits) { return _mm512_srai_epi16(v, bits); }
    static Int multiply_rounded16(Int a, Int b) { return _mm512_mulhrs_epi16(a, b); }
    static void transpose16(Int (&rows)[8])
    {
        for (unsigned round = 0; round < 3; ++round) {
            Int shuffled[8];
            for (unsigned i = 0; i < 4; ++i) {
                shuffled[2 * i] = _mm512_unpacklo_epi16(rows[i], rows[i + 4]);
                shuffled[2 * i + 1] = _mm512_unpackhi_epi16(rows[i], rows[i + 4]);
            }
            for (unsigned i = 0; i < 8; ++i)
                rows[i] = shuffled[i];
        }
    }
    static Int multiply_pairs(Int a, Int b) { return _mm512_madd_epi16(a, b); }
    static Int add_pair_products(Int sum, Int a, Int b)
    {
#if defined(__AVX512VNNI__)
        return _mm512_dpwssd_epi32(sum, a, b);
#else
        return pin(_mm512_add_epi32(sum, _mm512_madd_epi16(a, b)));
#endif
    }
    static Int pack_signed32(Int a, Int b)
    {
        return _mm512_packs_epi32(a, b);
    }
    static void split_halves(Int a, Int b, Int &low, Int &high)
    {
        const Int halves_apart =
            _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
        a = _mm512_shuffle_epi8(a, halves_apart);
        b = _mm512_shuffle_epi8(b, halves_apart);
        low = _mm512_unpacklo_epi64(a, b);
        high = _mm512_unpackhi_epi64(a, b);
    }

    static Int add32(Int a, Int b)
    {
        return _mm512_add_epi32(a, b);
    }
    static Int subtract32(Int a, Int b)
    {
        return _mm512_sub_epi32(a, b);
    }
    static Int max32(Int a, Int b)
    {
        return _mm512_max_epi32(a, b);
    }
    static Int min32(Int a, Int b)
    {
        return _mm512_min_epi32(a, b);
    }
    static Int abs32(Int v)
    {
        return _mm512_abs_epi32(v);
    }
    static Int multiply_low32(Int a, Int b)
    {
        return _mm512_mullo_epi32(a, b);
    }
    static Int multiply_small32(Int a, Int b)
    {
        return _mm512_madd_epi16(a, b);
    }
    static Int pair_low_halves(Int a, Int b)
    {
        return _mm512_mask_blend_epi16(0xaaaaaaaa, a, _mm512_slli_epi32(b, 16));
    }
    static bool is_zero(Int v)
    {
        return _mm512_test_epi32_mask(v, v) == 0;
    }
    static Mask equal32(Int a, Int b)
    {
        return _mm512_cmpeq_epi32_mask(a, b);
    }
    static Mask greater32(Int a, Int b)
    {
        return _mm512_cmpgt_epi32_mask(a, b);
    }
    static Mask both(Mask a, Mask b)
    {
        return _kand_mask16(a, b);
    }
    static bool all(Mask mask)
    {
        return mask == 0xffff;
    }
    static Int select(Mask mask, Int a, Int b)
    {
        return _mm512_mask_blend_epi32(mask, b, a);
    }
    static Int keep(Mask mask, Int v)
    {
        return _mm512_maskz_mov_epi32(mask, v);
    }
    static Int drop(Mask mask, Int v)
    {
        return _mm512_maskz_mov_epi32(_knot_mask16(mask), v);
    }
    static Int count(Int sums, Mask mask)
    {
        return _mm512_mask_add_epi32(sums, mask, sums, _mm512_set1_epi32(1));
    }
    static void store_mask(std::int32_t *to, Mask mask)
    {
        *to = mask;
    }
    static Mask load_mask(const std::int32_t *from)
    {
        return static_cast<Mask>(*from);
    }
    static Int bit_and(Int a, Int b)
    {
        return _mm512_and_si512(a, b);
    }
    static Int bit_or(Int a, Int b)
    {
        return _mm512_or_si512(a, b);
    }
    static Int bit_xor(Int a, Int b)
    {
        return _mm512_xor_si512(a, b);
    }
    static Int shift_left32(Int v, unsigned bits)
    {
        return _mm512_sll_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right32(Int v, unsigned bits)
    {
        return _mm512_srl_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right_signed32(Int v, unsigned bits)
    {
        return _mm512_sra_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_left32_by(Int v, Int bits)
    {
        return _mm512_sllv_epi32(v, bits);
    }
    static Int shift_right32_by(Int v, Int bits)
    {
        return _mm512_srlv_epi32(v, bits);
    }
    static Int add_widened32(Int sums, Int v)
    {
        const Int even = _mm512_and_si512(v, _mm512_set1_epi64(0xffffffff));
        return _mm512_add_epi64(sums, _mm512_add_epi64(even, _mm512_srli_epi64(v, 32)));
    }
    static Int odd_to_even32(Int v)
    {
        return _mm512_srli_epi64(v, 32);
    }
    static Int multiply_even32(Int a, Int b)
    {
        return _mm512_mul_epu32(a, b);
    }
    static Int even_and_odd32(Int even, Int odd)
    {
        return _mm512_mask_blend_epi32(0xaaaa, even, odd);
    }
    static Int set64(std::uint64_t value)
    {
        return _mm512_set1_epi64(static_cast<long long>(value));
    }
    static Int add64(Int a, Int b)
    {
        return _mm512_add_epi64(a, b);
    }
    static Int shift_left64(Int v, unsigned bits)
    {
        return _mm512_sll_epi64(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right64(Int v, unsigned bits)
    {
        return _mm512_srl_epi64(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int multiply_rounded_high32(Int a, Int b, Int odd_a, Int odd_b)
    {
        const Int half = _mm512_set1_epi64(0x80000000);
        const Int even = _mm512_add_epi64(_mm512_mul_epu32(a, b), half);
        const Int odd = _mm512_add_epi64(_mm512_mul_epu32(odd_a, odd_b), half);
        return _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd);
    }

    static Double doubles(const std::int32_t *from)
    {
        return _mm512_cvtepi32_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
    }
    static Double low_doubles(Int v)
    {
        return _mm512_cvtepi32_pd(_mm512_castsi512_si256(v));
    }
    static Double high_doubles(Int v)
    {
        return _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(v, 1));
    }
    static Int truncated(Double low, Double high)
    {
        return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvttpd_epi32(low)), _mm512_cvttpd_epi32(high), 1);
    }
    static Double min(Double a, Double b)
    {
        return _mm512_min_pd(a, b);
    }

    static Double max(Double a, Double b)
    {
        return _mm512_max_pd(a, b);
    }
    static Double whole(Double v)
    {
        return _mm512_roundscale_pd(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    }
    static Mask not_less(Double low_a, Double high_a, Double low_b, Double high_b)
    {
        const __mmask8 low = _mm512_cmp_pd_mask(low_a, low_b, _CMP_GE_OQ);
        const __mmask8 high = _mm512_cmp_pd_mask(high_a, high_b, _CMP_GE_OQ);
        return _mm512_kunpackb(high, low);
    }
    static Float to_float(Int v)
    {
        return _mm512_cvtepi32_ps(v);
    }
    static Double low_doubles(Float v)
    {
        return _mm512_cvtps_pd(_mm512_castps512_ps256(v));
    }
    static Double high_doubles(Float v)
    {
        return _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1));
    }
    // The bits of binary32 moved to their places in binary64: the exponent's bias makes it 2^-896
    // times the value. Conversions would wait for the additions: they share their execution units.
    static void to_scaled(Float v, Double &first, Double &second)
    {
        const Int bits = _mm512_castps_si512(v), odd = _mm512_and_si512(bits, _mm512_set1_epi64(~0xffffffffLL));
        first = _mm512_castsi512_pd(_mm512_mul_epu32(bits, _mm512_set1_epi64(1 << 29)));
        second = _mm512_castsi512_pd(_mm512_srli_epi64(odd, 3));
    }
    static Float from_scaled(Double first, Double second)
    {
        const Double scale = _mm512_set1_pd(0x1p896);
        const Int alternating = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        return _mm512_permutex2var_ps(_mm512_castps256_ps512(_mm512_cvtpd_ps(first * scale)), alternating,
                                      _mm512_castps256_ps512(_mm512_cvtpd_ps(second * scale)));
    }

    static Int upper_float_bits(Int v)
    {
        return _mm512_castps_si512(_mm512_cvt_roundepi32_ps(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
    }
    static Int as_int(Float v)
    {
        return _mm512_castps_si512(v);
    }
    static Float as_float(Int v)
    {
        return _mm512_castsi512_ps(v);
    }
    static Float max(Float a, Float b)
    {
        return _mm512_max_ps(a, b);
    }
    static Float square_root(Float v)
    {
        return _mm512_sqrt_ps(v);
    }
    static Int truncated(Float v)
    {
        return _mm512_cvttps_epi32(v);
    }
    static Float multiply_add(Float a, Float b, Float c)
    {
        return _mm512_fmadd_ps(a, b, c);
    }
    static Float look_up(const float *table, Int index)
    {
        return _mm512_permutex2var_ps(_mm512_loadu_ps(table), index, _mm512_loadu_ps(table + 16));
    }
};

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
