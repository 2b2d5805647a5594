#include "feature/delta_e_itp/delta_e_itp.h"
#include "feature/common/rgb_rows.h"

#include <array>

#include "feature/common/colour_options.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{kYuvMatrixOption, kTransferOption, kPrimariesOption};
constexpr std::array kOutputs{
    lower_is_better("delta_e_itp", "", 0, kUnbounded, "mean of the pixels; 1 is about a just noticeable difference"),
    lower_is_better("delta_e_itp_p95", "", 0, kUnbounded, "difference that 95 % of the pixels do not exceed"),
};

class DeltaEItp final : public FeatureOf<DeltaEItpSums> {
  public:
    explicit DeltaEItp(const OptionValues &values) : options_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    ReadingWindow window(const PictureFormat &) const override { return {.pair = {kAllPlanes, kAllPlanes}}; }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_delta_e_itp_cpu(format, options_, target);
    }

  protected:
    void finish(const DeltaEItpSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        scores[0] = sums.sum / (static_cast<double>(format.width) * static_cast<double>(format.height));
        scores[1] = sums.percentile;
    }

  private:
    DeltaEItpOptions options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<DeltaEItp>(options);
}

Status check_options(const OptionValues &options)
{
    const OptionsOf<kOptions> values(options);
    VMAF_TRY(check_transfer(kDeltaEItp.name, values.text("transfer")));
    return check_primaries(kDeltaEItp.name, values.text("primaries"));
}

/// cd/m2 of white.
double peak_of(Transfer transfer)
{
    switch (transfer) {
    case Transfer::pq:
        return 1; // its light has that unit
    case Transfer::hlg:
        return 1000;
    default:
        return 100;
    }
}

/// Light below this, which no sample stands for, has the signal of 0. PQ is steep there.
constexpr double kLeastLight = 0x1p-128;
/// More than 10000: the conversion of P3 to BT.2020 may add 0.1 %.
constexpr double kMostLight = 12000;

/// spec hdr 4: pq() of light in cd/m2. Its base is (1 + z) / (1 - z) with one division.
double pq_of_light(double light)
{
    constexpr double kM1 = 0.1593017578125, kM2 = 78.84375;
    constexpr double kC1 = 0.8359375, kC2 = 18.8515625, kC3 = 18.6875;
    constexpr double kLog2OfPeak = 13.287712379549449; // log2(10000)
    constexpr double kFirstSegmentsEnd = kLeastLight * (1 + 1.0 / (1U << kCurveSegmentBits));
    const double t = exact_exp2(kM1 * (exact_log2(light < kFirstSegmentsEnd ? 0 : light) - kLog2OfPeak));
    const double z = (kC3 - kC2) * (1 - t) / ((kC1 + 1) + (kC2 + kC3) * t);
    return exact_exp2(kM2 * log2_of_quotient(z));
}

} // namespace

const LightCurveTable &delta_e_itp_curve()
{
    static const LightCurveTable curve(pq_of_light, kLeastLight, kMostLight);
    return curve;
}

DeltaEItpOptions::DeltaEItpOptions(const OptionValues &options)
{
    const OptionsOf<kOptions> values(options);
    yuv_matrix = values.integer("yuv_matrix");
    light.transfer = *find_transfer(values.text("transfer"), Transfer::bt1886);
    light.primaries = *find_primaries(values.text("primaries"));
    light.wanted = Primaries::bt2020;
    light.scale = peak_of(light.transfer);
    light.is_tabulated = true;
}

constinit const FeatureSpec kDeltaEItp =
    feature_spec("delta_e_itp", "colour difference of ITU-R BT.2124, in SDR and HDR", list_of<kOptions>(),
                 list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::min_width_px, kRgbMinPx)
        .with(&FeatureSpec::min_height_px, kRgbMinPx)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR | VMAF_DYNAMIC_RANGE_HDR)
        .with(&FeatureSpec::gpu_tolerance, 1e-9) // the order of the sum
        .with(&FeatureSpec::check_options, check_options);

} // namespace vmaf
