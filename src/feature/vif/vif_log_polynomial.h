#pragma once

#include "base/vectors.h"

// The curve of spec vif 3.4 without a table in memory: for a binary32 number with mantissa m /
// 32768, T(m) - 30720 is the integer part of a polynomial in binary32, for every m from 32768 to
// 65535, whether multiplications and additions are fused or not. Found by a search over
// coefficients next to those of Chebyshev interpolation, checked for all m (spec vif 5); the test
// VifCpu.LogarithmIsExactForEveryMantissa checks it again.

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// The mantissas 1 to 2 in 2^SegmentBits segments of equal length, a polynomial each, in the
/// distance from the segment's centre.
template <unsigned SegmentBits> struct VifLogPolynomial;

template <> struct VifLogPolynomial<0> {
    static constexpr unsigned kDegree = 9;
    alignas(64) static constexpr float kCoefficient[kDegree + 1][1] = {
        {0x1.2ba044p+10f}, {0x1.ec709ep+10f}, {-0x1.484aa8p+9f}, {0x1.23d06ap+8f},  {-0x1.23f90cp+7f},
        {0x1.37759ap+6f},  {-0x1.52eb84p+5f}, {0x1.8346a8p+4f},  {-0x1.2281c2p+4f}, {0x1.5ee932p+3f},
    };
};

template <> struct VifLogPolynomial<3> {
    static constexpr unsigned kDegree = 3;
    alignas(64) static constexpr float kCoefficient[kDegree + 1][8] = {
        {0x1.674058p+7f, 0x1.fc41d4p+8f, 0x1.91fbc8p+9f, 0x1.0c306p+10f, 0x1.49c792p+10f, 0x1.82a0acp+10f,
         0x1.b76956p+10f, 0x1.e8ac7cp+10f},
        {0x1.5b9ad6p+11f, 0x1.37037ep+11f, 0x1.1964eap+11f, 0x1.00ecbcp+11f, 0x1.d8be02p+10f, 0x1.b5b97p+10f,
         0x1.97896ap+10f, 0x1.7d3e66p+10f},
        {-0x1.47a02ep+10f, -0x1.063f58p+10f, -0x1.ad472cp+9f, -0x1.65bf76p+9f, -0x1.2ec6c2p+9f, -0x1.038998p+9f,
         -0x1.c1f492p+8f, -0x1.89bf9ep+8f},
        {0x1.997522p+9f, 0x1.267a6cp+9f, 0x1.b430ep+8f, 0x1.4d06d4p+8f, 0x1.028ae6p+8f, 0x1.9973bp+7f, 0x1.4bf80cp+7f,
         0x1.10dbdep+7f},
    };
};

template <> struct VifLogPolynomial<4> {
    static constexpr unsigned kDegree = 3;
    alignas(64) static constexpr float kCoefficient[kDegree + 1][16] = {
        {0x1.6dae5p+6f, 0x1.0945a6p+8f, 0x1.ad761p+8f, 0x1.248094p+9f, 0x1.6e622ep+9f, 0x1.b4bedp+9f, 0x1.f7e86ap+9f,
         0x1.1c131cp+10f, 0x1.3adb48p+10f, 0x1.58682ap+10f, 0x1.74d20cp+10f, 0x1.902e6cp+10f, 0x1.aa9098p+10f,
         0x1.c409d6p+10f, 0x1.dca9a8p+10f, 0x1.f47e16p+10f},
        {0x1.66233cp+11f, 0x1.51ac4p+11f, 0x1.3f6b7ep+11f, 0x1.2f09f4p+11f, 0x1.2041ecp+11f, 0x1.12d9a6p+11f,
         0x1.06a26cp+11f, 0x1.f6eabp+10f, 0x1.e263dep+10f, 0x1.cf7942p+10f, 0x1.bdfc02p+10f, 0x1.adc3ecp+10f,
         0x1.9eafaep+10f, 0x1.90a13ep+10f, 0x1.837eaap+10f, 0x1.7731aap+10f},
        {-0x1.5b67b4p+10f, -0x1.34c7fap+10f, -0x1.145b0ep+10f, -0x1.f1672cp+9f, -0x1.c218cap+9f, -0x1.9930a4p+9f,
         -0x1.75a09p+9f, -0x1.5670eap+9f, -0x1.3b188cp+9f, -0x1.22dp+9f, -0x1.0d4786p+9f, -0x1.f423c8p+8f,
         -0x1.d1af2ep+8f, -0x1.b29edep+8f, -0x1.9684ep+8f, -0x1.7d1554p+8f},
        {0x1.c21a5ap+9f, 0x1.76613ap+9f, 0x1.409964p+9f, 0x1.10440ap+9f, 0x1.d46bdap+8f, 0x1.960a3ap+8f, 0x1.60d75cp+8f,
         0x1.3663d2p+8f, 0x1.126172p+8f, 0x1.e7855p+7f, 0x1.b1131cp+7f, 0x1.8c6d72p+7f, 0x1.5c97d6p+7f, 0x1.43f2b8p+7f,
         0x1.19922ep+7f, 0x1.015cbep+7f},
    };
};

/// T(m) - 30720 of binary32 numbers whose mantissa begins with the 15 bits of m; lower bits count
/// for nothing.
inline Vectors::Int vif_log_curve(Vectors::Int bits)
{
    using V = Vectors;
    using Polynomial = VifLogPolynomial<V::kLookupBits>;
    constexpr unsigned kSegmentBits = 23 - V::kLookupBits;
    constexpr std::uint32_t kOne = 0x3f800000, kInSegment = ((1U << kSegmentBits) - 1) & ~0xffU;
    constexpr float kCentre = 1.0F + 0.5F / (1U << V::kLookupBits);
    const V::Int segment = V::shift_right32(bits, kSegmentBits);
    const V::Float t =
        V::as_float(V::bit_or(V::bit_and(bits, V::set32(kInSegment)), V::set32(kOne))) - V::set_float(kCentre);
    V::Float sum = V::look_up(Polynomial::kCoefficient[Polynomial::kDegree], segment);
    for (unsigned k = Polynomial::kDegree; k-- > 0;)
        sum = V::multiply_add(sum, t, V::look_up(Polynomial::kCoefficient[k], segment));
    return V::truncated(sum);
}

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
