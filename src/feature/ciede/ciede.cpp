#include "feature/ciede/ciede.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "base/log.h"
#include "feature/common/sample_depth.h"

namespace vmaf {
namespace {

constexpr std::array kOutputs{
    higher_is_better("ciede2000", "", -kUnbounded, kUnbounded, "45 - 20 log10 of the mean colour difference"),
};

class Ciede final : public FeatureOf<CiedeSums> {
  public:
    Status check_format(const PictureFormat &format) const override
    {
        if (format.plane_width(1) > 0 && format.plane_height(1) > 0)
            return check_sample_depth("ciede", format);
        log(LogLevel::error, "ciede: the picture of %ux%u has no chroma", format.width, format.height);
        return Status::error(EINVAL);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kAllPlanes, kAllPlanes}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_ciede_cpu(format, target);
    }

  protected:
    /// spec ciede 3.4.
    void finish(const CiedeSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const std::uint32_t pixels = format.width * format.height;
        scores[0] = 45 - 20 * std::log10(sums.difference / static_cast<double>(pixels));
    }
};

std::unique_ptr<Feature> create(const OptionValues &)
{
    return std::make_unique<Ciede>();
}

} // namespace

constinit const FeatureSpec kCiede =
    feature_spec("ciede", "CIEDE2000 colour difference", list_of<kNoOptions>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR)
        .with(&FeatureSpec::gpu_tolerance, 1e-5);

} // namespace vmaf
