#include "feature/adm/adm_scores.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vmaf {
namespace {

/// ceil(log2(n)).
int clog2(std::uint32_t n)
{
    return static_cast<int>(std::bit_width(n - 1));
}

/// spec adm 4: the shifts of tiny bands are held at 0.
std::uint32_t shift(int bits)
{
    return static_cast<std::uint32_t>(std::max(bits, 0));
}

std::uint32_t region_area(const AdmScale &scale)
{
    return (scale.bottom - scale.top) * (scale.right - scale.left);
}

AdmScale scale_geometry(unsigned s, std::uint32_t width, std::uint32_t height)
{
    AdmScale scale{};
    scale.width = width;
    scale.height = height;
    scale.left = adm_crop(width);
    scale.top = adm_crop(height);
    scale.right = width - scale.left;
    scale.bottom = height - scale.top;
    for (unsigned band = 0; band < kAdmBands; ++band)
        scale.cube_shift[band] = shift(clog2(width) - (s > 0 ? 0 : band == kAdmD ? 3 : 4));
    scale.row_shift = shift(clog2(height));
    scale.den_cube_shift = s == 0 ? 0 : shift(clog2(scale.right - scale.left));
    scale.den_row_shift = shift(s == 0 ? clog2(region_area(scale)) - 20 : clog2(scale.bottom - scale.top));
    return scale;
}

float cube_root(float x)
{
    return std::pow(x, 0x1.555556p-2F);
}

using Norms = float[kAdmBands];

float with_noise(const Norms &norms, const AdmScale &scale, double noise_weight)
{
    const float add = cube_root(static_cast<float>(static_cast<double>(region_area(scale)) * noise_weight));
    return ((norms[kAdmH] + add) + (norms[kAdmV] + add)) + (norms[kAdmD] + add);
}

/// value / 2^exponent, exactly.
double unscaled(double value, int exponent)
{
    return std::ldexp(value, -exponent);
}

void numerator(const std::int64_t (&sums)[kAdmBands], unsigned s, const AdmScale &scale, Norms &norms)
{
    constexpr int kExponent[kAdmScales] = {52, 45, 39, 36}, kDiagonalExponent = 57;
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const int shifts = static_cast<int>(scale.cube_shift[band] + scale.row_shift);
        const int exponent = (s == 0 && band == kAdmD ? kDiagonalExponent : kExponent[s]) - shifts;
        // At scale 0 the integer becomes a double before it becomes a float, elsewhere a float at
        // once.
        const double sum =
            s == 0 ? static_cast<double>(sums[band]) : static_cast<double>(static_cast<float>(sums[band]));
        norms[band] = cube_root(static_cast<float>(unscaled(sum, exponent)));
    }
}

void denominator(const std::uint64_t (&sums)[kAdmBands], unsigned s, const AdmScale &scale,
                 const float (&csf)[kAdmBands], Norms &norms)
{
    constexpr int kExponent[kAdmScales] = {18, 32, 27, 23};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const int exponent = kExponent[s] - static_cast<int>(scale.den_row_shift + scale.den_cube_shift);
        norms[band] = cube_root(static_cast<float>(unscaled(static_cast<double>(sums[band]), exponent) *
                                                   std::pow(static_cast<double>(csf[band]), 3.0)));
    }
}

} // namespace

AdmParams adm_params(unsigned width_px, unsigned height_px, const AdmCsf &csf)
{
    AdmParams params{};
    std::uint32_t width = width_px, height = height_px;
    for (unsigned s = 0; s < kAdmScales; ++s) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        params.scale[s] = scale_geometry(s, width, height);
        std::copy_n(csf.weight[s], kAdmBands, params.scale[s].weight);
    }
    return params;
}

AdmNorms adm_norms(const AdmSums &sums, unsigned scale, const AdmScale &geometry, const AdmCsf &csf)
{
    AdmNorms norms{};
    numerator(sums.num[scale], scale, geometry, norms.num);
    denominator(sums.den[scale], scale, geometry, csf.factor[scale], norms.den);
    return norms;
}

AdmScaleScores adm_scale_scores(const AdmSums &sums, unsigned scale, const AdmScale &geometry, const AdmCsf &csf,
                                double noise_weight)
{
    const AdmNorms norms = adm_norms(sums, scale, geometry, csf);
    Norms aim{};
    numerator(sums.aim[scale], scale, geometry, aim);
    return {with_noise(norms.num, geometry, noise_weight), with_noise(norms.den, geometry, noise_weight),
            with_noise(aim, geometry, 0.0)};
}

} // namespace vmaf
