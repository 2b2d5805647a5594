#include "feature/vif/vif.h"

#include <array>

namespace vmaf {
namespace {

constexpr std::array kOptions{
    bool_option("debug", nullptr, false, InName::no, "add numerators and denominators"),
    double_option("vif_enhn_gain_limit", "egl", 100.0, 1.0, 100.0, InName::yes, "limit of the gain"),
    bool_option("vif_skip_scale0", "ssclz", false, InName::yes, "do not score scale 0"),
};

constexpr std::array kOutputs{
    higher_is_better("VMAF_integer_feature_vif_scale0_score", "", 0, kUnbounded, "fidelity at the finest scale")
        .logged_as("integer_vif_scale0"),
    higher_is_better("VMAF_integer_feature_vif_scale1_score", "", 0, kUnbounded, "fidelity at scale 1")
        .logged_as("integer_vif_scale1"),
    higher_is_better("VMAF_integer_feature_vif_scale2_score", "", 0, kUnbounded, "fidelity at scale 2")
        .logged_as("integer_vif_scale2"),
    higher_is_better("VMAF_integer_feature_vif_scale3_score", "", 0, kUnbounded, "fidelity at the coarsest scale")
        .logged_as("integer_vif_scale3"),
    higher_is_better("integer_vif", "", 0, kUnbounded, "fidelity of all scales").with("debug"),
    plain_output("integer_vif_num", "", -kUnbounded, kUnbounded, "numerator of all scales").with("debug"),
    plain_output("integer_vif_den", "", -kUnbounded, kUnbounded, "denominator of all scales").with("debug"),
    plain_output("integer_vif_num_scale0", "", -kUnbounded, kUnbounded, "numerator at the finest scale").with("debug"),
    plain_output("integer_vif_den_scale0", "", -kUnbounded, kUnbounded, "denominator at the finest scale")
        .with("debug"),
    plain_output("integer_vif_num_scale1", "", -kUnbounded, kUnbounded, "numerator at scale 1").with("debug"),
    plain_output("integer_vif_den_scale1", "", -kUnbounded, kUnbounded, "denominator at scale 1").with("debug"),
    plain_output("integer_vif_num_scale2", "", -kUnbounded, kUnbounded, "numerator at scale 2").with("debug"),
    plain_output("integer_vif_den_scale2", "", -kUnbounded, kUnbounded, "denominator at scale 2").with("debug"),
    plain_output("integer_vif_num_scale3", "", -kUnbounded, kUnbounded, "numerator at the coarsest scale")
        .with("debug"),
    plain_output("integer_vif_den_scale3", "", -kUnbounded, kUnbounded, "denominator at the coarsest scale")
        .with("debug"),
};

using Options = OptionsOf<kOptions>;

class Vif final : public FeatureOf<VifSums> {
  public:
    explicit Vif(const OptionValues &values) : options_(vif_options(values)), debug_(Options(values).boolean("debug"))
    {
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs, debug_); }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_vif_cpu(options_, format, target);
    }

  protected:
    void finish(const VifSums &sums, const PictureFormat &, std::span<double> scores) const override
    {
        const unsigned first = options_.skip_scale0 ? 1 : 0;
        std::array<VifRatio, kVifScales> ratio{VifRatio{0, -1}};
        scores[0] = 0;
        for (unsigned scale = first; scale < kVifScales; ++scale) {
            ratio[scale] = vif_ratio(sums.scale[scale]);
            scores[scale] = ratio[scale].num / ratio[scale].den;
        }
        if (debug_)
            finish_debug(std::span(ratio).subspan(first), ratio, scores.subspan(kVifScales));
    }

  private:
    static void finish_debug(std::span<const VifRatio> scored, std::span<const VifRatio> all, std::span<double> scores)
    {
        double num = 0, den = 0;
        for (const VifRatio &ratio : scored) {
            num += ratio.num;
            den += ratio.den;
        }
        scores[0] = den == 0 ? 1.0 : num / den;
        scores[1] = num;
        scores[2] = den;
        for (std::size_t scale = 0; scale < all.size(); ++scale) {
            scores[3 + 2 * scale] = all[scale].num;
            scores[4 + 2 * scale] = all[scale].den;
        }
    }

    VifOptions options_;
    bool debug_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Vif>(options);
}

} // namespace

VifRatio vif_ratio(const VifScaleSums &sums)
{
    const double low_count = static_cast<double>(sums.low_count);
    const double low_variance = (static_cast<double>(sums.low_var2) / 16384.0) / 65025.0;
    return {static_cast<float>(static_cast<double>(sums.log_num) / 2048.0 + (low_count - low_variance)),
            static_cast<float>(static_cast<double>(sums.log_den) / 2048.0 + low_count)};
}

VifOptions vif_options(const OptionValues &options)
{
    return {Options(options).real("vif_enhn_gain_limit"), Options(options).boolean("vif_skip_scale0")};
}

constinit const FeatureSpec kVif = feature_spec("vif", "visual information fidelity of four scales (luma)",
                                                list_of<kOptions>(), list_of<kOutputs>(), create)
                                       .with(&FeatureSpec::min_width_px, 8)
                                       .with(&FeatureSpec::min_height_px, 8)
                                       .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR)
                                       .with_map("share of each pixel in the information that is lost, mean of the "
                                                 "scales; 1 minus the mean is the mean of the scales' scores",
                                                 vif_map);

} // namespace vmaf
