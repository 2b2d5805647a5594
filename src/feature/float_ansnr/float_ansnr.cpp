#include "feature/float_ansnr/float_ansnr.h"

#include <array>
#include <cmath>

#include "feature/common/float_picture.h"
#include "feature/common/sample_depth.h"

namespace vmaf {
namespace {

/// A model finds the first one only (spec float_features 4).
constexpr std::array kOutputs{
    higher_is_better("float_ansnr", "dB", -kUnbounded, kUnbounded, "signal to noise ratio"),
    higher_is_better("float_anpsnr", "dB", -kUnbounded, 108, "peak signal to noise ratio").not_for_models(),
};

class FloatAnsnr final : public FeatureOf<FloatAnsnrSums> {
  public:
    Status check_format(const PictureFormat &format) const override
    {
        return check_sample_depth(kFloatAnsnr.name, format);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_float_ansnr_cpu(format, target);
    }

  protected:
    /// spec float_features 3.12.
    void finish(const FloatAnsnrSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        constexpr double kMinNoise = 1e-10;
        const double peak = float_peak(format.bpc), cap = float_psnr_cap(format.bpc), noise = sums.noise;
        scores[0] = sums.noise == 0 ? cap : 10.0 * std::log10(static_cast<double>(sums.signal / sums.noise));
        const double anpsnr =
            10 * std::log10(peak * peak * format.width * format.height / (noise > kMinNoise ? noise : kMinNoise));
        scores[1] = anpsnr < cap ? anpsnr : cap;
    }
};

std::unique_ptr<Feature> create(const OptionValues &)
{
    return std::make_unique<FloatAnsnr>();
}

} // namespace

constinit const FeatureSpec kFloatAnsnr =
    feature_spec("float_ansnr", "signal to noise ratio of differently filtered pictures (luma)", list_of<kNoOptions>(),
                 list_of<kOutputs>(), create);

} // namespace vmaf
