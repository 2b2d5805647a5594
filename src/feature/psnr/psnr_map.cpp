#include "feature/psnr/psnr.h"

namespace vmaf {
namespace {

/// A squared error of that share of the peak is a PSNR of 28 dB: much.
constexpr double kBrightShare = 0.04;

template <class Sample> void square_differences(const PlaneView &ref, const PlaneView &dis, std::vector<float> &values)
{
    for (unsigned y = 0; y < ref.height_px; ++y)
        for (unsigned x = 0; x < ref.width_px; ++x) {
            const std::int64_t difference = std::int64_t{ref.row<Sample>(y)[x]} - dis.row<Sample>(y)[x];
            values.push_back(static_cast<float>(difference * difference));
        }
}

} // namespace

Result<MetricMap> psnr_map(const OptionValues &, const PictureFormat &format, const FramePlanes &planes, CpuTarget)
{
    const double bright = kBrightShare * ((1U << format.bpc) - 1);
    MetricMap map{format.width, format.height, {}, 0, bright * bright};
    map.values.reserve(std::size_t{map.width_px} * map.height_px);
    (format.bpc == 8 ? square_differences<std::uint8_t> : square_differences<std::uint16_t>)(planes.ref[0],
                                                                                             planes.dis[0], map.values);
    return map;
}

} // namespace vmaf
