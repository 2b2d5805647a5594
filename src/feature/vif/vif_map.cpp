#include <algorithm>

#include "feature/vif/vif.h"

namespace vmaf {

Result<MetricMap> vif_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                          CpuTarget target)
{
    VifLosses losses;
    VifSums sums{};
    VMAF_TRY(make_vif_cpu(vif_options(options), format, target, &losses)->extract(planes, &sums));
    MetricMap map{format.width, format.height, std::vector<float>(std::size_t{format.width} * format.height), 0, 1};
    const float scored = vif_options(options).skip_scale0 ? kVifScales - 1 : kVifScales;
    for (unsigned scale = 0; scale < kVifScales; ++scale) {
        const std::vector<float> &of_scale = losses[scale];
        if (of_scale.empty())
            continue;
        const unsigned width_px = format.width >> scale, height_px = format.height >> scale;
        const float share = static_cast<float>(of_scale.size()) / (scored * vif_ratio(sums.scale[scale]).den);
        float *value = map.values.data();
        for (unsigned y = 0; y < map.height_px; ++y)
            for (unsigned x = 0; x < map.width_px; ++x) {
                const unsigned from_x = std::min(x >> scale, width_px - 1),
                               from_y = std::min(y >> scale, height_px - 1);
                *value++ += share * of_scale[std::size_t{from_y} * width_px + from_x];
            }
    }
    return map;
}

} // namespace vmaf
