#pragma once

#include <immintrin.h>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

#if defined(__AVXVNNI__)
inline __m256i sum_with_pair_products(__m256i sum, __m256i a, __m256i b)
{
    return _mm256_dpwssd_avx_epi32(sum, a, b);
}
#else
inline __m256i sum_with_pair_products(__m256i sum, __m256i a, __m256i b)
{
    __m256i with_products = _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
    asm("" : "+x"(with_products)); // GCC would regroup the sums into trees, which need more registers than there are
    return with_products;
}
#endif

/// Registers of 256 bits; see Vectors in vectors_plain.h for what each operation gives.
struct Vectors {
    using Int = __m256i;
    using Float = __m256;
    using Double = __m256d;
    using Mask = __m256i;
    using Mask16 = __m256i;
    static constexpr unsigned kLanes16 = 16, kLanes32 = 8;
    static constexpr unsigned kRegisters = 16;
    static constexpr bool is_second_of_pair(unsigned lane) { return lane % 2 != 0; }
    static constexpr unsigned kLookupBits = 3;

    static Int load16(const std::int16_t *from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)); }
    static Int load16(const std::uint16_t *from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)); }
    static Int load32(const std::int32_t *from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)); }
    static Int load_pairs16(const std::int16_t *from) { return load16(from); }
    static void store16(std::int16_t *to, Int v) { _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), v); }
    static void store32(std::int32_t *to, Int v) { _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), v); }
    static Int load_widened(const std::uint8_t *from)
    {
        return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
    }
    static Int load_widened(const std::uint16_t *from)
    {
        return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
    }
    static Int load_signed16(const std::int16_t *from)
    {
        return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
    }
    static Int load_blocks8(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        return _mm256_cvtepu8_epi16(
            _mm_unpacklo_epi64(_mm_loadu_si64(blocks[0] + offset), _mm_loadu_si64(blocks[8] + offset)));
    }
    static Int load_blocks16(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        const auto block = [&](unsigned n) {
            return _mm_loadu_si128(reinterpret_cast<const __m128i *>(blocks[n] + offset));
        };
        return _mm256_inserti128_si256(_mm256_castsi128_si256(block(0)), block(8), 1);
    }
    static Float load_float(const float *from) { return _mm256_loadu_ps(from); }
    static void store_float(float *to, Float v) { _mm256_storeu_ps(to, v); }
    static void store_low16(std::uint16_t *to, Int v)
    {
        const __m128i low = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(to), low);
    }
    static void store_widened(std::int32_t *to, Int v)
    {
        store32(to, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(v)));
        store32(to + kLanes32, _mm256_cvtepu16_epi32(_mm256_extracti128_si256(v, 1)));
    }
    static void store_narrowed(std::int16_t *to, Int a, Int b)
    {
        store16(to, _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8));
    }
    static Int pin(Int v)
    {
        asm("" : "+x"(v));
        return v;
    }

    static Int set16(int value) { return _mm256_set1_epi16(static_cast<short>(value)); }
    static Int set32(std::uint32_t value) { return _mm256_set1_epi32(static_cast<int>(value)); }
    static Int set_pair16(int first, int second)
    {
        return set32((static_cast<std::uint32_t>(first) & 0xffff) | static_cast<std::uint32_t>(second) << 16);
    }
    static Float set_float(float value) { return _mm256_set1_ps(value); }
    static Double set_double(double value) { return _mm256_set1_pd(value); }

    static Int multiply_low16(Int a, Int b) { return _mm256_mullo_epi16(a, b); }
    static Int multiply_high16(Int a, Int b) { return _mm256_mulhi_epu16(a, b); }
    static Int min_u16(Int a, Int b) { return _mm256_min_epu16(a, b); }
    static Int add16(Int a, Int b) { return _mm256_add_epi16(a, b); }
    static Int subtract16(Int a, Int b) { return _mm256_sub_epi16(a, b); }
    static Int min16(Int a, Int b) { return _mm256_min_epi16(a, b); }
    static Int max16(Int a, Int b) { return _mm256_max_epi16(a, b); }
    static Int abs16(Int v) { return _mm256_abs_epi16(v); }
    static Mask16 equal16(Int a, Int b) { return _mm256_cmpeq_epi16(a, b); }
    static Int select16(Mask16 mask, Int a, Int b) { return _mm256_blendv_epi8(b, a, mask); }
    static std::uint32_t differing16(Int a, Int b)
    {
        return _pext_u32(~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(a, b))), 0x55555555);
    }
    static Int pairs_low16(Int a, Int b) { return _mm256_unpacklo_epi16(a, b); }
    static Int pairs_high16(Int a, Int b) { return _mm256_unpackhi_epi16(a, b); }
    static Int shift_right16(Int v, unsigned bits) { return _mm256_srli_epi16(v, static_cast<int>(bits)); }
    static Int shift_right_signed16(Int v, unsigned bits) { return _mm256_srai_epi16(v, static_cast<int>(bits)); }
    static Int multiply_rounded16(Int a, Int b) { return _mm256_mulhrs_epi16(a, b); }
    static void transpose16(Int (&rows)[8])
    {
        for (unsigned round = 0; round < 3; ++round) {
            Int shuffled[8];
            for (unsigned i = 0; i < 4; ++i) {
                shuffled[2 * i] = _mm256_unpacklo_epi16(rows[i], rows[i + 4]);
                shuffled[2 * i + 1] = _mm256_unpackhi_epi16(rows[i], rows[i + 4]);
            }
            for (unsigned i = 0; i < 8; ++i)
                rows[i] = shuffled[i];
        }
    }
    static Int multiply_pairs(Int a, Int b) { return _mm256_madd_epi16(a, b); }
    static Int add_pair_products(Int sum, Int a, Int b) { return sum_with_pair_products(sum, a, b); }
    static Int pack_signed32(Int a, Int b) { return _mm256_packs_epi32(a, b); }
    static void split_halves(Int a, Int b, Int &low, Int &high)
    {
        const Int halves_apart =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
        a = _mm256_shuffle_epi8(a, halves_apart);
        b = _mm256_shuffle_epi8(b, halves_apart);
        low = _mm256_unpacklo_epi64(a, b);
        high = _mm256_unpackhi_epi64(a, b);
    }

    static Int add32(Int a, Int b) { return _mm256_add_epi32(a, b); }
    static Int subtract32(Int a, Int b) { return _mm256_sub_epi32(a, b); }
    static Int max32(Int a, Int b) { return _mm256_max_epi32(a, b); }
    static Int min32(Int a, Int b) { return _mm256_min_epi32(a, b); }
    static Int abs32(Int v) { return _mm256_abs_epi32(v); }
    static Int multiply_low32(Int a, Int b) { return _mm256_mullo_epi32(a, b); }
    static Int multiply_small32(Int a, Int b) { return _mm256_madd_epi16(a, b); }
    static Int pair_low_halves(Int a, Int b) { return _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0xaa); }
    static bool is_zero(Int v) { return _mm256_testz_si256(v, v) != 0; }
    static Mask equal32(Int a, Int b) { return _mm256_cmpeq_epi32(a, b); }
    static Mask greater32(Int a, Int b) { return _mm256_cmpgt_epi32(a, b); }
    static Mask both(Mask a, Mask b) { return _mm256_and_si256(a, b); }
    static bool all(Mask mask) { return _mm256_movemask_epi8(mask) == -1; }
    static Int select(Mask mask, Int a, Int b) { return _mm256_blendv_epi8(b, a, mask); }
    static Int keep(Mask mask, Int v) { return _mm256_and_si256(mask, v); }
    static Int drop(Mask mask, Int v) { return _mm256_andnot_si256(mask, v); }
    static Int count(Int sums, Mask mask) { return _mm256_sub_epi32(sums, mask); }
    static void store_mask(std::int32_t *to, Mask mask) { store32(to, mask); }
    static Mask load_mask(const std::int32_t *from) { return load32(from); }
    static Int bit_and(Int a, Int b) { return _mm256_and_si256(a, b); }
    static Int bit_or(Int a, Int b) { return _mm256_or_si256(a, b); }
    static Int bit_xor(Int a, Int b) { return _mm256_xor_si256(a, b); }
    static Int shift_left32(Int v, unsigned bits)
    {
        return _mm256_sll_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right32(Int v, unsigned bits)
    {
        return _mm256_srl_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right_signed32(Int v, unsigned bits)
    {
        return _mm256_sra_epi32(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_left32_by(Int v, Int bits) { return _mm256_sllv_epi32(v, bits); }
    static Int shift_right32_by(Int v, Int bits) { return _mm256_srlv_epi32(v, bits); }
    static Int add_widened32(Int sums, Int v)
    {
        const Int even = _mm256_and_si256(v, _mm256_set1_epi64x(0xffffffff));
        return _mm256_add_epi64(sums, _mm256_add_epi64(even, _mm256_srli_epi64(v, 32)));
    }
    static Int odd_to_even32(Int v) { return _mm256_srli_epi64(v, 32); }
    static Int multiply_even32(Int a, Int b) { return _mm256_mul_epu32(a, b); }
    static Int even_and_odd32(Int even, Int odd) { return _mm256_blend_epi32(even, odd, 0xaa); }
    static Int set64(std::uint64_t value) { return _mm256_set1_epi64x(static_cast<long long>(value)); }
    static Int add64(Int a, Int b) { return _mm256_add_epi64(a, b); }
    static Int shift_left64(Int v, unsigned bits)
    {
        return _mm256_sll_epi64(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int shift_right64(Int v, unsigned bits)
    {
        return _mm256_srl_epi64(v, _mm_cvtsi32_si128(static_cast<int>(bits)));
    }
    static Int multiply_rounded_high32(Int a, Int b, Int odd_a, Int odd_b)
    {
        const Int half = _mm256_set1_epi64x(0x80000000);
        const Int even = _mm256_add_epi64(_mm256_mul_epu32(a, b), half);
        const Int odd = _mm256_add_epi64(_mm256_mul_epu32(odd_a, odd_b), half);
        return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
    }

    static Double doubles(const std::int32_t *from)
    {
        return _mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
    }
    static Double low_doubles(Int v) { return _mm256_cvtepi32_pd(_mm256_castsi256_si128(v)); }
    static Double high_doubles(Int v) { return _mm256_cvtepi32_pd(_mm256_extracti128_si256(v, 1)); }
    static Int truncated(Double low, Double high)
    {
        return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm256_cvttpd_epi32(low)), _mm256_cvttpd_epi32(high), 1);
    }
    static Double min(Double a, Double b) { return _mm256_min_pd(a, b); }

    static Double max(Double a, Double b) { return _mm256_max_pd(a, b); }
    static Double whole(Double v) { return _mm256_round_pd(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
    static Mask not_less(Double low_a, Double high_a, Double low_b, Double high_b)
    {
        const __m256 low = _mm256_castpd_ps(_mm256_cmp_pd(low_a, low_b, _CMP_GE_OQ));
        const __m256 high = _mm256_castpd_ps(_mm256_cmp_pd(high_a, high_b, _CMP_GE_OQ));
        return _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88)), 0xd8);
    }
    static Float to_float(Int v) { return _mm256_cvtepi32_ps(v); }
    static Double low_doubles(Float v) { return _mm256_cvtps_pd(_mm256_castps256_ps128(v)); }
    static Double high_doubles(Float v) { return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)); }
    // The bits of binary32 moved to their places in binary64: the exponent's bias makes it 2^-896
    // times the value.
    static void to_scaled(Float v, Double &first, Double &second)
    {
        const Int bits = _mm256_castps_si256(v), odd = _mm256_and_si256(bits, _mm256_set1_epi64x(~0xffffffffLL));
        first = _mm256_castsi256_pd(_mm256_mul_epu32(bits, _mm256_set1_epi64x(1 << 29)));
        second = _mm256_castsi256_pd(_mm256_srli_epi64(odd, 3));
    }
    static Float from_scaled(Double first, Double second)
    {
        const Double scale = _mm256_set1_pd(0x1p896);
        const __m128 even = _mm256_cvtpd_ps(first * scale), odd = _mm256_cvtpd_ps(second * scale);
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_unpacklo_ps(even, odd)), _mm_unpackhi_ps(even, odd), 1);
    }

    static Int upper_float_bits(Int v)
    {
        // The bit below the 16 that count is cleared, so that rounding cannot carry into them.
        return _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_andnot_si256(_mm256_srli_epi32(v, 16), v)));
    }
    static Int as_int(Float v) { return _mm256_castps_si256(v); }
    static Float as_float(Int v) { return _mm256_castsi256_ps(v); }
    static Float max(Float a, Float b) { return _mm256_max_ps(a, b); }
    static Float square_root(Float v) { return _mm256_sqrt_ps(v); }
    static Int truncated(Float v) { return _mm256_cvttps_epi32(v); }
    static Float multiply_add(Float a, Float b, Float c) { return _mm256_fmadd_ps(a, b, c); }
    static Float look_up(const float *table, Int index)
    {
        return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), index);
    }
};

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
