#include "feature/common/light.h"

#include <algorithm>
#include <cstddef>

namespace vmaf {
namespace {

bool has_table(const LightSignal &signal)
{
    return signal.transfer != Transfer::srgb || signal.is_tabulated;
}

/// Its scale comes after the table: HLG's system gamma is no linear function, and sRGB's curve may
/// have no table.
bool scales_in_matrix(const LightSignal &signal)
{
    return signal.transfer == Transfer::hlg || !has_table(signal);
}

} // namespace

Light::Light(const LightSignal &signal) : params_{}
{
    const bool in_matrix = scales_in_matrix(signal);
    if (has_table(signal)) {
        table_.resize(kLightSteps + 1);
        for (unsigned i = 0; i <= kLightSteps; ++i)
            table_[i] = static_cast<float>((in_matrix ? 1 : signal.scale) *
                                           light_of(signal.transfer, static_cast<double>(i) / kLightSteps));
    }
    params_.least = signal.least;
    params_.most = signal.most;
    params_.system_power = signal.transfer == Transfer::hlg ? static_cast<float>(signal.hlg_gamma - 1) : 0;
    params_.scale = static_cast<float>(in_matrix ? signal.scale : 1);
    params_.converts = params_.scale != 1 || signal.primaries != signal.wanted;
    const ColourMatrix matrix = conversion(signal.primaries, signal.wanted);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            params_.matrix[i][j] = static_cast<float>(matrix[i][j] * (in_matrix ? signal.scale : 1));
}

LightParams Light::params(const float *table) const
{
    LightParams params = params_;
    params.table = table_.empty() ? nullptr : table;
    return params;
}

} // namespace vmaf
