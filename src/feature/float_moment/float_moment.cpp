#include "feature/float_moment/float_moment.h"

#include <array>

#include "feature/common/sample_depth.h"

namespace vmaf {
namespace {

constexpr std::array kOutputs{
    plain_output("float_moment_ref1st", "", 0, 256, "mean of the reference, in steps of 8 bits"),
    plain_output("float_moment_dis1st", "", 0, 256, "mean of the distorted picture"),
    plain_output("float_moment_ref2nd", "", 0, 65536, "mean square of the reference"),
    plain_output("float_moment_dis2nd", "", 0, 65536, "mean square of the distorted picture"),
};

class FloatMoment final : public FeatureOf<FloatMomentSums> {
  public:
    Status check_format(const PictureFormat &format) const override
    {
        return check_sample_depth(kFloatMoment.name, format);
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &, CpuTarget target) const override
    {
        return make_float_moment_cpu(target);
    }

  protected:
    /// spec float_features 3.11.
    void finish(const FloatMomentSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const double scale = static_cast<double>(1U << (format.bpc - 8));
        const double pixels = static_cast<double>(format.width) * static_cast<double>(format.height);
        scores[0] = static_cast<double>(sums.ref.sum) / scale / pixels;
        scores[1] = static_cast<double>(sums.dis.sum) / scale / pixels;
        scores[2] = static_cast<double>(sums.ref.squares) / (scale * scale) / pixels;
        scores[3] = static_cast<double>(sums.dis.squares) / (scale * scale) / pixels;
    }
};

std::unique_ptr<Feature> create(const OptionValues &)
{
    return std::make_unique<FloatMoment>();
}

} // namespace

constinit const FeatureSpec kFloatMoment =
    feature_spec("float_moment", "mean and mean square of the luma of both pictures", list_of<kNoOptions>(),
                 list_of<kOutputs>(), create)
        .with(&FeatureSpec::also_provides, "float_moment");

} // namespace vmaf
