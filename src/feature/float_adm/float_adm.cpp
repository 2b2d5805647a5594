#include "feature/float_adm/float_adm.h"

#include <array>
#include <cmath>

#include "feature/common/sample_depth.h"
#include "feature/float_adm/float_adm_csf.h"

namespace vmaf {
namespace {

constexpr OptionSpec weight_option(const char *name, const char *alias, const char *help)
{
    return double_option(name, alias, -1.0, -1.0, 10.0, InName::yes, help);
}

constexpr std::array kOptions{
    bool_option("debug", nullptr, false, InName::no, "add numerators and denominators"),
    bool_option("adm_adm3_apply_hm", "aah", false, InName::yes, "adm3 is the harmonic mean of adm2 and aim"),
    int_option("adm_bypass_cm", "bcm", 0, 0, 1, InName::yes, "1: no contrast masking"),
    double_option("adm_csf_diag_scale", "scfd", 1.0, 0, 50, InName::yes, "factor of the CSF of D in CSF mode 1"),
    int_option("adm_csf_mode", "csf", 0, 0, 9, InName::yes,
               "contrast sensitivity: 1 Barten, 2 the ADM paper's, else Watson"),
    double_option("adm_csf_scale", "scf", 1.0, 0, 50, InName::yes, "factor of the CSF of H and V in CSF mode 1"),
    double_option("adm_dlm_weight", "dlmw", 0.5, 0, 1, InName::yes, "share of adm2 in adm3; the rest is 1 - aim"),
    double_option("adm_enhn_gain_limit", "egl", 100, 1, 100, InName::yes,
                  "largest gain over the reference that counts as restored"),
    weight_option("adm_f1s0", "f1s0", "CSF weight of H and V at scale 0; negative: by adm_csf_mode"),
    weight_option("adm_f1s1", "f1s1", "the same at scale 1"),
    weight_option("adm_f1s2", "f1s2", "the same at scale 2"),
    weight_option("adm_f1s3", "f1s3", "the same at scale 3"),
    weight_option("adm_f2s0", "f2s0", "CSF weight of D at scale 0; negative: by adm_csf_mode"),
    weight_option("adm_f2s1", "f2s1", "the same at scale 1"),
    weight_option("adm_f2s2", "f2s2", "the same at scale 2"),
    weight_option("adm_f2s3", "f2s3", "the same at scale 3"),
    double_option("adm_min_val", "min", 0, 0, 1, InName::yes, "smallest adm3"),
    double_option("adm_noise_weight", "nw", 0.03125, 0, 1500, InName::yes, "noise added to each band's norm"),
    double_option("adm_norm_view_dist", "nvd", 3, 0.75, 24, InName::yes, "viewing distance in display heights")
        .with(VMAF_ROLE_VIEW_DISTANCE),
    double_option("adm_p_norm", "apn", 3, 1, 20, InName::yes, "exponent of the norm that pools a band"),
    int_option("adm_ref_display_height", "rdf", 1080, 1, 4320, InName::yes, "display height in pixels")
        .with(VMAF_ROLE_DISPLAY_HEIGHT),
    int_option("adm_skip_aim_scale", "sasc", -1, 0, 3, InName::yes, "scale that aim leaves out"),
    bool_option("adm_skip_scale0", "ssz", false, InName::yes, "leave out the finest scale"),
};

constexpr std::array kOutputs{
    higher_is_better("VMAF_feature_adm2_score", "", 0, kUnbounded, "detail that is kept").logged_as("adm2"),
    lower_is_better("VMAF_feature_aim_score", "", 0, 1, "impairment that is added").logged_as("aim"),
    higher_is_better("VMAF_feature_adm3_score", "", 0, kUnbounded, "adm2 and 1 - aim, weighted").logged_as("adm3"),
    higher_is_better("VMAF_feature_adm_scale0_score", "", 0, kUnbounded, "detail that is kept at the finest scale")
        .logged_as("adm_scale0"),
    higher_is_better("VMAF_feature_adm_scale1_score", "", 0, kUnbounded, "detail that is kept at scale 1")
        .logged_as("adm_scale1"),
    higher_is_better("VMAF_feature_adm_scale2_score", "", 0, kUnbounded, "detail that is kept at scale 2")
        .logged_as("adm_scale2"),
    higher_is_better("VMAF_feature_adm_scale3_score", "", 0, kUnbounded, "detail that is kept at the coarsest scale")
        .logged_as("adm_scale3"),
    higher_is_better("adm", "", 0, kUnbounded, "adm2 again").with("debug").not_for_models(),
    plain_output("adm_num", "", 0, kUnbounded, "numerator of adm2").with("debug"),
    plain_output("adm_den", "", 0, kUnbounded, "denominator of adm2").with("debug"),
    plain_output("adm_num_scale0", "", 0, kUnbounded, "numerator at the finest scale").with("debug"),
    plain_output("adm_den_scale0", "", 0, kUnbounded, "denominator at the finest scale").with("debug"),
    plain_output("adm_num_scale1", "", 0, kUnbounded, "numerator at scale 1").with("debug"),
    plain_output("adm_den_scale1", "", 0, kUnbounded, "denominator at scale 1").with("debug"),
    plain_output("adm_num_scale2", "", 0, kUnbounded, "numerator at scale 2").with("debug"),
    plain_output("adm_den_scale2", "", 0, kUnbounded, "denominator at scale 2").with("debug"),
    plain_output("adm_num_scale3", "", 0, kUnbounded, "numerator at the coarsest scale").with("debug"),
    plain_output("adm_den_scale3", "", 0, kUnbounded, "denominator at the coarsest scale").with("debug"),
};

struct FloatAdmOptions {
    explicit FloatAdmOptions(const OptionsOf<kOptions> &values)
        : debug(values.boolean("debug")), apply_harmonic_mean(values.boolean("adm_adm3_apply_hm")),
          bypass_mask(values.integer("adm_bypass_cm") != 0), dlm_weight(values.real("adm_dlm_weight")),
          gain_limit(values.real("adm_enhn_gain_limit")), min_val(values.real("adm_min_val")),
          noise_weight(values.real("adm_noise_weight")), p_norm(values.real("adm_p_norm")),
          skip_aim_scale(values.integer("adm_skip_aim_scale")), skip_scale0(values.boolean("adm_skip_scale0"))
    {
    }

