#include "feature/adm/adm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/log.h"
#include "feature/adm/adm_csf.h"
#include "feature/adm/adm_scores.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    bool_option("debug", nullptr, false, InName::no, "add numerators and denominators"),
    double_option("adm_csf_scale", "scf", 1, 0, 50, InName::yes, "factor of the CSF of H and V in CSF mode 1"),
    double_option("adm_csf_diag_scale", "scfd", 1, 0, 50, InName::yes, "factor of the CSF of D in CSF mode 1"),
    double_option("adm_dlm_weight", "dlmw", 0.5, 0, 1, InName::yes, "share of adm2 in adm3; the rest is 1 - aim"),
    double_option("adm_enhn_gain_limit", "egl", 100, 1, 100, InName::yes,
                  "largest gain over the reference that counts as restored"),
    double_option("adm_norm_view_dist", "nvd", 3, 0.75, 24, InName::yes, "viewing distance in display heights")
        .with(VMAF_ROLE_VIEW_DISTANCE),
    int_option("adm_ref_display_height", "rdh", 1080, 1, 4320, InName::yes, "display height in pixels")
        .with(VMAF_ROLE_DISPLAY_HEIGHT),
    int_option("adm_csf_mode", "csf", 0, 0, 3, InName::yes,
               "contrast sensitivity: 0 Watson, 1 Barten, 2 and 3 blends of both"),
    double_option("adm_noise_weight", "nw", 0.03125, 0, 1500, InName::yes, "noise added to each band's norm"),
    bool_option("adm_skip_aim", nullptr, false, InName::no, "leave aim at 0"),
    bool_option("adm_skip_scale0", "ssz", false, InName::yes, "leave out the finest scale"),
    double_option("adm_min_val", "min", 0, 0, 1, InName::yes, "smallest adm3"),
};

constexpr std::array kOutputs{
    higher_is_better("VMAF_integer_feature_adm2_score", "", 0, kUnbounded, "detail that is kept")
        .logged_as("integer_adm2"),
    lower_is_better("VMAF_integer_feature_aim_score", "", 0, kUnbounded, "impairment that is added")
        .logged_as("integer_aim"),
    higher_is_better("VMAF_integer_feature_adm3_score", "", 0, kUnbounded, "adm2 and 1 - aim, weighted")
        .logged_as("integer_adm3"),
    higher_is_better("integer_adm_scale0", "", 0, kUnbounded, "detail that is kept at the finest scale"),
    higher_is_better("integer_adm_scale1", "", 0, kUnbounded, "detail that is kept at scale 1"),
    higher_is_better("integer_adm_scale2", "", 0, kUnbounded, "detail that is kept at scale 2"),
    higher_is_better("integer_adm_scale3", "", 0, kUnbounded, "detail that is kept at the coarsest scale"),
    higher_is_better("integer_adm", "", 0, kUnbounded, "adm2 again").with("debug"),
    plain_output("integer_adm_num", "", 0, kUnbounded, "numerator of adm2").with("debug"),
    plain_output("integer_adm_den", "", 0, kUnbounded, "denominator of adm2").with("debug"),
    plain_output("integer_adm_num_scale0", "", 0, kUnbounded, "numerator at the finest scale").with("debug"),
    plain_output("integer_adm_den_scale0", "", 0, kUnbounded, "denominator at the finest scale").with("debug"),
    plain_output("integer_adm_num_scale1", "", 0, kUnbounded, "numerator at scale 1").with("debug"),
    plain_output("integer_adm_den_scale1", "", 0, kUnbounded, "denominator at scale 1").with("debug"),
    plain_output("integer_adm_num_scale2", "", 0, kUnbounded, "numerator at scale 2").with("debug"),
    plain_output("integer_adm_den_scale2", "", 0, kUnbounded, "denominator at scale 2").with("debug"),
    plain_output("integer_adm_num_scale3", "", 0, kUnbounded, "numerator at the coarsest scale").with("debug"),
    plain_output("integer_adm_den_scale3", "", 0, kUnbounded, "denominator at the coarsest scale").with("debug"),
};

/// spec adm 2: nearer or smaller displays have no scores.
constexpr double kMinPixelDistance = 3240.0;

struct AdmOptions {
    explicit AdmOptions(const OptionsOf<kOptions> &values)
        : csf{static_cast<AdmCsfMode>(values.integer("adm_csf_mode")), values.real("adm_norm_view_dist"),
              values.integer("adm_ref_display_height"), values.real("adm_csf_scale"),
              values.real("adm_csf_diag_scale")},
          debug(values.boolean("debug")), dlm_weight(values.real("adm_dlm_weight")),
          gain_limit(values.real("adm_enhn_gain_limit")), noise_weight(values.real("adm_noise_weight")),
          skip_aim(values.boolean("adm_skip_aim")), skip_scale0(values.boolean("adm_skip_scale0")),
          min_val(values.real("adm_min_val"))
    {
    }

    AdmCsfOptions csf;
    bool debug;
    double dlm_weight;
    double gain_limit;
    double noise_weight;
    bool skip_aim;
    bool skip_scale0;
    double min_val;
};

