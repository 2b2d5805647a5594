#include "feature/adm/adm.h"
#include "feature/common/add_scale.h"

namespace vmaf {
namespace {

using Cubes = std::array<std::uint64_t, kAdmBands> AdmCubes::*;

/// What a unit of cubes of each band is worth, so that all of a scale's are worth the bands' norms.
std::array<double, kAdmBands> worth(const std::vector<AdmCubes> &places, Cubes cubes, const double (&norms)[kAdmBands])
{
    std::array<double, kAdmBands> worth{};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        double sum = 0;
        for (const AdmCubes &place : places)
            sum += static_cast<double>((place.*cubes)[band]);
        worth[band] = sum > 0 ? norms[band] / sum : 0;
    }
    return worth;
}

} // namespace

Result<MetricMap> adm_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                          CpuTarget target)
{
    AdmPlaces places;
    AdmSums sums{};
    const AdmParams params = adm_params(options, format);
    VMAF_TRY(make_adm_cpu(params, target, &places)->extract(planes, &sums));
    const AdmShares shares = adm_shares(options, format, sums);
    MetricMap map{format.width, format.height, std::vector<float>(std::size_t{format.width} * format.height), 0, 1};
    for (unsigned s = 0; s < kAdmScales; ++s) {
        const auto num = worth(places[s], &AdmCubes::num, shares.num[s]);
        const auto den = worth(places[s], &AdmCubes::den, shares.den[s]);
        std::vector<float> losses;
        for (const AdmCubes &place : places[s]) {
            double loss = 0;
            for (unsigned band = 0; band < kAdmBands; ++band)
                loss +=
                    den[band] * static_cast<double>(place.den[band]) - num[band] * static_cast<double>(place.num[band]);
            losses.push_back(static_cast<float>(loss * static_cast<double>(places[s].size())));
        }
        if (!losses.empty())
            add_scale(map, s + 1, losses, params.scale[s].width, params.scale[s].height,
                      [](float loss) { return loss; });
    }
    return map;
}

} // namespace vmaf
