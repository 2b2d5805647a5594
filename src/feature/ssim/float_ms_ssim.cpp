#include <array>
#include <cmath>

#include "feature/common/sample_depth.h"
#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_scores.h"

namespace vmaf {
namespace {

constexpr unsigned kMinSide = 176;

constexpr std::array kOptions{kSsimLcsOption, kSsimDbOption, kSsimClipOption};

constexpr std::array kOutputs{
    higher_is_better("float_ms_ssim", "", 0, 1, "structural similarity of all scales"),
    ssim_term("float_ms_ssim_l_scale0", 0, "luminance term of scale 0"),
    ssim_term("float_ms_ssim_l_scale1", 0, "luminance term of scale 1"),
    ssim_term("float_ms_ssim_l_scale2", 0, "luminance term of scale 2"),
    ssim_term("float_ms_ssim_l_scale3", 0, "luminance term of scale 3"),
    ssim_term("float_ms_ssim_l_scale4", 0, "luminance term of scale 4"),
    ssim_term("float_ms_ssim_c_scale0", 0, "contrast term of scale 0"),
    ssim_term("float_ms_ssim_c_scale1", 0, "contrast term of scale 1"),
    ssim_term("float_ms_ssim_c_scale2", 0, "contrast term of scale 2"),
    ssim_term("float_ms_ssim_c_scale3", 0, "contrast term of scale 3"),
    ssim_term("float_ms_ssim_c_scale4", 0, "contrast term of scale 4"),
    ssim_term("float_ms_ssim_s_scale0", -1, "structure term of scale 0"),
    ssim_term("float_ms_ssim_s_scale1", -1, "structure term of scale 1"),
    ssim_term("float_ms_ssim_s_scale2", -1, "structure term of scale 2"),
    ssim_term("float_ms_ssim_s_scale3", -1, "structure term of scale 3"),
    ssim_term("float_ms_ssim_s_scale4", -1, "structure term of scale 4"),
};

/// spec ssim 3.5: A and B.
constexpr float kLuminanceWeight[kMsSsimScales] = {0, 0, 0, 0, 0.1333F};
constexpr float kWeight[kMsSsimScales] = {0.0448F, 0.2856F, 0.3001F, 0.2363F, 0.1333F};

double weighted(float term, float weight)
{
    return std::pow(static_cast<double>(term), static_cast<double>(weight));
}

class FloatMsSsim final : public FeatureOf<MsSsimSums> {
  public:
    explicit FloatMsSsim(const OptionsOf<kOptions> &values)
        : options_{values.boolean("enable_lcs"), values.boolean("enable_db"), values.boolean("clip_db")}
    {
    }

    Status check_format(const PictureFormat &format) const override
    {
        return check_sample_depth(kFloatMsSsim.name, format);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        return outputs_of(kOutputs, options_.enable_lcs);
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_float_ms_ssim_cpu(format, target);
    }

  protected:
    void finish(const MsSsimSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        double score = 1;
        PictureSize size{format.width, format.height};
        for (unsigned scale = 0; scale < kMsSsimScales; ++scale, size = size.halved()) {
            const SsimMeans means(sums.scale[scale], size);
            score *= weighted(means.l, kLuminanceWeight[scale]) * weighted(means.c, kWeight[scale]) *
                     weighted(means.s, kWeight[scale]);
            if (options_.enable_lcs) {
                scores[1 + scale] = static_cast<double>(means.l);
                scores[1 + kMsSsimScales + scale] = static_cast<double>(means.c);
                scores[1 + 2 * kMsSsimScales + scale] = static_cast<double>(means.s);
            }
        }
        scores[0] = options_.output(score, format);
    }

  private:
    SsimOptions options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<FloatMsSsim>(OptionsOf<kOptions>(options));
}

} // namespace

constinit const FeatureSpec kFloatMsSsim =
    feature_spec("float_ms_ssim", "structural similarity of the luma at five scales", list_of<kOptions>(),
                 list_of<kOutputs>(), create)
        .with(&FeatureSpec::min_width_px, kMinSide)
        .with(&FeatureSpec::min_height_px, kMinSide)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR)
        .with(&FeatureSpec::gpu_tolerance, 3e-7);

} // namespace vmaf
