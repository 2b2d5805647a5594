#include "feature/common/light_curve_table.h"

namespace vmaf {
namespace {

std::uint64_t segment_of(double light)
{
    return bits_of_double(light) >> kCurveOffsetBits;
}

std::uint64_t rounded_upper_half(double value)
{
    return (bits_of_double(value) + 0x80000000) >> 32;
}

/// The polynomial through the function at Chebyshev's five nodes, by its even and odd parts.
CurveSegment segment_through(double (*function)(double), double middle, double unit)
{
    constexpr double kHalf = 0.5 / (1U << kCurveSegmentBits);
    constexpr double kInner = kHalf * 0.58778525229247313,
                     kOuter = kHalf * 0.95105651629515357; // cos 3 pi/10, cos pi/10
    constexpr double kInner2 = kInner * kInner, kOuter2 = kOuter * kOuter;
    struct Parts {
        double even, odd; // of the function beside its middle value, over u^2 and u
    };
    const double c0 = function(middle);
    const auto parts = [&](double u) {
        const double above = function(middle + unit * u), below = function(middle - unit * u);
        return Parts{(0.5 * (above + below) - c0) / (u * u), 0.5 * (above - below) / u};
    };
    const Parts inner = parts(kInner), outer = parts(kOuter);
    const double c3 = (outer.odd - inner.odd) / (kOuter2 - kInner2),
                 c4 = (outer.even - inner.even) / (kOuter2 - kInner2);
    return {c0, inner.odd - c3 * kInner2, inner.even - c4 * kInner2,
            rounded_upper_half(c3) << 32 | rounded_upper_half(c4)};
}

} // namespace

LightCurveTable::LightCurveTable(double (*function)(double), double least, double most) : least_(least), most_(most)
{
    constexpr std::uint64_t kMiddleBit = std::uint64_t{1} << (kCurveOffsetBits - 1), kExponent = 0x7ff0000000000000;
    for (std::uint64_t segment = segment_of(least); segment <= segment_of(most); ++segment) {
        const std::uint64_t middle = segment << kCurveOffsetBits | kMiddleBit;
        segments_.push_back(segment_through(function, double_of_bits(middle), double_of_bits(middle & kExponent)));
    }
}

LightCurve LightCurveTable::curve(const CurveSegment *segments) const
{
    return {segments, segment_of(least_), least_, most_};
}

} // namespace vmaf
