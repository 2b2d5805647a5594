#include "feature/psnr_hvs/psnr_hvs.h"

#include <array>
#include <cmath>

#include "base/log.h"

namespace vmaf {
namespace {

constexpr OutputDescription plane_output(const char *name, const char *help)
{
    return higher_is_better(name, "dB", -kUnbounded, kUnbounded, help);
}
constexpr std::array kOutputs{
    plane_output("psnr_hvs_y",
                 "score of Y; identical planes have infinity"), // of a picture without chroma the only one
    plane_output("psnr_hvs_cb", "score of Cb"),
    plane_output("psnr_hvs_cr", "score of Cr"),
    plane_output("psnr_hvs", "score of all planes, Y weighing 0.8"),
};

double decibel(double distortion)
{
    return 10 * (-1 * std::log10(distortion));
}

/// spec psnr_hvs 3.5: D. NaN for a plane without a block.
float distortion(float accumulator, const PictureFormat &format, unsigned plane)
{
    const unsigned blocks = hvs_blocks(format.plane_width(plane)) * hvs_blocks(format.plane_height(plane));
    const unsigned peak = (1U << format.bpc) - 1;
    return accumulator / static_cast<float>(kHvsBlockPx * kHvsBlockPx * blocks) / static_cast<float>(peak * peak);
}

class PsnrHvs final : public FeatureOf<PsnrHvsSums> {
  public:
    Status check_format(const PictureFormat &format) const override
    {
        if (format.bpc > 12) {
            log(LogLevel::error, "psnr_hvs: %u bits per sample, should be 8 to 12", format.bpc);
            return Status::error(EINVAL);
        }
        return {};
    }

    std::vector<OutputSpec> outputs(const PictureFormat &format) const override
    {
        return outputs_of(std::span(kOutputs).first(format.plane_count() == 1 ? 1 : kOutputs.size()));
    }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kAllPlanes, kAllPlanes}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &, CpuTarget target) const override
    {
        return make_psnr_hvs_cpu(target);
    }

  protected:
    void finish(const PsnrHvsSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        double planes[3];
        for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
            planes[plane] = static_cast<double>(distortion(sums.accumulator[plane], format, plane));
            scores[plane] = decibel(planes[plane]);
        }
        if (format.plane_count() == 3)
            scores[3] = decibel(planes[0] * 0.8 + 0.1 * (planes[1] + planes[2]));
    }
};

std::unique_ptr<Feature> create(const OptionValues &)
{
    return std::make_unique<PsnrHvs>();
}

} // namespace

constinit const FeatureSpec kPsnrHvs =
    feature_spec("psnr_hvs", "peak signal to noise ratio weighted by contrast sensitivity and masking",
                 list_of<kNoOptions>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR);

} // namespace vmaf
