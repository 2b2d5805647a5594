#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "feature/feature_runner.h"

/// spec hdr 1, 3 and 4 in double precision, pixel by pixel and directly from the formulas.
namespace vmaf::test::hdr_oracle {

using Colour = std::array<double, 3>;

/// Meaning of samples, as options state it.
struct Signal {
    int yuv_matrix = 0;
    std::string transfer = "sdr";
    std::string primaries = "bt709";
};

inline Options options_of(const Signal &signal)
{
    return {{"yuv_matrix", std::to_string(signal.yuv_matrix)},
            {"transfer", signal.transfer},
            {"primaries", signal.primaries}};
}

/// spec ssimulacra2 3.1, hdr 3.
inline Colour encoded(const TestPicture &picture, int yuv_matrix, unsigned x, unsigned y)
{
    constexpr double kRed[3] = {0.2126, 0.299, 0.2627}, kBlue[3] = {0.0722, 0.114, 0.0593};
    constexpr int kColours[6] = {0, 1, 0, 1, 2, 2};
    const bool full = yuv_matrix == 2 || yuv_matrix == 3 || yuv_matrix == 5;
    const double kr = kRed[kColours[yuv_matrix]], kb = kBlue[kColours[yuv_matrix]], kg = 1 - kr - kb;
    const PictureFormat &format = picture.format();
    const double peak = (1U << format.bpc) - 1;
    const double luma = full ? picture.at(0, x, y) / peak : (picture.at(0, x, y) / peak - 16.0 / 255) * 255 / 219;
    double chroma[2] = {0, 0};
    for (unsigned plane = 1; plane < format.plane_count(); ++plane) {
        const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
        const unsigned column = width == format.width ? x : std::min(x / 2, width - 1);
        const unsigned row = height == format.height ? y : std::min(y / 2, height - 1);
        const double sample = picture.at(plane, column, row) / peak - 0.5;
        chroma[plane - 1] = full ? sample : sample * 255 / 224;
    }
    const auto [u, v] = std::array{chroma[0], chroma[1]};
    Colour rgb{luma + 2 * (1 - kr) * v, luma - 2 * kb * (1 - kb) / kg * u - 2 * kr * (1 - kr) / kg * v,
               luma + 2 * (1 - kb) * u};
    for (double &value : rgb)
        value = std::clamp(value, 0.0, 1.0);
    return rgb;
}

inline double pq_light(double v)
{
    const double t = std::pow(v, 1 / 78.84375);
    return 10000 * std::pow(std::max(t - 0.8359375, 0.0) / (18.8515625 - 18.6875 * t), 1 / 0.1593017578125);
}

inline double pq(double light)
{
    const double t = std::pow(light / 10000, 0.1593017578125);
    return std::pow((0.8359375 + 18.8515625 * t) / (1 + 18.6875 * t), 78.84375);
}

/// Light by spec hdr 1, without black and reflection; `peak` in cd/m2.
inline Colour light(const Colour &v, const std::string &transfer, double peak, double hlg_gamma = 1.2)
{
    Colour out{};
    for (std::size_t i = 0; i < 3; ++i) {
        if (transfer == "pq")
            out[i] = std::min(pq_light(v[i]), peak);
        else if (transfer == "srgb")
            out[i] = peak * (v[i] <= 0.04045 ? v[i] / 12.92 : std::pow((v[i] + 0.055) / 1.055, 2.4));
        else if (transfer == "bt1886")
            out[i] = peak * std::pow(v[i], 2.4);
        else if (transfer == "linear")
            out[i] = peak * v[i];
        else {
            constexpr double a = 0.17883277, b = 1 - 4 * a;
            const double c = 0.5 - a * std::log(4 * a);
            out[i] = v[i] <= 0.5 ? v[i] * v[i] / 3 : (std::exp((v[i] - c) / a) + b) / 12;
        }
    }
    if (transfer == "hlg") {
        const double luminance = 0.2627 * out[0] + 0.6780 * out[1] + 0.0593 * out[2];
        for (double &value : out)
            value *= luminance > 0 ? peak * std::pow(luminance, hlg_gamma - 1) : 0;
    }
    return out;
}

/// Matrices from the chromaticities of spec hdr 5, computed by Python in fractions of integers.
inline Colour to_bt2020(const Colour &rgb, const std::string &primaries)
{
    if (primaries == "bt2020")
        return rgb;
    constexpr double kBt709[3][3] = {{0.627403895934699, 0.329283038377884, 0.043313065687417},
                                     {0.069097289358232, 0.919540395075459, 0.011362315566309},
                                     {0.016391438875150, 0.088013307877226, 0.895595253247624}};
    constexpr double kP3[3][3] = {{0.753833034361722, 0.198597369052616, 0.047569596585662},
                                  {0.045743848965358, 0.941777219811694, 0.012478931222948},
                                  {-0.001210340354518, 0.017601717301090, 0.983608623053428}};
    const auto &m = primaries == "p3" ? kP3 : kBt709;
    Colour out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = std::max(m[i][0] * rgb[0] + m[i][1] * rgb[1] + m[i][2] * rgb[2], 0.0);
    return out;
}

/// spec hdr 4.
inline double delta_e_itp(const Colour &a, const Colour &b)
{
    const auto itp = [](const Colour &c) {
        const double l = pq((1688 * c[0] + 2146 * c[1] + 262 * c[2]) / 4096);
        const double m = pq((683 * c[0] + 2951 * c[1] + 462 * c[2]) / 4096);
        const double s = pq((99 * c[0] + 309 * c[1] + 3688 * c[2]) / 4096);
        return Colour{(l + m) / 2, (6610 * l - 13613 * m + 7003 * s) / 8192, (17933 * l - 17390 * m - 543 * s) / 4096};
    };
    const Colour x = itp(a), y = itp(b);
    return 720 * std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

/// spec hdr 3.
inline double pu(double luminance)
{
    const double y = std::clamp(luminance, 0.005, 10000.0), power = std::pow(y, 0.9062562627);
    const double base = (0.353487901 + 0.3734658629 * power) / (1 + 8.277049286e-05 * power);
    return std::max(596.3148142 * (std::pow(base, 0.09150303166) - 0.9099517204), 0.0);
}

/// A picture whose colours change all over, and a copy as after a coarse encode.
struct Pair {
    TestPicture ref, dis;

    explicit Pair(const PictureFormat &format, unsigned seed = 1) : ref(format), dis(format)
    {
        const double peak = (1U << format.bpc) - 1;
        ref.fill([&](unsigned plane, unsigned x, unsigned y) {
            return peak * (0.5 + 0.47 * std::sin(0.37 * x + 0.21 * y * (plane + 1) + plane + seed));
        });
        dis.fill([&](unsigned plane, unsigned x, unsigned y) {
            const double step = peak / (x % 3 == 0 ? 90 : 31);
            return std::min(std::round(ref.at(plane, x, y) / step) * step, peak);
        });
    }

    FramePlanes planes() const { return planes_of(ref, dis); }
};

} // namespace vmaf::test::hdr_oracle
