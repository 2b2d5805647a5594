#include "feature/float_ansnr/float_ansnr_loops.h"

#include <cstddef>

// spec float_features 3.12. Sums start at their first term: starting at 0 changes nothing but the
// sign of a zero.

namespace vmaf::VMAF_CPU_TARGET {
namespace {

void ref_row(const float *__restrict row, unsigned width_px, float *__restrict filtered)
{
    constexpr float w1 = 1 / 16.0F, w2 = 2 / 16.0F;
    for (std::ptrdiff_t x = 0; x < static_cast<std::ptrdiff_t>(width_px); ++x)
        filtered[x] = w1 * row[x - 1] + w2 * row[x] + w1 * row[x + 1];
}

void filter_dis_row(const float *__restrict row, unsigned width_px, float outer, float inner, float centre,
                    float *__restrict filtered)
{
    for (std::ptrdiff_t x = 0; x < static_cast<std::ptrdiff_t>(width_px); ++x)
        filtered[x] =
            outer * row[x - 2] + inner * row[x - 1] + centre * row[x] + inner * row[x + 1] + outer * row[x + 2];
}

constexpr float dis_weight(double k)
{
    return static_cast<float>(k / 571.0);
}

void dis_row(const float *row, unsigned width_px, float *const filtered[kAnsnrDisKinds])
{
    filter_dis_row(row, width_px, dis_weight(2), dis_weight(7), dis_weight(12), filtered[0]);
    filter_dis_row(row, width_px, dis_weight(7), dis_weight(31), dis_weight(52), filtered[1]);
    filter_dis_row(row, width_px, dis_weight(12), dis_weight(52), dis_weight(127), filtered[2]);
}

void terms(const float *const ref[kAnsnrRefRows], const float *const dis[kAnsnrDisRows], unsigned width_px,
           float *__restrict signal, float *__restrict noise)
{
    const float *a0 = ref[0], *a1 = ref[1], *a2 = ref[2];
    const float *f0 = dis[0], *f1 = dis[1], *f2 = dis[2], *f3 = dis[3], *f4 = dis[4];
    for (unsigned x = 0; x < width_px; ++x) {
        const float a = a0[x] + 2 * a1[x] + a2[x]; // doubling the row's sum doubles each of its terms, exactly
        const float f = f0[x] + f1[x] + f2[x] + f3[x] + f4[x];
        const float difference = a - f;
        signal[x] = a * a;
        noise[x] = difference * difference;
    }
}

} // namespace

extern const FloatAnsnrLoops kFloatAnsnrLoops = {ref_row, dis_row, terms};

} // namespace vmaf::VMAF_CPU_TARGET
