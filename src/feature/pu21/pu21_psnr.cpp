#include <cmath>

#include "feature/common/rgb_rows.h"
#include "feature/pu21/pu21.h"

namespace vmaf {
namespace {

constexpr std::array kOutputs{
    higher_is_better("pu21_psnr_y", "dB", -kUnbounded, kUnbounded, "score of the luminance; equal ones have infinity"),
    higher_is_better("pu21_psnr", "dB", -kUnbounded, kUnbounded, "score of R, G and B"),
};

class Pu21Psnr final : public FeatureOf<Pu21PsnrSums> {
  public:
    explicit Pu21Psnr(const OptionValues &values) : options_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kAllPlanes, kAllPlanes}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_pu21_psnr_cpu(format, options_, target);
    }

  protected:
    void finish(const Pu21PsnrSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        constexpr double kPeak = 256; // pu() of 100 cd/m2
        const double pixels = static_cast<double>(format.width) * static_cast<double>(format.height);
        scores[0] = 10 * std::log10(kPeak * kPeak * pixels / sums.luminance);
        scores[1] = 10 * std::log10(kPeak * kPeak * 3 * pixels / sums.rgb);
    }

  private:
    Pu21Options options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Pu21Psnr>(options);
}

Status check_options(const OptionValues &options)
{
    return check_pu21_options(kPu21Psnr.name, options);
}

} // namespace

constinit const FeatureSpec kPu21Psnr =
    feature_spec("pu21_psnr", "peak signal to noise ratio of perceptually uniform light, in SDR and HDR",
                 list_of<kPu21Options>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::min_width_px, kRgbMinPx)
        .with(&FeatureSpec::min_height_px, kRgbMinPx)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR | VMAF_DYNAMIC_RANGE_HDR)
        .with(&FeatureSpec::gpu_tolerance, 1e-9) // the order of the sums
        .with(&FeatureSpec::check_options, check_options);

} // namespace vmaf
