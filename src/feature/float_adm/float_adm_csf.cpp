#include "feature/float_adm/float_adm_csf.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "feature/adm/adm_csf.h"

namespace vmaf {
namespace {

constexpr int kBartenMode = 1;
constexpr int kPaperMode = 2;

float paper_weight(float frequency)
{
    return static_cast<float>((0.31 + 0.69 * frequency) * std::exp(-0.29 * frequency));
}

/// spec float_features 3.8, mode 2: the weights of the ADM paper.
FloatAdmCsf paper_csf(const FloatAdmCsfOptions &options)
{
    const auto per_degree =
        static_cast<float>(options.view_distance * options.display_height_px * std::numbers::pi / 180.0);
    FloatAdmCsf csf{};
    for (unsigned scale = 0; scale < kAdmScales; ++scale) {
        const auto straight = static_cast<float>(per_degree / std::ldexp(1.0, static_cast<int>(scale) + 1));
        const auto diagonal = static_cast<float>(straight / 0.7);
        csf[scale] = {paper_weight(straight), paper_weight(straight), paper_weight(diagonal)};
    }
    return csf;
}

/// The modes that both ADM features have.
FloatAdmCsf shared_csf(const FloatAdmCsfOptions &options)
{
    const AdmCsfMode mode = options.mode == kBartenMode ? AdmCsfMode::barten : AdmCsfMode::watson;
    const AdmCsf weights =
        adm_csf({mode, options.view_distance, options.display_height_px, options.scale, options.diagonal_scale})
            .value();
    FloatAdmCsf csf{};
    for (unsigned scale = 0; scale < kAdmScales; ++scale)
        std::copy_n(weights.factor[scale], kAdmBands, csf[scale].begin());
    return csf;
}

} // namespace

FloatAdmCsf float_adm_csf(const FloatAdmCsfOptions &options)
{
    FloatAdmCsf csf = options.mode == kPaperMode ? paper_csf(options) : shared_csf(options);
    for (unsigned scale = 0; scale < kAdmScales; ++scale) {
        if (options.straight_override[scale] >= 0)
            csf[scale][kAdmH] = csf[scale][kAdmV] = static_cast<float>(options.straight_override[scale]);
        if (options.diagonal_override[scale] >= 0)
            csf[scale][kAdmD] = static_cast<float>(options.diagonal_override[scale]);
    }
    return csf;
}

} // namespace vmaf
