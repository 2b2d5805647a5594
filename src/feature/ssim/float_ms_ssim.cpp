#include <array>
#include <cmath>

#include "feature/common/sample_depth.h"
#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_scores.h"

namespace vmaf {
namespace {

constexpr unsigned kMinSide = 176;

constexpr std::array kOptions{kSsimLcsOption, kSsimDbOption, kSsimClipOption};

constexpr std::array kProvided{"float_ms_ssim"};
constexpr const char *kTerms[3][kMsSsimScales] = {
    {"float_ms_ssim_l_scale0", "float_ms_ssim_l_scale1", "float_ms_ssim_l_scale2", "float_ms_ssim_l_scale3",
     "float_ms_ssim_l_scale4"},
    {"float_ms_ssim_c_scale0", "float_ms_ssim_c_scale1", "float_ms_ssim_c_scale2", "float_ms_ssim_c_scale3",
     "float_ms_ssim_c_scale4"},
    {"float_ms_ssim_s_scale0", "float_ms_ssim_s_scale1", "float_ms_ssim_s_scale2", "float_ms_ssim_s_scale3",
     "float_ms_ssim_s_scale4"},
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
    explicit FloatMsSsim(const OptionValues &values) : options_(values) {}

    Status check_format(const PictureFormat &format) const override { return check_sample_depth(kProvided[0], format); }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        std::vector<OutputSpec> list{{kProvided[0]}};
        if (options_.enable_lcs)
            for (const auto &names : kTerms)
                for (const char *name : names)
                    list.push_back({name, OutputKind::frame, false});
        return list;
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
    return std::make_unique<FloatMsSsim>(options);
}

} // namespace

const FeatureSpec kFloatMsSsim{"float_ms_ssim",
                               "structural similarity of the luma at five scales",
                               kOptions,
                               kProvided,
                               Subsampling::skips_frames,
                               kMinSide,
                               kMinSide,
                               create};

} // namespace vmaf
