#include "feature/butteraugli/butteraugli.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "feature/common/colour_options.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    kYuvMatrixOption,
    finite_option("intensity_target", nullptr, 80, 1, 10000, InName::no,
                  "nits of SDR's white, and of HDR's reference white"),
    finite_option("hf_asymmetry", nullptr, 1, 0.1, 10, InName::no,
                  "above 1, detail that differs counts more and detail that only one picture has less"),
    kTransferOption,
    kPrimariesOption,
};
constexpr std::array kOutputs{
    lower_is_better("butteraugli_3norm", "", 0, kUnbounded, "visible difference, pooled by the 3-norm"),
    lower_is_better("butteraugli_max", "", 0, kUnbounded, "largest visible difference"),
    lower_is_better("butteraugli_2norm", "", 0, kUnbounded, "visible difference, pooled by the 2-norm"),
};
using Options = OptionsOf<kOptions>;

class Butteraugli final : public FeatureOf<ButteraugliSums> {
  public:
    explicit Butteraugli(const OptionValues &values) : options_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kAllPlanes, kAllPlanes}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_butteraugli_cpu(format, options_, target);
    }

  protected:
    void finish(const ButteraugliSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        std::ranges::copy(butteraugli_scores(sums, format.width, format.height), scores.begin());
    }

  private:
    ButteraugliOptions options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Butteraugli>(options);
}

/// Differences from 1 on are visible; those of poor encodes have several times that.
constexpr double kBrightDifference = 4;

Result<MetricMap> make_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                           CpuTarget target)
{
    MetricMap map{format.width, format.height, {}, 0, kBrightDifference};
    map.values.resize(std::size_t{map.width_px} * map.height_px);
    ButteraugliSums sums{};
    const ButteraugliOptions values(options);
    VMAF_TRY(make_butteraugli_cpu(format, values, target, map.values.data())->extract(planes, &sums));
    return map;
}

Status check_options(const OptionValues &options)
{
    const Options values(options);
    VMAF_TRY(check_transfer("butteraugli", values.text("transfer")));
    return check_primaries("butteraugli", values.text("primaries"));
}

/// spec butteraugli 3.5: c0 and c1.
ButteraugliTuning::Lines lines(double norm, double factor, double equal, double one_sided)
{
    const double scale = norm * factor / 8.5;
    return {static_cast<float>(norm), static_cast<float>(scale * std::sqrt(0.5 * equal)),
            static_cast<float>(scale * std::sqrt(0.33 * one_sided))};
}

double blur_weight(ButteraugliBlur blur, unsigned distance)
{
    const double sigma = kButteraugliSigma[blur];
    return std::exp(-static_cast<double>(distance * distance) / (2 * sigma * sigma));
}

/// The sum of the weights that lie on a line with so many samples before and behind the centre's.
double weight_sum(ButteraugliBlur blur, unsigned before, unsigned behind)
{
    double sum = blur_weight(blur, 0);
    for (unsigned distance = 1; distance <= kButteraugliReach[blur]; ++distance) {
        const unsigned sides = (distance <= before ? 1U : 0U) + (distance <= behind ? 1U : 0U);
        sum += sides * blur_weight(blur, distance);
    }
    return sum;
}

} // namespace

ButteraugliOptions::ButteraugliOptions(const OptionValues &values)
    : yuv_matrix(Options(values).integer("yuv_matrix")), intensity_target(Options(values).real("intensity_target")),
      hf_asymmetry(Options(values).real("hf_asymmetry")),
      light(relative_light(Options(values).text("transfer"), Options(values).text("primaries")))
{
}

ButteraugliTuning butteraugli_tuning(const ButteraugliOptions &options)
{
    constexpr double kFine = 0.39905817637, kCoarse = 0.611612573796;
    const double a = options.hf_asymmetry, root = std::sqrt(a);
    ButteraugliTuning tuning{};
    tuning.intensity = options.intensity_target;
    tuning.lines[kButteraugliUltraY] = lines(71.7800275169, kFine, 1.10039032555 * a, 1.10039032555 / a);
    tuning.lines[kButteraugliUltraX] = lines(5, kFine, 173.5 * a, 173.5 / a);
    tuning.lines[kButteraugliHighY] = lines(4498534.45232, kCoarse, 18.7237414387 * root, 18.7237414387 / root);
    tuning.lines[kButteraugliHighX] = lines(8051.15833247, kCoarse, 6923.99476109 * root, 6923.99476109 / root);
    tuning.lines[kButteraugliMediumY] = lines(130262059.556, kCoarse, 37.0819870399, 37.0819870399);
    tuning.lines[kButteraugliMediumX] = lines(1009002.70582, kCoarse, 8246.75321353, 8246.75321353);
    constexpr double kWeights[2] = {kButteraugliHighErrorX, kButteraugliHighErrorY};
    for (unsigned plane = 0; plane < 2; ++plane)
        tuning.high[plane] = {static_cast<float>(0.8 * kWeights[plane] * a),
                              static_cast<float>(0.8 * kWeights[plane] / a)};
    return tuning;
}

ButteraugliTaps butteraugli_taps(ButteraugliBlur blur)
{
    ButteraugliTaps result{};
    const double sum = weight_sum(blur, kButteraugliMostReach, kButteraugliMostReach);
    for (unsigned distance = 0; distance <= kButteraugliReach[blur]; ++distance)
        result.taps[distance] = static_cast<float>(blur_weight(blur, distance) / sum);
    return result;
}

std::vector<float> butteraugli_norms(ButteraugliBlur blur, unsigned size_px)
{
    const double sum = weight_sum(blur, kButteraugliMostReach, kButteraugliMostReach);
    std::vector<float> norms(size_px);
    for (unsigned i = 0; i < size_px; ++i)
        norms[i] = static_cast<float>(sum / weight_sum(blur, i, size_px - 1 - i));
    return norms;
}

std::array<double, 3> butteraugli_scores(const ButteraugliSums &sums, unsigned width_px, unsigned height_px)
{
    const double pixels = static_cast<double>(width_px) * height_px;
    const auto norm = [&](ButteraugliPower power, double order) {
        return std::pow(sums.powers[power] / pixels, 1 / order);
    };
    const double mean = (norm(kButteraugli3, 3) + norm(kButteraugli6, 6) + norm(kButteraugli12, 12)) / 3;
    return {mean, sums.max, norm(kButteraugli2, 2)};
}

constinit const FeatureSpec kButteraugli =
    feature_spec("butteraugli", "Butteraugli, all planes", list_of<kOptions>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::min_width_px, kButteraugliMinPx)
        .with(&FeatureSpec::min_height_px, kButteraugliMinPx)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR | VMAF_DYNAMIC_RANGE_HDR)
        .with(&FeatureSpec::gpu_tolerance, 2e-3)
        .with(&FeatureSpec::check_options, check_options)
        .with_map("visible difference at each pixel; butteraugli's norms pool it", make_map);

} // namespace vmaf