    bool debug;
    bool apply_harmonic_mean;
    bool bypass_mask;
    double dlm_weight;
    double gain_limit;
    double min_val;
    double noise_weight;
    double p_norm;
    int skip_aim_scale;
    bool skip_scale0;
};

FloatAdmCsfOptions csf_options(const OptionsOf<kOptions> &values)
{
    return {values.integer("adm_csf_mode"),
            values.real("adm_norm_view_dist"),
            values.integer("adm_ref_display_height"),
            values.real("adm_csf_scale"),
            values.real("adm_csf_diag_scale"),
            {values.real("adm_f1s0"), values.real("adm_f1s1"), values.real("adm_f1s2"), values.real("adm_f1s3")},
            {values.real("adm_f2s0"), values.real("adm_f2s1"), values.real("adm_f2s2"), values.real("adm_f2s3")}};
}

/// num_s, den_s and aim_s of spec float_features 3.9.
struct ScaleScores {
    float num;
    float den;
    float aim;
};

/// Sums over scales.
struct Totals {
    double num = 0, den = 0, aim_num = 0, aim_den = 0;
};

class FloatAdm final : public FeatureOf<FloatAdmSums> {
  public:
    explicit FloatAdm(const OptionValues &values) : options_(values), csf_(float_adm_csf(csf_options(values))) {}

    Status check_format(const PictureFormat &format) const override
    {
        return check_sample_depth(kFloatAdm.name, format);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        return outputs_of(kOutputs, options_.debug);
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_float_adm_cpu(params(format), target);
    }

    FloatAdmParams params(const PictureFormat &format) const
    {
        FloatAdmParams params{};
        params.gain_limit = options_.gain_limit;
        params.p_norm = static_cast<float>(options_.p_norm);
        params.skip_scale0 = options_.skip_scale0;
        params.bypass_mask = options_.bypass_mask;
        unsigned width = format.width, height = format.height;
        for (unsigned s = 0; s < kAdmScales; ++s) {
            width = (width + 1) / 2;
            height = (height + 1) / 2;
            const unsigned left = adm_crop(width), top = adm_crop(height);
            params.scale[s] = {
                width, height, left, top, width - left, height - top, {csf_[s][kAdmH], csf_[s][kAdmV], csf_[s][kAdmD]}};
        }
        return params;
    }

