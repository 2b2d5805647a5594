#include "feature/pu21/pu21.h"
#include "feature/ssim/ssim_scores.h"

namespace vmaf {
namespace {

constexpr std::array kOutputs{
    higher_is_better("pu21_ssim", "", -1, 1, "structural similarity of the luminance"),
};

class Pu21Ssim final : public FeatureOf<SsimSums> {
  public:
    explicit Pu21Ssim(const OptionValues &values) : options_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kAllPlanes, kAllPlanes}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_pu21_ssim_cpu(format, options_, target);
    }

  protected:
    void finish(const SsimSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        scores[0] = static_cast<double>(SsimMeans(sums, {format.width, format.height}).ssim);
    }

  private:
    Pu21Options options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Pu21Ssim>(options);
}

Status check_options(const OptionValues &options)
{
    return check_pu21_options(kPu21Ssim.name, options);
}

} // namespace

constinit const FeatureSpec kPu21Ssim =
    feature_spec("pu21_ssim", "structural similarity of perceptually uniform luminance, in SDR and HDR",
                 list_of<kPu21Options>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::min_width_px, kSsimTaps)
        .with(&FeatureSpec::min_height_px, kSsimTaps)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR | VMAF_DYNAMIC_RANGE_HDR)
        // spec ssim 5: means are binary32, the order of the sums is free.
        .with(&FeatureSpec::gpu_tolerance, 1.2e-7)
        .with(&FeatureSpec::check_options, check_options);

} // namespace vmaf
