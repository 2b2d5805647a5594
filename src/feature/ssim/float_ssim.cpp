#include <algorithm>
#include <array>

#include "base/log.h"
#include "feature/common/sample_depth.h"
#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_scores.h"

namespace vmaf {
namespace {

constexpr int kMaxFactor = 10;

constexpr std::array kOptions{
    kSsimLcsOption,
    kSsimDbOption,
    kSsimClipOption,
    int_option("scale", nullptr, 0, 0, kMaxFactor, InName::no, "factor of reduction; 0: by the size, 1: none"),
};

constexpr std::array kOutputs{
    higher_is_better("float_ssim", "", -1, 1, "structural similarity"),
    ssim_term("float_ssim_l", 0, "luminance term"),
    ssim_term("float_ssim_c", 0, "contrast term"),
    ssim_term("float_ssim_s", -1, "structure term"),
};

unsigned factor_of(int scale, const PictureFormat &format)
{
    return scale > 0 ? static_cast<unsigned>(scale) : std::max(1U, (std::min(format.width, format.height) + 128) / 256);
}

class FloatSsim final : public FeatureOf<SsimSums> {
  public:
    explicit FloatSsim(const OptionsOf<kOptions> &values)
        : options_{values.boolean("enable_lcs"), values.boolean("enable_db"), values.boolean("clip_db")},
          scale_(values.integer("scale"))
    {
    }

    Status check_format(const PictureFormat &format) const override
    {
        VMAF_TRY(check_sample_depth(kFloatSsim.name, format));
        const PictureSize size = evaluated(format);
        if (size.width_px >= kSsimTaps && size.height_px >= kSsimTaps)
            return {};
        log(LogLevel::error, "float_ssim: picture is %ux%u, reduced by %u to %ux%u, smallest size is %ux%u",
            format.width, format.height, factor(format), size.width_px, size.height_px, kSsimTaps, kSsimTaps);
        return Status::error(EINVAL);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        return outputs_of(kOutputs, options_.enable_lcs);
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_float_ssim_cpu(format, factor(format), target);
    }

  protected:
    void finish(const SsimSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const SsimMeans means(sums, evaluated(format));
        scores[0] = options_.output(static_cast<double>(means.ssim), format);
        if (!options_.enable_lcs)
            return;
        scores[1] = static_cast<double>(means.l);
        scores[2] = static_cast<double>(means.c);
        scores[3] = static_cast<double>(means.s);
    }

  private:
    unsigned factor(const PictureFormat &format) const { return factor_of(scale_, format); }

    PictureSize evaluated(const PictureFormat &format) const
    {
        return ssim_reduced({format.width, format.height}, factor(format));
    }

    SsimOptions options_;
    int scale_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<FloatSsim>(OptionsOf<kOptions>(options));
}

Result<MetricMap> make_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                           CpuTarget target)
{
    const unsigned factor = ssim_factor(options, format);
    const PictureSize size = ssim_reduced({format.width, format.height}, factor);
    MetricMap map{size.width_px - kSsimMargin, size.height_px - kSsimMargin, {}, 1, 0};
    map.values.resize(std::size_t{map.width_px} * map.height_px);
    SsimSums sums{};
    VMAF_TRY(make_float_ssim_cpu(format, factor, target, map.values.data())->extract(planes, &sums));
    return map;
}

} // namespace

unsigned ssim_factor(const OptionValues &options, const PictureFormat &format)
{
    return factor_of(OptionsOf<kOptions>(options).integer("scale"), format);
}

constinit const FeatureSpec kFloatSsim =
    feature_spec("float_ssim", "structural similarity of the luma, reduced to about 256 lines", list_of<kOptions>(),
                 list_of<kOutputs>(), create)
        .with(&FeatureSpec::min_width_px, kSsimTaps)
        .with(&FeatureSpec::min_height_px, kSsimTaps)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR)
        // spec ssim 5: means are binary32, the order of the sums is free.
        .with(&FeatureSpec::gpu_tolerance, 1.2e-7)
        .with_map("SSIM of each position of the window in the reduced pictures; the mean is float_ssim", make_map);

} // namespace vmaf
