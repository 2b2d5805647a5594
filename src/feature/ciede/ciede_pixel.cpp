#include "feature/ciede/ciede_pixel.h"

#include <cmath>

namespace vmaf {
namespace {

constexpr double kPi = kCiedePi;

struct Lab {
    float l, a, b;
};

float rounded(double value)
{
    return static_cast<float>(value);
}

double wide(float value)
{
    return static_cast<double>(value);
}

double squared(float value)
{
    return wide(value) * wide(value);
}

double linear(double c)
{
    return c > kCiedeLinearLimit ? std::pow((c + 0.055) * (1 / 1.055), 2.4) : c * (1 / 12.92);
}

double cube_root(double t)
{
    return wide(rounded(t > kCiedeCubeLimit ? std::pow(t, 1.0 / 3.0) : (kCiedeCubeSlope * t + 16) * (1.0 / 116.0)));
}

/// spec ciede 3.2.
Lab lab(const CiedeSample &sample, const CiedeRange &range)
{
    const double y = (sample.y - range.luma_black) * range.luma_step;
    const double u = (sample.u - range.chroma_zero) * range.chroma_step;
    const double v = (sample.v - range.chroma_zero) * range.chroma_step;
    const double r = linear(y + kCiedeRedFromV * v);
    const double g = linear(y - kCiedeGreenFromU * u - kCiedeGreenFromV * v);
    const double b = linear(y + kCiedeBlueFromU * u);
    const auto tristimulus = [&](const double(&row)[3]) { return r * row[0] + g * row[1] + b * row[2]; };
    const double fx = cube_root(tristimulus(kCiedeXyz[0]) * kCiedeWhiteX);
    const double fy = cube_root(tristimulus(kCiedeXyz[1]));
    const double fz = cube_root(tristimulus(kCiedeXyz[2]) * kCiedeWhiteZ);
    return {rounded(116 * fy - 16), rounded(500 * (fx - fy)), rounded(200 * (fy - fz))};
}

float chroma(float a, float b)
{
    return rounded(std::sqrt(squared(a) + squared(b)));
}

float hue(float p, float r)
{
    if (p == 0 && r == 0)
        return 0;
    const float t = rounded(std::atan2(wide(p), wide(r)));
    return t < 0 ? rounded(wide(t) + 2 * kPi) : t;
}

float hue_difference(float h1, float h2)
{
    const float difference = h2 - h1;
    if (wide(std::fabs(h1 - h2)) <= kPi)
        return difference;
    return rounded(h2 <= h1 ? wide(difference) + 2 * kPi : wide(difference) - 2 * kPi);
}

float hue_mean(float h1, float h2)
{
    return wide(std::fabs(h1 - h2)) > kPi ? rounded((wide(h1 + h2) + 2 * kPi) / 2) : (h1 + h2) / 2;
}

/// T of spec ciede 3.3.
float hue_weight(float mean)
{
    const double h = wide(mean);
    return rounded(1 - 0.17 * std::cos(h - kPi / 6) + 0.24 * std::cos(2 * h) + 0.32 * std::cos(3 * h + kPi / 30) -
                   0.20 * std::cos(4 * h - 7 * kPi / 20));
}

/// RT of spec ciede 3.3.
float rotation(float hue, float chroma)
{
    const float dg = rounded((wide(rounded(wide(hue) * kCiedeDegrees)) - 275) * (1.0 / 25.0));
    const float power = std::pow(chroma, 7.0F);
    const float d = rounded(60 * std::exp(-wide(dg * dg)));
    const float theta = rounded(wide(d) * kCiedeRadians);
    const float share = power / (power + rounded(kCiedePower25To7));
    return rounded(-2 * std::sqrt(wide(share)) * std::sin(wide(theta)));
}

/// spec ciede 3.3; names as there, with a prime as p.
float difference(const Lab &lab1, const Lab &lab2)
{
    const float dl = lab2.l - lab1.l;
    const float q = (lab1.l + lab2.l) / 2 - 50;
    const float c1 = chroma(lab1.a, lab1.b), c2 = chroma(lab2.a, lab2.b);
    const double power = std::pow(wide((c1 + c2) / 2), 7.0);
    const double g = 1 - std::sqrt(power / (power + kCiedePower25To7));
    const float a1p = rounded(wide(lab1.a) + wide(lab1.a / 2) * g);
    const float a2p = rounded(wide(lab2.a) + wide(lab2.a / 2) * g);
    const float c1p = chroma(a1p, lab1.b), c2p = chroma(a2p, lab2.b);
    const float cmp = (c1p + c2p) / 2;
    const float h1 = hue(lab1.b, a1p), h2 = hue(lab2.b, a2p);
    const float dh = c1 == 0 || c2 == 0 ? 0 : hue_difference(h1, h2);
    const float dhp = rounded(2 * std::sqrt(wide(c1p * c2p)) * std::sin(wide(dh) / 2));
    const float hm = hue_mean(h1, h2);

    const float sl = rounded(1 + (0.015 * squared(q)) / std::sqrt(20 + squared(q)));
    const float sc = rounded(1 + 0.045 * wide(cmp));
    const float sh = rounded(1 + 0.015 * wide(cmp) * wide(hue_weight(hm)));
    const float tl = dl / (kCiedeWeightL * sl);
    const float tc = (c2p - c1p) / (kCiedeWeightC * sc);
    const float tt = dhp / (kCiedeWeightH * sh);
    return rounded(std::sqrt(squared(tl) + squared(tc) + squared(tt) + wide((rotation(hm, cmp) * tc) * tt)));
}

} // namespace

float ciede_difference(const CiedeSample &ref, const CiedeSample &dis, const CiedeRange &range)
{
    return difference(lab(ref, range), lab(dis, range));
}

} // namespace vmaf
