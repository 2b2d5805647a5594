#pragma once

#include "base/vectors.h"

// The curve of spec vif 3.4 without a table in memory: for a binary32 number with mantissa m /
// 32768, T(m) - 30720 is the integer part of a polynomial in binary32, for every m from 32768 to
// 65535, whether multiplications and additions are fused or not. Found by a search over
// coefficients next to those of Chebyshev interpolation, or for degree 2 next to those of a linear
// program that keeps away from T(m) and T(m) + 1; checked for all m (spec vif 5). The test
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

template <> struct VifLogPolynomial<5> {
    static constexpr unsigned kDegree = 2;
    alignas(64) static constexpr float kCoefficient[kDegree + 1][32] = {
        {0x1.727d82p+5f,  0x1.0fb41cp+7f,  0x1.bd844cp+7f,  0x1.332eep+8f,   0x1.85433cp+8f,  0x1.d51f58p+8f,
         0x1.1170a4p+9f,  0x1.37525ep+9f,  0x1.5c41a4p+9f,  0x1.8049fap+9f,  0x1.a377dp+9f,   0x1.c5d302p+9f,
         0x1.e766cp+9f,   0x1.041db2p+10f, 0x1.142cbcp+10f, 0x1.23e43ep+10f, 0x1.3347dap+10f, 0x1.425b1ap+10f,
         0x1.512132p+10f, 0x1.5f9cfap+10f, 0x1.6dd1aap+10f, 0x1.7bc1aep+10f, 0x1.896f7cp+10f, 0x1.96ddbep+10f,
         0x1.a40e8cp+10f, 0x1.b1042ap+10f, 0x1.bdc09p+10f,  0x1.ca458ap+10f, 0x1.d69552p+10f, 0x1.e2b168p+10f,
         0x1.ee9b68p+10f, 0x1.fa54f6p+10f},
        {0x1.6ba704p+11f, 0x1.60d29ap+11f, 0x1.5698c2p+11f, 0x1.4cf024p+11f, 0x1.43c8a8p+11f, 0x1.3b2f3p+11f,
         0x1.32f06p+11f,  0x1.2b3204p+11f, 0x1.23d538p+11f, 0x1.1cdce2p+11f, 0x1.161cp+11f,   0x1.0faec6p+11f,
         0x1.0993fcp+11f, 0x1.03bd0cp+11f, 0x1.fc5a3ap+10f, 0x1.f1a5b4p+10f, 0x1.e7616ep+10f, 0x1.dd8c4ep+10f,
         0x1.d4126ep+10f, 0x1.cafb08p+10f, 0x1.c23b44p+10f, 0x1.b9d84p+10f,  0x1.b1b0acp+10f, 0x1.a9db32p+10f,
         0x1.a25aacp+10f, 0x1.9b15f4p+10f, 0x1.94259ep+10f, 0x1.8d3982p+10f, 0x1.86b832p+10f, 0x1.804d6ap+10f,
         0x1.7a389p+10f,  0x1.743836p+10f},
        {-0x1.68cc56p+10f, -0x1.5201b6p+10f, -0x1.3ab93ep+10f, -0x1.2da7a2p+10f, -0x1.287c0ap+10f, -0x1.0eaf2ep+10f,
         -0x1.f6e8b6p+9f,  -0x1.e6e466p+9f,  -0x1.ccf7cap+9f,  -0x1.9d2234p+9f,  -0x1.b1f93cp+9f,  -0x1.8eaca6p+9f,
         -0x1.7287f2p+9f,  -0x1.683006p+9f,  -0x1.689bfp+9f,   -0x1.519fc4p+9f,  -0x1.41c778p+9f,  -0x1.2dd71cp+9f,
         -0x1.2a74a4p+9f,  -0x1.15dbe4p+9f,  -0x1.12b154p+9f,  -0x1.0bdc0cp+9f,  -0x1.efce22p+8f,  -0x1.e9c112p+8f,
         -0x1.c8fdc2p+8f,  -0x1.d1e308p+8f,  -0x1.c5acd8p+8f,  -0x1.90a84cp+8f,  -0x1.a17b2p+8f,   -0x1.aff06ep+8f,
         -0x1.83bb18p+8f,  -0x1.78bd22p+8f},
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
