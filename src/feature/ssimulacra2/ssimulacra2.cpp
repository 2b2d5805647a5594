#include "feature/ssimulacra2/ssimulacra2.h"

#include <array>
#include <cmath>

#include "feature/common/colour_options.h"
#include "feature/common/rgb_rows.h"
#include "feature/ssimulacra2/ssimulacra2_weights.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{kYuvMatrixOption, kTransferOption, kPrimariesOption};
constexpr std::array kOutputs{
    higher_is_better("ssimulacra2", "", -kUnbounded, 100, "similarity"),
};

class Ssimulacra2 final : public FeatureOf<Ssimulacra2Sums> {
  public:
    explicit Ssimulacra2(const OptionValues &values) : values_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kAllPlanes, kAllPlanes}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_ssimulacra2_cpu(format, Ssimulacra2Options(values_), target);
    }

  protected:
    void finish(const Ssimulacra2Sums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        scores[0] = ssimulacra2_score(sums, format.width, format.height);
    }

  private:
    OptionValues values_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Ssimulacra2>(options);
}

Status check_options(const OptionValues &options)
{
    const OptionsOf<kOptions> values(options);
    VMAF_TRY(check_transfer("ssimulacra2", values.text("transfer")));
    return check_primaries("ssimulacra2", values.text("primaries"));
}

} // namespace

Ssimulacra2Options::Ssimulacra2Options(const OptionValues &options)
    : yuv_matrix(OptionsOf<kOptions>(options).integer("yuv_matrix")),
      light(
          relative_light(OptionsOf<kOptions>(options).text("transfer"), OptionsOf<kOptions>(options).text("primaries")))
{
}

double ssimulacra2_score(const Ssimulacra2Sums &sums, unsigned width_px, unsigned height_px)
{
    const unsigned scale_count = ssimulacra2_scale_count(width_px, height_px);
    const double *weight = kSsimulacra2Weights[0];
    double q = 0;
    for (const auto &scales : sums.sums)
        for (unsigned scale = 0; scale < scale_count; ++scale) {
            const Ssimulacra2Size size = ssimulacra2_size(width_px, height_px, scale);
            const double pixels = static_cast<double>(size.width_px) * size.height_px;
            for (const double sum : scales[scale][0])
                q += *weight++ * (sum / pixels);
            for (const double sum : scales[scale][1])
                q += *weight++ * std::sqrt(std::sqrt(sum / pixels));
        }
    q *= kSsimulacra2SumFactor;
    const double p = 2.326765642916932 * q - 0.020884521182843837 * q * q + 6.248496625763138e-05 * q * q * q;
    return p > 0 ? 100 - 10 * std::pow(p, 0.6276336467831387) : 100;
}

constinit const FeatureSpec kSsimulacra2 =
    feature_spec("ssimulacra2", "SSIMULACRA 2.1, all planes", list_of<kOptions>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::min_width_px, kSsimulacra2MinPx)
        .with(&FeatureSpec::min_height_px, kSsimulacra2MinPx)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR | VMAF_DYNAMIC_RANGE_HDR)
        .with(&FeatureSpec::gpu_tolerance, 1e-3)
        .with(&FeatureSpec::check_options, check_options)
        .with_map("share of each pixel in the weighted sum of errors that the score is made of", ssimulacra2_map);

} // namespace vmaf
