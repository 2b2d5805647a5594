#include "feature/common/colour.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vmaf {
namespace {

// ITU-R BT.2100: PQ.
constexpr double kM1 = 0.1593017578125, kM2 = 78.84375, kC1 = 0.8359375, kC2 = 18.8515625, kC3 = 18.6875;
constexpr double kPqPeak = 10000;

double pq_light(double v)
{
    const double t = std::pow(v, 1 / kM2);
    return kPqPeak * std::pow(std::max(t - kC1, 0.0) / (kC2 - kC3 * t), 1 / kM1);
}

/// ITU-R BT.2100: the inverse of HLG's OETF.
double hlg_scene_light(double v)
{
    constexpr double kA = 0.17883277, kB = 1 - 4 * kA;
    const double c = 0.5 - kA * std::log(4 * kA);
    return v <= 0.5 ? v * v / 3 : (std::exp((v - c) / kA) + kB) / 12;
}

double srgb_light(double v)
{
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

struct Chromaticity {
    double x, y;
};
constexpr Chromaticity kD65{0.3127, 0.3290};
constexpr Chromaticity kRedGreenBlue[][3] = {{{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}},
                                             {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}},
                                             {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}};

/// X, Y, Z of light of that colour with Y = 1.
std::array<double, 3> xyz_of(const Chromaticity &colour)
{
    return {colour.x / colour.y, 1, (1 - colour.x - colour.y) / colour.y};
}

std::array<double, 3> product(const ColourMatrix &matrix, const std::array<double, 3> &v)
{
    std::array<double, 3> result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result[i] += matrix[i][j] * v[j];
    return result;
}

} // namespace

std::optional<Transfer> find_transfer(std::string_view name, Transfer sdr)
{
    if (name == "sdr")
        return sdr;
    if (name == "srgb")
        return Transfer::srgb;
    if (name == "bt1886")
        return Transfer::bt1886;
    if (name == "pq")
        return Transfer::pq;
    if (name == "hlg")
        return Transfer::hlg;
    if (name == "linear")
        return Transfer::linear;
    return std::nullopt;
}

double light_of(Transfer transfer, double component)
{
    switch (transfer) {
    case Transfer::srgb:
        return srgb_light(component);
    case Transfer::bt1886:
        return std::pow(component, 2.4);
    case Transfer::pq:
        return pq_light(component);
    case Transfer::hlg:
        return hlg_scene_light(component);
    case Transfer::linear:
        break;
    }
    return component;
}

double pq_component(double light)
{
    const double y = std::pow(std::max(light, 0.0) / kPqPeak, kM1);
    return std::pow((kC1 + kC2 * y) / (1 + kC3 * y), kM2);
}

double hlg_gamma(double peak, double ambient)
{
    constexpr double kNominal = 1.2;
    if (peak <= 1000)
        return kNominal;
    return kNominal + 0.42 * std::log10(peak / 1000) - 0.07623 * std::log10(ambient / 5);
}

std::optional<Primaries> find_primaries(std::string_view name)
{
    if (name == "bt709")
        return Primaries::bt709;
    if (name == "bt2020")
        return Primaries::bt2020;
    if (name == "p3")
        return Primaries::p3;
    return std::nullopt;
}

ColourMatrix product(const ColourMatrix &a, const ColourMatrix &b)
{
    ColourMatrix result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                result[i][j] += a[i][k] * b[k][j];
    return result;
}

ColourMatrix inverse(const ColourMatrix &m)
{
    ColourMatrix result;
    const auto cofactor = [&m](std::size_t i, std::size_t j) {
        const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        return m[a][c] * m[b][d] - m[a][d] * m[b][c];
    };
    const double determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result[i][j] = cofactor(j, i) / determinant;
    return result;
}

ColourMatrix rgb_to_xyz(Primaries primaries)
{
    ColourMatrix matrix{};
    for (std::size_t colour = 0; colour < 3; ++colour) {
        const std::array<double, 3> xyz = xyz_of(kRedGreenBlue[static_cast<std::size_t>(primaries)][colour]);
        for (std::size_t i = 0; i < 3; ++i)
            matrix[i][colour] = xyz[i];
    }
    const std::array<double, 3> parts = product(inverse(matrix), xyz_of(kD65)); // of white
    for (auto &row : matrix)
        for (std::size_t colour = 0; colour < 3; ++colour)
            row[colour] *= parts[colour];
    return matrix;
}

ColourMatrix conversion(Primaries from, Primaries to)
{
    return product(inverse(rgb_to_xyz(to)), rgb_to_xyz(from));
}

} // namespace vmaf
