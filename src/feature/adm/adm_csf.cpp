#include "feature/adm/adm_csf.h"

#include <array>
#include <cmath>
#include <limits>

// spec adm 3.4, step by step: where the text says float, a product of floats is a float; where it
// says double inside, the operands are widened first.

namespace vmaf {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kDefaultPixelDistance = 3.0 * 1080;

enum Orientation { kStraight, kDiagonal };
using Factors = std::array<std::array<float, kAdmScales>, 2>; // by Orientation, then scale

/// Pixels per degree of the visual field.
float pixels_per_degree(const AdmCsfOptions &options)
{
    return static_cast<float>(options.view_distance * options.display_height_px * kPi / 180.0);
}

float watson(Orientation orientation, unsigned scale, float per_degree)
{
    constexpr float a = 0.495F, kk = 0.466F, f0 = 0.401F;
    constexpr std::array<float, 2> g{1.0F, 0.534F};
    constexpr Factors amplitude{{{0.67234F, 0.41317F, 0.22727F, 0.11792F}, {0.72709F, 0.49428F, 0.28688F, 0.15214F}}};

    const double f = std::ldexp(1.0, static_cast<int>(scale) + 1) * f0 * g[orientation] / per_degree;
    const float t = static_cast<float>(std::log10(f));
    const float exponent = kk * t * t;
    const float q = static_cast<float>(2.0 * a * std::pow(10.0, static_cast<double>(exponent)) /
                                       static_cast<double>(amplitude[orientation][scale]));
    return 1.0F / q;
}

/// The parameter y at a luminance of 100 between its values at 20 and 150.
float barten_parameter(float y0, float y1)
{
    const float x0 = static_cast<float>(std::log10(20)), x1 = static_cast<float>(std::log10(150)), x = 2;
    return y0 + (y1 - y0) / (x1 - x0) * (x - x0);
}

float barten(unsigned scale, float per_degree, double option_scale)
{
    constexpr std::array<float, 4> u{0.424838596301290F, 0.572435103936480F, 0.000167576239164937F,
                                     0.00255872352306433F};
    constexpr std::array<float, 4> v{0.028F, 0.37F, 37, 360};
    const auto pow = [](float base, float exponent) {
        return std::pow(static_cast<double>(base), static_cast<double>(exponent));
    };

    const float p0 = barten_parameter(0.334278F, 0.394533F), p1 = barten_parameter(3.79542F, 2.7755F),
                p2 = barten_parameter(1.07327F, 1.16577F), p3 = barten_parameter(6.4635F, 7.45665F);
    const float fr = static_cast<float>(per_degree / std::ldexp(1.0, static_cast<int>(scale) + 1));
    const float a = static_cast<float>(1 + pow(p0 * fr, p1));
    const float b = static_cast<float>(1 / std::pow(1 - std::exp(-pow(fr / 7, 2)), static_cast<double>(p2)));
    const float c = static_cast<float>(p3 / pow(a * b, 0.5F));
    float m = 0;
    for (unsigned i = 0; i < u.size(); ++i)
        m = static_cast<float>(m + u[i] * std::exp(static_cast<double>(-(v[i] * fr))));
    const float s =
        static_cast<float>(30.162F * std::pow(pow(4.0627F / 100, 1.6596F) + 1, static_cast<double>(-0.2712F)));
    return static_cast<float>(static_cast<double>(c * m * s) * option_scale);
}

struct Blend {
    int display_height_px;
    double view_distance;
    Factors a;
    Factors b;
};
constexpr Factors kBlendA3{{{.01183F, .025026F, .04295F, .058621F}, {.004302F, .011778F, .023918F, .035901F}}};
constexpr Factors kBlendB3{{{.011249F, .022606F, .035930F, .045673F}, {.004097F, .010921F, .021430F, .031313F}}};
constexpr std::array kBlends{
    Blend{1080, 3, kBlendA3, kBlendB3},
    Blend{2160, 1.5, kBlendA3, kBlendB3},
    Blend{1080,
          5,
          {{{.004212F, .014809F, .029642F, .047464F}, {.000984F, .005852F, .0146F, .027574F}}},
          {{{.004052F, .013939F, .026298F, .038833F}, {.000927F, .005544F, .013415F, .024515F}}}},
    Blend{2160,
          3,
          {{{.00226F, .01183F, .025026F, .04295F}, {.000479F, .004302F, .011778F, .023918F}}},
          {{{.002166F, .011249F, .022606F, .035930F}, {.000447F, .004097F, .010921F, .021430F}}}},
    Blend{2160,
          5,
          {{{.000092F, .004212F, .014809F, .029642F}, {.000050F, .000984F, .005852F, .0146F}}},
          {{{.000077F, .004052F, .013939F, .026298F}, {.000045F, .000927F, .005544F, .013415F}}}},
    Blend{720,
          5,
          {{{.010144F, .022561F, .040309F, .05672F}, {.003463F, .010282F, .021839F, .034641F}}},
          {{{.009689F, .020577F, .034162F, .044523F}, {.003302F, .009579F, .019661F, .030318F}}}},
};

std::optional<Factors> blend(const AdmCsfOptions &options)
{
    for (const Blend &row : kBlends)
        if (row.display_height_px == options.display_height_px && row.view_distance == options.view_distance)
            return options.mode == AdmCsfMode::blend_a ? row.a : row.b;
    return std::nullopt;
}

std::optional<Factors> factors(const AdmCsfOptions &options)
{
    if (options.mode == AdmCsfMode::blend_a || options.mode == AdmCsfMode::blend_b)
        return blend(options);
    const float per_degree = pixels_per_degree(options);
    Factors result{};
    for (unsigned scale = 0; scale < kAdmScales; ++scale) {
        const bool is_watson = options.mode == AdmCsfMode::watson;
        result[kStraight][scale] =
            is_watson ? watson(kStraight, scale, per_degree) : barten(scale, per_degree, options.scale);
        result[kDiagonal][scale] =
            is_watson ? watson(kDiagonal, scale, per_degree) : barten(scale, per_degree, options.diagonal_scale);
    }
    return result;
}

/// Truncates; what the type cannot hold (Barten's weights, NaN) becomes the nearest value or 0.
template <class Integer> Integer saturated(double value)
{
    constexpr Integer max = std::numeric_limits<Integer>::max();
    if (!(value > 0))
        return 0;
    return value < max ? static_cast<Integer>(value) : max;
}

void set_integer_weights(AdmCsf &csf, const AdmCsfOptions &options)
{
    constexpr double q21 = 1 << 21, q23 = 1 << 23, q32 = 4294967296.0;
    for (unsigned band = 0; band < kAdmBands; ++band) {
        csf.weight[0][band] =
            saturated<std::uint16_t>(static_cast<double>(csf.factor[0][band]) * (band == kAdmD ? q23 : q21));
        for (unsigned scale = 1; scale < kAdmScales; ++scale)
            csf.weight[scale][band] = saturated<std::uint32_t>(static_cast<double>(csf.factor[scale][band]) * q32);
    }
    const double pixel_distance = options.view_distance * options.display_height_px;
    if (options.mode == AdmCsfMode::watson && std::fabs(pixel_distance - kDefaultPixelDistance) < 1e-8) {
        csf.weight[0][kAdmH] = csf.weight[0][kAdmV] = 36453;
        csf.weight[0][kAdmD] = 49417;
    }
}

} // namespace

std::optional<AdmCsf> adm_csf(const AdmCsfOptions &options)
{
    const std::optional<Factors> by_orientation = factors(options);
    if (!by_orientation)
        return std::nullopt;
    AdmCsf csf{};
    for (unsigned scale = 0; scale < kAdmScales; ++scale)
        for (unsigned band = 0; band < kAdmBands; ++band)
            csf.factor[scale][band] = (*by_orientation)[band == kAdmD ? kDiagonal : kStraight][scale];
    set_integer_weights(csf, options);
    return csf;
}

} // namespace vmaf
