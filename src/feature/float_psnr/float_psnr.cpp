#include "feature/float_psnr/float_psnr.h"

#include <array>
#include <cmath>

#include "base/log.h"
#include "feature/common/float_picture.h"
#include "feature/common/sample_depth.h"

namespace vmaf {
namespace {

constexpr std::array kOutputs{
    higher_is_better("float_psnr", "dB", 0, 108, "PSNR of the luma; identical pictures have 60 at 8 bits"),
};

class FloatPsnr final : public FeatureOf<FloatPsnrSums> {
  public:
    /// Other depths are out of memory to this feature alone (spec psnr 7).
    Status check_format(const PictureFormat &format) const override
    {
        return check_sample_depth(kFloatPsnr.name, format).ok() ? Status() : Status::error(ENOMEM);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &, CpuTarget target) const override
    {
        return make_float_psnr_cpu(target);
    }

  protected:
    void finish(const FloatPsnrSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        constexpr double kMinNoise = 1e-10;
        const double squared_scale = static_cast<double>(1U << 2 * (format.bpc - 8));
        const std::uint32_t pixels = format.width * format.height;
        const double noise = static_cast<double>(sums.sse) / squared_scale / static_cast<double>(pixels);
        const double peak = float_peak(format.bpc), cap = float_psnr_cap(format.bpc);
        const double psnr = 10 * std::log10(peak * peak / (noise > kMinNoise ? noise : kMinNoise));
        scores[0] = psnr < cap ? psnr : cap;
    }
};

std::unique_ptr<Feature> create(const OptionValues &)
{
    return std::make_unique<FloatPsnr>();
}

} // namespace

constinit const FeatureSpec kFloatPsnr = feature_spec("float_psnr", "peak signal to noise ratio, floating point (luma)",
                                                      list_of<kNoOptions>(), list_of<kOutputs>(), create);

} // namespace vmaf