  protected:
    /// spec float_features 3.10.
    void finish(const FloatAdmSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const std::array<ScaleScores, kAdmScales> scales = scale_scores(sums, format);
        Totals total = totals(scales);
        const double limit = 1e-10 * (format.width * format.height) / (1920.0 * 1080.0);
        total.num = total.num < limit ? 0 : total.num;
        total.den = total.den < limit ? 0 : total.den;
        const double adm2 = total.den == 0 ? 1 : total.num / total.den;
        const double aim_ratio = total.aim_num / total.aim_den;
        const double aim = total.den == 0 ? 0 : aim_ratio < 1 ? aim_ratio : 1;

        std::size_t output = 0;
        for (const double score : {adm2, aim, adm3(adm2, aim)})
            scores[output++] = score;
        for (const ScaleScores &scale : scales)
            scores[output++] = static_cast<double>(scale.num) / static_cast<double>(scale.den);
        if (!options_.debug)
            return;
        for (const double score : {adm2, total.num, total.den})
            scores[output++] = score;
        for (const ScaleScores &scale : scales) {
            scores[output++] = static_cast<double>(scale.num);
            scores[output++] = static_cast<double>(scale.den);
        }
    }

  private:
    /// spec float_features 3.9: pool(Q, nw).
    float pool(const float (&q)[kAdmBands], double area, double noise_weight) const
    {
        const float exponent = static_cast<float>(1 / options_.p_norm);
        const float add = std::pow(static_cast<float>(area * noise_weight), exponent);
        const auto band = [&](unsigned b) { return std::pow(q[b], exponent) + add; };
        return (band(kAdmH) + band(kAdmV)) + band(kAdmD);
    }

    std::array<ScaleScores, kAdmScales> scale_scores(const FloatAdmSums &sums, const PictureFormat &format) const
    {
        const FloatAdmParams geometry = params(format);
        std::array<ScaleScores, kAdmScales> scores{};
        for (unsigned s = 0; s < kAdmScales; ++s) {
            const double area = geometry.scale[s].area();
            scores[s] = {pool(sums.num[s], area, options_.noise_weight), pool(sums.den[s], area, options_.noise_weight),
                         pool(sums.aim[s], area, 0)};
        }
        if (options_.skip_scale0)
            scores[0] = {0, 1e-10F, 0};
        return scores;
    }

    Totals totals(const std::array<ScaleScores, kAdmScales> &scales) const
    {
        Totals total;
        for (unsigned s = 0; s < kAdmScales; ++s) {
            const double den = static_cast<double>(scales[s].den);
            total.num += static_cast<double>(scales[s].num);
            total.den += den;
            if (static_cast<int>(s) == options_.skip_aim_scale)
                continue;
            total.aim_num += static_cast<double>(scales[s].aim);
            total.aim_den += den;
        }
        return total;
    }

    double adm3(double adm2, double aim) const
    {
        const double score = options_.apply_harmonic_mean
                                 ? 2 * adm2 * aim / (adm2 + aim)
                                 : adm2 * options_.dlm_weight + (1 - aim) * (1 - options_.dlm_weight);
        return score > options_.min_val ? score : options_.min_val;
    }

    FloatAdmOptions options_;
    FloatAdmCsf csf_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<FloatAdm>(options);
}

} // namespace

FloatAdmParams float_adm_params(const OptionValues &values, const PictureFormat &format)
{
    return FloatAdm(values).params(format);
}

constinit const FeatureSpec kFloatAdm = feature_spec("float_adm", "additive impairment and detail loss, floating point",
                                                     list_of<kOptions>(), list_of<kOutputs>(), create)
                                            .with(&FeatureSpec::min_width_px, 16)
                                            .with(&FeatureSpec::min_height_px, 16)
                                            .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR)
                                            .with(&FeatureSpec::also_provides, "adm_scale0");

} // namespace vmaf
