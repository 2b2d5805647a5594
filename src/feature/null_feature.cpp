#include "feature/null_feature.h"

namespace vmaf {
namespace {

struct NullSums {};

class NullCpu final : public CpuExtractorOf<NullSums> {
    Status extract(const FramePlanes &, NullSums &) override { return {}; }
};

class NullFeature final : public FeatureOf<NullSums> {
  public:
    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return {}; }
    ReadingWindow window(const PictureFormat &) const override { return {.pair = {}}; }
    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &, CpuTarget) const override
    {
        return std::make_unique<NullCpu>();
    }

  protected:
    void finish(const NullSums &, const PictureFormat &, std::span<double>) const override {}
};

std::unique_ptr<Feature> create(const OptionValues &)
{
    return std::make_unique<NullFeature>();
}

} // namespace

constinit const FeatureSpec kNull =
    feature_spec("null", "does nothing", list_of<kNoOptions>(), list_of<kNoOutputs>(), create);

} // namespace vmaf
