#include "feature/ssimulacra2_oracle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace vmaf::test {
namespace {

struct Image {
    unsigned width, height;
    std::vector<double> values;

    Image(unsigned w, unsigned h) : width(w), height(h), values(std::size_t{w} * h) {}
    double &at(unsigned x, unsigned y) { return values[std::size_t{y} * width + x]; }
    double at(unsigned x, unsigned y) const { return values[std::size_t{y} * width + x]; }
    /// Blur of spec ssimulacra2 3.6, with zeros outside.
    double or_zero(long x, long y) const
    {
        const bool inside = x >= 0 && y >= 0 && x < static_cast<long>(width) && y < static_cast<long>(height);
        return inside ? at(static_cast<unsigned>(x), static_cast<unsigned>(y)) : 0;
    }
};
using Colours = std::array<Image, 3>;

double sample(const PlaneView &plane, unsigned x, unsigned y)
{
    return plane.bpc == 8 ? plane.row<std::uint8_t>(y)[x] : plane.row<std::uint16_t>(y)[x];
}

double to_linear(double v)
{
    v = std::clamp(v, 0.0, 1.0);
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

// 3.1, 3.2.
Colours linear_rgb(const PlaneView (&planes)[3], const PictureFormat &format, int yuv_matrix)
{
    const bool bt601 = yuv_matrix % 2 == 1, full = yuv_matrix >= 2;
    const double kr = bt601 ? 0.299 : 0.2126, kg = bt601 ? 0.587 : 0.7152, kb = bt601 ? 0.114 : 0.0722;
    const double peak = (1U << format.bpc) - 1;
    const auto chroma = [&](unsigned plane, unsigned x, unsigned y) {
        if (format.plane_count() == 1)
            return 0.0;
        const unsigned column = format.plane_width(1) == format.width ? x : x / 2,
                       row = format.plane_height(1) == format.height ? y : y / 2;
        const double c = sample(planes[plane], std::min(column, format.plane_width(1) - 1),
                                std::min(row, format.plane_height(1) - 1)) /
                             peak -
                         0.5;
        return full ? c : c * 255 / 224;
    };
    Colours rgb{Image(format.width, format.height), Image(format.width, format.height),
                Image(format.width, format.height)};
    for (unsigned y = 0; y < format.height; ++y)
        for (unsigned x = 0; x < format.width; ++x) {
            const double code = sample(planes[0], x, y) / peak;
            const double luma = full ? code : (code - 16.0 / 255) * 255 / 219;
            const double u = chroma(1, x, y), v = chroma(2, x, y);
            rgb[0].at(x, y) = to_linear(luma + 2 * (1 - kr) * v);
            rgb[1].at(x, y) = to_linear(luma - 2 * kb * (1 - kb) / kg * u - 2 * kr * (1 - kr) / kg * v);
            rgb[2].at(x, y) = to_linear(luma + 2 * (1 - kb) * u);
        }
    return rgb;
}

// 3.3.
Image halved(const Image &from)
{
    Image half((from.width + 1) / 2, (from.height + 1) / 2);
    for (unsigned y = 0; y < half.height; ++y)
        for (unsigned x = 0; x < half.width; ++x) {
            const unsigned x1 = std::min(2 * x + 1, from.width - 1), y1 = std::min(2 * y + 1, from.height - 1);
            half.at(x, y) = (from.at(2 * x, 2 * y) + from.at(x1, 2 * y) + from.at(2 * x, y1) + from.at(x1, y1)) / 4;
        }
    return half;
}

// 3.4.
Colours xyb(const Colours &rgb)
{
    constexpr double kBias = 0.0037930732552754493;
    Colours out = rgb;
    for (std::size_t i = 0; i < rgb[0].values.size(); ++i) {
        const double r = rgb[0].values[i], g = rgb[1].values[i], b = rgb[2].values[i];
        const auto cone = [&](double red, double green) {
            return std::cbrt(std::max(red * r + green * g + (1 - red - green) * b + kBias, 0.0)) - std::cbrt(kBias);
        };
        const double l = cone(0.30, 0.622), m = cone(0.23, 0.692), s = cone(0.24342268924547819, 0.20476744424496821);
        out[0].values[i] = 14 * (l - m) / 2 + 0.42;
        out[1].values[i] = (l + m) / 2 + 0.01;
        out[2].values[i] = s - (l + m) / 2 + 0.55;
    }
    return out;
}

// 3.6.
Image blurred(const Image &from)
{
    constexpr double kTaps[5] = {0.26462110548819856, 0.2129285920104222, 0.10933537277746032, 0.036011114658364374,
                                 0.0094143678096537};
    Image rows = from, out = from;
    const auto blur = [&](const Image &in, Image &result, long dx, long dy) {
        for (unsigned y = 0; y < in.height; ++y)
            for (unsigned x = 0; x < in.width; ++x) {
                double sum = 0;
                for (long k = -4; k <= 4; ++k)
                    sum += kTaps[std::abs(k)] * in.or_zero(x + k * dx, y + k * dy);
                result.at(x, y) = sum;
            }
    };
    blur(from, rows, 1, 0);
    blur(rows, out, 0, 1);
    return out;
}

Image product(const Image &a, const Image &b)
{
    Image out = a;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        out.values[i] *= b.values[i];
    return out;
}

// 3.5.
void add_maps(const Image &x, const Image &y, double (&sums)[kSsimulacra2Norms][kSsimulacra2Maps])
{
    const Image mu1 = blurred(x), mu2 = blurred(y), xx = blurred(product(x, x)), yy = blurred(product(y, y)),
                xy = blurred(product(x, y));
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        const double m1 = mu1.values[i], m2 = mu2.values[i];
        const double similarity = (1 - (m1 - m2) * (m1 - m2)) * (2 * (xy.values[i] - m1 * m2) + 0.0009) /
                                  ((xx.values[i] - m1 * m1) + (yy.values[i] - m2 * m2) + 0.0009);
        const double t = (1 + std::fabs(y.values[i] - m2)) / (1 + std::fabs(x.values[i] - m1)) - 1;
        const double maps[kSsimulacra2Maps] = {std::max(0.0, 1 - similarity), std::max(0.0, t), std::max(0.0, -t)};
        for (unsigned map = 0; map < kSsimulacra2Maps; ++map) {
            sums[0][map] += maps[map];
            sums[1][map] += std::pow(maps[map], 4);
        }
    }
}

} // namespace

Ssimulacra2Sums ssimulacra2_by_definition(const FramePlanes &planes, const PictureFormat &format, int yuv_matrix)
{
    Colours ref = linear_rgb(planes.ref, format, yuv_matrix), dis = linear_rgb(planes.dis, format, yuv_matrix);
    Ssimulacra2Sums sums{};
    const unsigned scale_count = ssimulacra2_scale_count(format.width, format.height);
    for (unsigned scale = 0; scale < scale_count; ++scale) {
        if (scale > 0)
            for (unsigned channel = 0; channel < 3; ++channel) {
                ref[channel] = halved(ref[channel]);
                dis[channel] = halved(dis[channel]);
            }
        const Colours x = xyb(ref), y = xyb(dis);
        for (unsigned plane = 0; plane < kSsimulacra2Planes; ++plane)
            add_maps(x[plane], y[plane], sums.sums[plane][scale]);
    }
    return sums;
}

} // namespace vmaf::test
