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

constexpr std::array kProvided{"float_ssim"};
constexpr std::array kTerms{"float_ssim_l", "float_ssim_c", "float_ssim_s"};

class FloatSsim final : public FeatureOf<SsimSums> {
  public:
    explicit FloatSsim(const OptionValues &values) : options_(values), scale_(values.integer("scale")) {}

    Status check_format(const PictureFormat &format) const override
    {
        VMAF_TRY(check_sample_depth(kProvided[0], format));
        const PictureSize size = evaluated(format);
        if (size.width_px >= kSsimTaps && size.height_px >= kSsimTaps)
            return {};
        log(LogLevel::error, "float_ssim: picture is %ux%u, reduced by %u to %ux%u, smallest size is %ux%u",
            format.width, format.height, factor(format), size.width_px, size.height_px, kSsimTaps, kSsimTaps);
        return Status::error(EINVAL);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        std::vector<OutputSpec> list{{kProvided[0]}};
        if (options_.enable_lcs)
            for (const char *name : kTerms)
                list.push_back({name, OutputKind::frame, false});
        return list;
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
    unsigned factor(const PictureFormat &format) const { return ssim_factor(scale_, format); }

    PictureSize evaluated(const PictureFormat &format) const
    {
        return ssim_reduced({format.width, format.height}, factor(format));
    }

    SsimOptions options_;
    int scale_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<FloatSsim>(options);
}

} // namespace

unsigned ssim_factor(int scale, const PictureFormat &format)
{
    return scale > 0 ? static_cast<unsigned>(scale) : std::max(1U, (std::min(format.width, format.height) + 128) / 256);
}

const FeatureSpec kFloatSsim{"float_ssim",
                             "structural similarity of the luma, reduced to about 256 lines",
                             kOptions,
                             kProvided,
                             Subsampling::skips_frames,
                             kSsimTaps,
                             kSsimTaps,
                             create};

} // namespace vmaf
