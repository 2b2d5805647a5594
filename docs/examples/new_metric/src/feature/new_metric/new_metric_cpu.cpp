#include <cstdlib>

#include "feature/new_metric/new_metric.h"

namespace vmaf {
namespace {

template <class Sample> std::uint64_t difference(const PlaneView &ref, const PlaneView &dis)
{
    std::uint64_t sum = 0;
    for (unsigned y = 0; y < ref.height_px; ++y)
        for (unsigned x = 0; x < ref.width_px; ++x)
            sum += static_cast<unsigned>(std::abs(ref.row<Sample>(y)[x] - dis.row<Sample>(y)[x]));
    return sum;
}

class NewMetricCpu final : public CpuExtractorOf<NewMetricSums> {
  protected:
    Status extract(const FramePlanes &planes, NewMetricSums &sums) override
    {
        const PlaneView &ref = planes.ref[0], &dis = planes.dis[0];
        sums.difference = ref.bpc == 8 ? difference<std::uint8_t>(ref, dis) : difference<std::uint16_t>(ref, dis);
        return {};
    }
};

} // namespace

std::unique_ptr<CpuExtractor> make_new_metric_cpu()
{
    return std::make_unique<NewMetricCpu>();
}

} // namespace vmaf
