#include "feature/common/add_scale.h"
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
        const float share = static_cast<float>(of_scale.size()) / (scored * vif_ratio(sums.scale[scale]).den);
        add_scale(map, scale, of_scale, format.width >> scale, format.height >> scale,
                  [&](float loss) { return share * loss; });
    }
    return map;
}

} // namespace vmaf
