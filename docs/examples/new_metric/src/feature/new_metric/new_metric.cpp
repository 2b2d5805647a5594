#include "feature/new_metric/new_metric.h"

#include <array>

namespace vmaf {
namespace {

constexpr std::array kOutputs{
    lower_is_better("new_metric", "", 0, 256, "mean difference of the luma, in steps of 8 bits"),
};

class NewMetric final : public FeatureOf<NewMetricSums> {
  public:
    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &, CpuTarget) const override
    {
        return make_new_metric_cpu();
    }

  protected:
    void finish(const NewMetricSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const double pixels = static_cast<double>(format.width) * static_cast<double>(format.height);
        scores[0] = static_cast<double>(sums.difference) / pixels / static_cast<double>(1U << (format.bpc - 8));
    }
};

std::unique_ptr<Feature> create(const OptionValues &)
{
    return std::make_unique<NewMetric>();
}

} // namespace

constinit const FeatureSpec kNewMetric =
    feature_spec("new_metric", "mean difference of the luma", list_of<kNoOptions>(), list_of<kOutputs>(), create);

} // namespace vmaf