class Adm final : public FeatureOf<AdmSums> {
  public:
    explicit Adm(const OptionValues &values) : options_(values), csf_(adm_csf(options_.csf)) {}

    Status check_format(const PictureFormat &) const override
    {
        const AdmCsfOptions &csf = options_.csf;
        if (csf.view_distance * csf.display_height_px < kMinPixelDistance) {
            log(LogLevel::error, "adm: adm_norm_view_dist %g * adm_ref_display_height %d is below %g",
                csf.view_distance, csf.display_height_px, kMinPixelDistance);
            return Status::error(EINVAL);
        }
        if (!csf_) {
            log(LogLevel::error,
                "adm: adm_csf_mode %d has no weights for adm_norm_view_dist %g, adm_ref_display_height %d",
                static_cast<int>(csf.mode), csf.view_distance, csf.display_height_px);
            return Status::error(EINVAL);
        }
        return {};
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        return outputs_of(kOutputs, options_.debug);
    }

    AdmParams params(const PictureFormat &format) const
    {
        AdmParams params = adm_params(format.width, format.height, csf_.value());
        // NaN passes as an option (spec abi 5.2), and the smaller of it and a target is the target.
        params.gain_limit = std::isnan(options_.gain_limit) ? kAdmNoGainLimit : options_.gain_limit;
        params.bpc = format.bpc;
        params.skip_scale0 = options_.skip_scale0;
        params.skip_aim = options_.skip_aim;
        return params;
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_adm_cpu(params(format), target);
    }

    AdmShares shares(const PictureFormat &format, const AdmSums &sums) const
    {
        const AdmParams geometry = params(format);
        double all = 0;
        for (const AdmScaleScores &scale : scale_scores(sums, format))
            all += static_cast<double>(scale.den);
        AdmShares shares{};
        for (unsigned s = options_.skip_scale0 ? 1 : 0; s < kAdmScales && all > 0; ++s) {
            const AdmNorms norms = adm_norms(sums, s, geometry.scale[s], *csf_);
            for (unsigned band = 0; band < kAdmBands; ++band) {
                shares.num[s][band] = static_cast<double>(norms.num[band]) / all;
                shares.den[s][band] = static_cast<double>(norms.den[band]) / all;
            }
        }
        return shares;
    }

  protected:
    /// spec adm 3.9.
    void finish(const AdmSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const std::array<AdmScaleScores, kAdmScales> scales = scale_scores(sums, format);
        double num = 0, den = 0, aim_num = 0;
        for (const AdmScaleScores &scale : scales) {
            num += static_cast<double>(scale.num);
            den += static_cast<double>(scale.den);
            aim_num += static_cast<double>(scale.aim);
        }
        const double limit = 1e-10 * (format.width * format.height) / (1920.0 * 1080.0);
        num = num < limit ? 0 : num;
        den = den < limit ? 0 : den;
        const double adm2 = den == 0 ? 1 : num / den, aim = den == 0 ? 0 : aim_num / den;
        const double adm3 = adm2 * options_.dlm_weight + (1 - aim) * (1 - options_.dlm_weight);

        std::size_t output = 0;
        for (const double score : {adm2, aim, std::max(adm3, options_.min_val)})
            scores[output++] = score;
        for (const AdmScaleScores &scale : scales)
            scores[output++] = static_cast<double>(scale.num) / static_cast<double>(scale.den);
        if (!options_.debug)
            return;
        for (const double score : {adm2, num, den})
            scores[output++] = score;
        for (const AdmScaleScores &scale : scales) {
            scores[output++] = static_cast<double>(scale.num);
            scores[output++] = static_cast<double>(scale.den);
        }
    }

  private:
    std::array<AdmScaleScores, kAdmScales> scale_scores(const AdmSums &sums, const PictureFormat &format) const
    {
        const AdmParams geometry = params(format);
        std::array<AdmScaleScores, kAdmScales> scores{};
        for (unsigned s = 0; s < kAdmScales; ++s) {
            scores[s] = adm_scale_scores(sums, s, geometry.scale[s], *csf_, options_.noise_weight);
            if (options_.skip_aim)
                scores[s].aim = 0;
        }
        if (options_.skip_scale0)
            scores[0] = {0, 1e-10F, 0};
        return scores;
    }

    AdmOptions options_;
    std::optional<AdmCsf> csf_; ///< empty: check_format() refuses
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Adm>(options);
}

} // namespace

AdmParams adm_params(const OptionValues &options, const PictureFormat &format)
{
    return Adm(options).params(format);
}

AdmShares adm_shares(const OptionValues &options, const PictureFormat &format, const AdmSums &sums)
{
    return Adm(options).shares(format, sums);
}

constinit const FeatureSpec kAdm = feature_spec("adm", "additive impairment and detail loss, fixed point",
                                                list_of<kOptions>(), list_of<kOutputs>(), create)
                                       .with(&FeatureSpec::min_width_px, 16)
                                       .with(&FeatureSpec::min_height_px, 16)
                                       .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR)
                                       .with_map("share of each pixel in the detail that is lost; 1 minus the mean is "
                                                 "adm2",
                                                 adm_map);

} // namespace vmaf
