#pragma once

#include <smmintrin.h>

#include "base/vectors_sse2.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// Operations that need several instructions in SSE2, and one or two in SSE4.1.
struct Sse4Vectors : Sse2Vectors {
    static Int load_widened(const std::uint8_t *from)
    {
        return _mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)));
    }
    static Int load_widened(const std::uint16_t *from)
    {
        return _mm_cvtepu16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)));
    }
    static Int load_signed16(const std::int16_t *from)
    {
        return _mm_cvtepi16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)));
    }
    static void store_low16(std::uint16_t *to, Int v)
    {
        _mm_storel_epi64(reinterpret_cast<__m128i *>(to), _mm_packus_epi32(v, v));
    }

    static Int abs16(Int v) { return _mm_abs_epi16(v); }
    static Int min_u16(Int a, Int b) { return _mm_min_epu16(a, b); }
    static Int multiply_rounded16(Int a, Int b) { return _mm_mulhrs_epi16(a, b); }
    static void split_halves(Int a, Int b, Int &low, Int &high)
    {
        const Int halves_apart = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
        a = _mm_shuffle_epi8(a, halves_apart);
        b = _mm_shuffle_epi8(b, halves_apart);
        low = _mm_unpacklo_epi64(a, b);
        high = _mm_unpackhi_epi64(a, b);
    }

    static Int select16(Mask16 mask, Int a, Int b) { return _mm_blendv_epi8(b, a, mask); }
    static bool is_zero(Int v) { return _mm_testz_si128(v, v) != 0; }

    static Int max32(Int a, Int b) { return _mm_max_epi32(a, b); }
    static Int min32(Int a, Int b) { return _mm_min_epi32(a, b); }
    static Int abs32(Int v) { return _mm_abs_epi32(v); }
    static Int multiply_low32(Int a, Int b) { return _mm_mullo_epi32(a, b); }
    static Int pair_low_halves(Int a, Int b) { return _mm_blend_epi16(a, _mm_slli_epi32(b, 16), 0xaa); }
    static Int select(Mask mask, Int a, Int b) { return _mm_blendv_epi8(b, a, mask); }
    static Int even_and_odd32(Int even, Int odd) { return _mm_blend_epi16(even, odd, 0xcc); }
    static Int multiply_rounded_high32(Int a, Int b, Int odd_a, Int odd_b)
    {
        const Int half = _mm_set1_epi64x(0x80000000);
        const Int even = _mm_add_epi64(_mm_mul_epu32(a, b), half);
        const Int odd = _mm_add_epi64(_mm_mul_epu32(odd_a, odd_b), half);
        return even_and_odd32(_mm_srli_epi64(even, 32), odd);
    }

    static Double whole(Double v) { return _mm_round_pd(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
};

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
