#include "feature/float_vif/float_vif.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/log.h"
#include "feature/common/gaussian_taps.h"
#include "feature/common/sample_depth.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    bool_option("debug", nullptr, false, InName::no, "add numerators and denominators"),
    double_option("vif_enhn_gain_limit", "egl", 100.0, 1.0, 100.0, InName::yes, "limit of the gain"),
    double_option("vif_kernelscale", "ks", 1.0, 0.1, 4.0, InName::yes, "length and width of the filters"),
    double_option("vif_prescale", "ps", 1.0, 0.1, 4.0, InName::yes, "size of the pictures that are measured"),
    text_option("vif_prescale_method", "pm", "nearest", InName::yes,
                "how pictures are resized: nearest, bilinear, bicubic or lanczos4"),
    double_option("vif_scale1_min_val", "s1miv", 0.0, 0.0, 1.0, InName::yes, "smallest score of scale 1"),
    double_option("vif_scale2_min_val", "s2miv", 0.0, 0.0, 1.0, InName::yes, "smallest score of scale 2"),
    double_option("vif_scale3_min_val", "s3miv", 0.0, 0.0, 1.0, InName::yes, "smallest score of scale 3"),
    double_option("vif_sigma_nsq", "snsq", 2.0, 0.0, 5.0, InName::yes, "variance of the visual noise"),
    bool_option("vif_skip_scale0", "ssclz", false, InName::yes, "do not score scale 0"),
};

constexpr std::array kOutputs{
    higher_is_better("VMAF_feature_vif_scale0_score", "", 0, kUnbounded, "fidelity at the finest scale")
        .logged_as("vif_scale0"),
    higher_is_better("VMAF_feature_vif_scale1_score", "", 0, kUnbounded, "fidelity at scale 1").logged_as("vif_scale1"),
    higher_is_better("VMAF_feature_vif_scale2_score", "", 0, kUnbounded, "fidelity at scale 2").logged_as("vif_scale2"),
    higher_is_better("VMAF_feature_vif_scale3_score", "", 0, kUnbounded, "fidelity at the coarsest scale")
        .logged_as("vif_scale3"),
    higher_is_better("vif", "", 0, kUnbounded, "fidelity of all scales").with("debug"),
    plain_output("vif_num", "", -kUnbounded, kUnbounded, "numerator of all scales").with("debug"),
    plain_output("vif_den", "", -kUnbounded, kUnbounded, "denominator of all scales").with("debug"),
    plain_output("vif_num_scale0", "", -kUnbounded, kUnbounded, "numerator at the finest scale").with("debug"),
    plain_output("vif_den_scale0", "", -kUnbounded, kUnbounded, "denominator at the finest scale").with("debug"),
    plain_output("vif_num_scale1", "", -kUnbounded, kUnbounded, "numerator at scale 1").with("debug"),
    plain_output("vif_den_scale1", "", -kUnbounded, kUnbounded, "denominator at scale 1").with("debug"),
    plain_output("vif_num_scale2", "", -kUnbounded, kUnbounded, "numerator at scale 2").with("debug"),
    plain_output("vif_den_scale2", "", -kUnbounded, kUnbounded, "denominator at scale 2").with("debug"),
    plain_output("vif_num_scale3", "", -kUnbounded, kUnbounded, "numerator at the coarsest scale").with("debug"),
    plain_output("vif_den_scale3", "", -kUnbounded, kUnbounded, "denominator at the coarsest scale").with("debug"),
};
using Options = OptionsOf<kOptions>;

constexpr unsigned kSmallestPx = 8;           // spec float_features 4
constexpr unsigned kLargestBilinearPx = 7680; // spec float_features 3.1

/// The numerator and denominator that stand for a scale 0 that is not scored.
constexpr FloatVifScaleSums kSkipped{0, -1};

class FloatVif final : public FeatureOf<FloatVifSums> {
  public:
    explicit FloatVif(const OptionValues &options) : FloatVif(options, Options(options)) {}
    FloatVif(const OptionValues &options, const Options &values)
        : values_(options), kernel_scale_(values.real("vif_kernelscale")), prescale_(values.real("vif_prescale")),
          method_name_(values.text("vif_prescale_method")),
          method_(prescale_method(method_name_)), min_score_{values.real("vif_scale1_min_val"),
                                                             values.real("vif_scale2_min_val"),
                                                             values.real("vif_scale3_min_val")},
          skip_scale0_(values.boolean("vif_skip_scale0")), debug_(values.boolean("debug"))
    {
    }

