#include "feature/speed/speed.h"

#include <array>

#include "base/log.h"
#include "feature/common/gaussian_taps.h"
#include "feature/speed/speed_geometry.h"

namespace vmaf {
namespace {

constexpr OptionSpec kKernelScale =
    double_option("speed_kernelscale", "ks", 1, 0.1, 4, InName::yes, "factor for the low pass' length");
constexpr OptionSpec kPrescale =
    double_option("speed_prescale", "ps", 1, 0.1, 4, InName::yes, "factor for the picture's size");
constexpr OptionSpec kPrescaleMethod =
    text_option("speed_prescale_method", "psm", "nearest", InName::yes, "nearest, bilinear, bicubic or lanczos4");
constexpr OptionSpec kSigmaNn =
    double_option("speed_sigma_nn", "snn", 0.29, 0.1, 2, InName::yes, "variance of the neural noise");
constexpr OptionSpec kNnFloor =
    double_option("speed_nn_floor", "nnf", 0, 0, 1, InName::yes, "part of the noise that both blocks must exceed");
constexpr OptionSpec kMaxVal = double_option("speed_max_val", "mxv", 1000, 0, 1000, InName::yes, "largest score");

constexpr std::array kChromaOptions{
    kKernelScale,
    kPrescale,
    kPrescaleMethod,
    kSigmaNn,
    kNnFloor,
    kMaxVal,
    int_option("speed_weight_var_mode", "wvm", 0, 0, 6, InName::yes, "whose variances weight the entropies"),
};
constexpr std::array kTemporalOptions{
    kKernelScale,
    kPrescale,
    kPrescaleMethod,
    kSigmaNn,
    kNnFloor,
    kMaxVal,
    bool_option("speed_use_ref_diff", "urd", false, InName::yes,
                "subtract the reference picture from the distorted one before it"),
};

constexpr std::array kChromaOutputs{
    lower_is_better("Speed_chroma_feature_speed_chroma_u_score", "", 0, 1000, "entropy difference of Cb")
        .logged_as("speed_chroma_u"),
    lower_is_better("Speed_chroma_feature_speed_chroma_v_score", "", 0, 1000, "entropy difference of Cr")
        .logged_as("speed_chroma_v"),
    lower_is_better("Speed_chroma_feature_speed_chroma_uv_score", "", 0, 1000, "mean of both")
        .logged_as("speed_chroma_uv"),
};
constexpr std::array kTemporalOutputs{
    lower_is_better("Speed_temporal_feature_speed_temporal_score", "", 0, kUnbounded,
                    "entropy difference of the luma's changes; 0 for the first frame")
        .logged_as("speed_temporal"),
};

template <const auto &kTable> SpeedOptions common_options(const OptionsOf<kTable> &values)
{
    return {values.real("speed_kernelscale"), values.real("speed_prescale"), values.text("speed_prescale_method"),
            values.real("speed_sigma_nn"),    values.real("speed_nn_floor"), values.real("speed_max_val")};
}

Status check_plane(const char *feature, const PictureSize &plane, const SpeedOptions &options)
{
    if (!is_valid_kernel_scale(options.kernel_scale)) {
        log(LogLevel::error, "%s: speed_kernelscale is %g, which is none of the allowed values", feature,
            options.kernel_scale);
        return Status::error(EINVAL);
    }
    if (!prescale_method(options.prescale_method)) {
        log(LogLevel::error, "%s: speed_prescale_method is \"%s\", should be nearest, bilinear, bicubic or lanczos4",
            feature, options.prescale_method.c_str());
        return Status::error(EINVAL);
    }
    const SpeedGeometry geometry(plane, options.prescale);
    if (geometry.too_small()) {
        constexpr unsigned kSmallest = kSpeedStep * kSpeedBlock;
        log(LogLevel::error, "%s: a plane is %ux%u after prescaling, smallest size is %ux%u", feature,
            geometry.prescaled.width_px, geometry.prescaled.height_px, kSmallest, kSmallest);
        return Status::error(EINVAL);
    }
    return {};
}

class SpeedChroma final : public FeatureOf<SpeedChromaSums> {
  public:
    explicit SpeedChroma(const OptionValues &values) : options_(speed_chroma_options(values)) {}

    Status check_format(const PictureFormat &format) const override
    {
        if (format.plane_count() < 3) {
            log(LogLevel::error, "%s: the pictures have no chroma planes", kSpeedChroma.name);
            return Status::error(EINVAL);
        }
        return check_plane(kSpeedChroma.name, {format.plane_width(1), format.plane_height(1)}, options_);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kChromaOutputs); }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kChroma, kChroma}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_speed_chroma_cpu(format, options_, target);
    }

  protected:
    /// spec speed 3.9
    void finish(const SpeedChromaSums &sums, const PictureFormat &, std::span<double> scores) const override
    {
        const auto &[u, v] = sums.plane;
        const float both = u.bad != 0 && v.bad == 0   ? v.score
                           : v.bad != 0 && u.bad == 0 ? u.score
                                                      : (u.score + v.score) / 2;
        scores[0] = limited(u.score);
        scores[1] = limited(v.score);
        scores[2] = limited(both);
    }

  private:
    double limited(double score) const { return score < options_.max_val ? score : options_.max_val; }

    SpeedOptions options_;
};

class SpeedTemporal final : public FeatureOf<SpeedTemporalSums> {
  public:
    explicit SpeedTemporal(const OptionValues &values) : options_(speed_temporal_options(values)) {}

    Status check_format(const PictureFormat &format) const override
    {
        return check_plane(kSpeedTemporal.name, {format.width, format.height}, options_);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kTemporalOutputs); }

    ReadingWindow window(const PictureFormat &) const override
    {
        return {.pair = {kLuma, options_.use_ref_diff ? kNoPlanes : kLuma},
                .earlier = {PairMask{kLuma, kLuma}},
                .missing = ReadingWindow::Missing::is_accepted};
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_speed_temporal_cpu(format, options_, target);
    }

  protected:
    void finish(const SpeedTemporalSums &sums, const PictureFormat &, std::span<double> scores) const override
    {
        scores[0] = sums.luma.score;
    }

  private:
    SpeedOptions options_;
};

template <class SpeedFeature> std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<SpeedFeature>(options);
}

} // namespace

SpeedOptions speed_chroma_options(const OptionValues &given)
{
    const OptionsOf<kChromaOptions> values(given);
    SpeedOptions options = common_options(values);
    options.weight_var_mode = values.integer("speed_weight_var_mode");
    return options;
}

SpeedOptions speed_temporal_options(const OptionValues &given)
{
    const OptionsOf<kTemporalOptions> values(given);
    SpeedOptions options = common_options(values);
    options.use_ref_diff = values.boolean("speed_use_ref_diff");
    return options;
}

// The smallest size depends on the options: check_format() knows it.
constinit const FeatureSpec kSpeedChroma =
    feature_spec("speed_chroma", "entropy difference of the chroma planes", list_of<kChromaOptions>(),
                 list_of<kChromaOutputs>(), create<SpeedChroma>)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR);
constinit const FeatureSpec kSpeedTemporal =
    feature_spec("speed_temporal", "entropy difference of the luma changes between successive frames",
                 list_of<kTemporalOptions>(), list_of<kTemporalOutputs>(), create<SpeedTemporal>)
        .with(&FeatureSpec::sees_every_frame, 1)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR);

} // namespace vmaf