    Status check_format(const PictureFormat &format) const override
    {
        VMAF_TRY(check_sample_depth(kFloatVif.name, format));
        if (!is_valid_kernel_scale(kernel_scale_)) {
            log(LogLevel::error, "float_vif: vif_kernelscale %g is not supported", kernel_scale_);
            return Status::error(EINVAL);
        }
        if (!method_) {
            log(LogLevel::error, "float_vif: vif_prescale_method \"%s\" is unknown", method_name_.c_str());
            return Status::error(EINVAL);
        }
        return check_size(format);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs, debug_); }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_float_vif_cpu(float_vif_options(values_, format), format, target);
    }

  protected:
    /// spec float_features 3.4.
    void finish(const FloatVifSums &sums, const PictureFormat &, std::span<double> scores) const override
    {
        std::array<FloatVifScaleSums, kFloatVifScales> scales;
        std::copy(std::begin(sums.scale), std::end(sums.scale), scales.begin());
        if (skip_scale0_)
            scales[0] = kSkipped;
        for (unsigned s = 0; s < kFloatVifScales; ++s)
            scores[s] = scale_score(scales[s], s);
        if (debug_)
            finish_debug(scales, scores.subspan(kFloatVifScales));
    }

  private:
    /// Nothing for a factor that is no number, which the option's range lets through.
    PictureSize prescaled(const PictureFormat &format) const
    {
        return prescale_ > 0 ? prescaled_size({format.width, format.height}, prescale_) : PictureSize{};
    }

    Status check_size(const PictureFormat &format) const
    {
        const PictureSize size = prescaled(format);
        if (size.width_px < kSmallestPx || size.height_px < kSmallestPx) {
            log(LogLevel::error, "float_vif: picture is %ux%u after the prescale, smallest size is %ux%u",
                size.width_px, size.height_px, kSmallestPx, kSmallestPx);
            return Status::error(EINVAL);
        }
        if (method_ == PrescaleMethod::bilinear && size.width_px > kLargestBilinearPx) {
            log(LogLevel::error, "float_vif: picture is %u wide after the prescale, the bilinear method gives up to %u",
                size.width_px, kLargestBilinearPx);
            return Status::error(EINVAL);
        }
        return {};
    }

    double scale_score(const FloatVifScaleSums &sums, unsigned scale) const
    {
        if (scale == 0 && skip_scale0_)
            return 0;
        const double score = static_cast<double>(sums.num) / static_cast<double>(sums.den);
        if (scale == 0)
            return score;
        const double least = min_score_[scale - 1];
        return score > least ? score : least;
    }

    void finish_debug(const std::array<FloatVifScaleSums, kFloatVifScales> &scales, std::span<double> scores) const
    {
        double num = 0, den = 0;
        for (const FloatVifScaleSums &scale : std::span(scales).subspan(skip_scale0_ ? 1 : 0)) {
            num += static_cast<double>(scale.num);
            den += static_cast<double>(scale.den);
        }
        scores[0] = den == 0 ? 1.0 : num / den;
        scores[1] = num;
        scores[2] = den;
        for (unsigned s = 0; s < kFloatVifScales; ++s) {
            scores[3 + 2 * s] = static_cast<double>(scales[s].num);
            scores[4 + 2 * s] = static_cast<double>(scales[s].den);
        }
    }

    OptionValues values_;
    double kernel_scale_;
    double prescale_;
    std::string method_name_;
    std::optional<PrescaleMethod> method_; ///< empty: check_format() refuses
    std::array<double, kFloatVifScales - 1> min_score_;
    bool skip_scale0_;
    bool debug_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<FloatVif>(options);
}

} // namespace

FloatVifOptions float_vif_options(const OptionValues &options, const PictureFormat &format)
{
    const Options values(options);
    return {values.real("vif_enhn_gain_limit"),
            values.real("vif_kernelscale"),
            prescale_method(values.text("vif_prescale_method")).value(),
            prescaled_size({format.width, format.height}, values.real("vif_prescale")),
            values.real("vif_sigma_nsq"),
            values.boolean("vif_skip_scale0")};
}

std::vector<float> float_vif_taps(unsigned scale, double kernel_scale)
{
    const float length = static_cast<float>((16U >> scale) + 1) * static_cast<float>(kernel_scale);
    const unsigned count = odd_tap_count(length);
    return gaussian_taps(count, static_cast<float>(count) / 5);
}

FloatVifNoise float_vif_noise(const FloatVifOptions &options)
{
    const double sigma_nsq = options.sigma_nsq;
    const float rounded = static_cast<float>(sigma_nsq);
    FloatVifNoise noise{};
    noise.sigma_nsq = sigma_nsq;
    noise.least_variance = static_cast<double>(rounded) < sigma_nsq
                               ? std::nextafter(rounded, std::numeric_limits<float>::infinity())
                               : rounded;
    noise.low_factor = static_cast<float>(static_cast<double>(rounded * rounded) / 65025.0);
    noise.gain_limit = static_cast<float>(options.gain_limit);
    int exponent = 0;
    noise.exact_inverse = std::frexp(sigma_nsq, &exponent) == 0.5;
    noise.inverse = noise.exact_inverse ? 1 / rounded : 0;
    return noise;
}

constinit const FeatureSpec kFloatVif =
    feature_spec("float_vif", "visual information fidelity of four scales, floating point (luma)", list_of<kOptions>(),
                 list_of<kOutputs>(), create)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR);

} // namespace vmaf
