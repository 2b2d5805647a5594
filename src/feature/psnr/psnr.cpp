#include "feature/psnr/psnr.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "feature/common/frame_values.h"
#include "feature/common/sample_depth.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    bool_option("enable_chroma", nullptr, true, InName::no, "measure Cb and Cr too"),
    bool_option("enable_mse", nullptr, false, InName::no, "add the mean squared error of each plane"),
    bool_option("enable_apsnr", nullptr, false, InName::no, "add the PSNR of the whole clip"),
    bool_option("reduced_hbd_peak", nullptr, false, InName::no, "peak 255 * 2^(bits-8) instead of 2^bits - 1"),
    double_option("min_sse", nullptr, 0, 0, DBL_MAX, InName::no, "if not 0, sets the largest PSNR reported"),
};

constexpr OutputDescription psnr_output(const char *name, const char *help)
{
    return higher_is_better(name, "dB", 0, 108, help);
}
constexpr OutputDescription mse_output(const char *name, const char *help)
{
    return lower_is_better(name, "", 0, kUnbounded, help).with("enable_mse").not_for_models();
}
constexpr OutputDescription apsnr_output(const char *name, const char *help)
{
    return higher_is_better(name, "dB", 0, kUnbounded, help).with("enable_apsnr").of_clip();
}
/// By kind, then by plane.
constexpr std::array kOutputs{
    psnr_output("psnr_y", "PSNR of Y; identical planes have 60 at 8 bits"),
    psnr_output("psnr_cb", "PSNR of Cb").with("enable_chroma"),
    psnr_output("psnr_cr", "PSNR of Cr").with("enable_chroma"),
    mse_output("mse_y", "mean squared error of Y"),
    mse_output("mse_cb", "mean squared error of Cb"),
    mse_output("mse_cr", "mean squared error of Cr"),
    apsnr_output("apsnr_y", "PSNR of the clip's mean squared error of Y"),
    apsnr_output("apsnr_cb", "the same of Cb"),
    apsnr_output("apsnr_cr", "the same of Cr"),
};
enum FirstOutput { kPsnrOfPlane = 0, kMseOfPlane = 3, kApsnrOfPlane = 6 };

constexpr double kMinMse = 1e-16;

struct PsnrOptions {
    explicit PsnrOptions(const OptionsOf<kOptions> &values)
        : enable_chroma(values.boolean("enable_chroma")), enable_mse(values.boolean("enable_mse")),
          enable_apsnr(values.boolean("enable_apsnr")), reduced_hbd_peak(values.boolean("reduced_hbd_peak")),
          min_sse(values.real("min_sse"))
    {
    }

    bool enable_chroma;
    bool enable_mse;
    bool enable_apsnr;
    bool reduced_hbd_peak;
    double min_sse;

    /// 4:0:0 has luma only, whatever the option says.
    unsigned planes_measured(const PictureFormat &format) const { return enable_chroma ? format.plane_count() : 1; }

    /// spec psnr 3: PK.
    std::uint32_t squared_peak(const PictureFormat &format) const
    {
        const std::uint32_t peak = reduced_hbd_peak ? 255U << (format.bpc - 8) : (1U << format.bpc) - 1;
        return peak * peak;
    }
};

std::uint32_t plane_pixels(const PictureFormat &format, unsigned plane)
{
    return format.plane_width(plane) * format.plane_height(plane);
}

/// PSNR in dB of one plane of a whole clip (spec psnr 3): the squared errors of all its samples,
/// how many samples those are, and the square of the largest one. Without samples it is not finite.
double clip_psnr(std::uint64_t sse, std::uint64_t samples, std::uint64_t squared_peak)
{
    const auto log_of = [](std::uint64_t value) { return std::log10(static_cast<double>(value)); };
    const double psnr = 10.0 * ((log_of(squared_peak) + log_of(samples)) - log_of(sse));
    const double cap = std::ceil(10.0 * log_of(squared_peak * samples * 2));
    return psnr < cap ? psnr : cap;
}

using PlaneErrors = std::array<std::uint64_t, 3>; ///< squared errors, by plane

/// spec psnr 3: the PSNR of the whole clip, from sums over its frames. The product wraps as the
/// reference's does.
class ApsnrClipState final : public FrameValuesState<PlaneErrors> {
  public:
    ApsnrClipState(const PsnrOptions &options, const PictureFormat &format, std::size_t first_output)
        : options_(options), format_(format), first_output_(first_output)
    {
    }

    void add(unsigned frame_index, std::uint64_t, const void *sums) override
    {
        PlaneErrors sse{};
        for (unsigned plane = 0; plane < options_.planes_measured(format_); ++plane)
            sse[plane] = static_cast<const PsnrSums *>(sums)->sse[plane];
        kept_frames().add(frame_index, sse);
    }

    Status flush(ClipOutputs &scores) override
    {
        const std::uint64_t squared_peak = options_.squared_peak(format_);
        std::array<std::uint64_t, 3> sse_sums{}, pixels{};
        kept_frames().for_each([&](unsigned, const PlaneErrors &sse) {
            for (unsigned plane = 0; plane < options_.planes_measured(format_); ++plane) {
                sse_sums[plane] += sse[plane];
                pixels[plane] += plane_pixels(format_, plane);
            }
        });
        for (unsigned plane = 0; plane < 3; ++plane)
            VMAF_TRY(
                scores.write_aggregate(first_output_ + plane, clip_psnr(sse_sums[plane], pixels[plane], squared_peak)));
        return {};
    }

  private:
    PsnrOptions options_;
    PictureFormat format_;
    std::size_t first_output_;
};

class Psnr final : public FeatureOf<PsnrSums> {
  public:
    explicit Psnr(const OptionValues &values) : options_(values) {}

    Status check_format(const PictureFormat &format) const override { return check_sample_depth("psnr", format); }

    std::vector<OutputSpec> outputs(const PictureFormat &format) const override
    {
        std::vector<OutputSpec> list;
        for (unsigned plane = 0; plane < options_.planes_measured(format); ++plane) {
            list.emplace_back(kOutputs[kPsnrOfPlane + plane]);
            if (options_.enable_mse)
                list.emplace_back(kOutputs[kMseOfPlane + plane]);
        }
        if (options_.enable_apsnr)
            for (unsigned plane = 0; plane < 3; ++plane)
                list.emplace_back(kOutputs[kApsnrOfPlane + plane]);
        return list;
    }

    ReadingWindow window(const PictureFormat &format) const override
    {
        const PlaneMask planes = options_.planes_measured(format) == 1 ? kLuma : kAllPlanes;
        return {.pair = {planes, planes}};
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_psnr_cpu(options_.planes_measured(format), target);
    }

    std::unique_ptr<ClipState> make_clip_state(const PictureFormat &format) const override
    {
        if (!options_.enable_apsnr)
            return nullptr;
        const std::size_t per_plane = options_.enable_mse ? 2 : 1;
        return std::make_unique<ApsnrClipState>(options_, format, per_plane * options_.planes_measured(format));
    }

  protected:
    void finish(const PsnrSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const double squared_peak = options_.squared_peak(format);
        std::size_t output = 0;
        for (unsigned plane = 0; plane < options_.planes_measured(format); ++plane) {
            const double pixels = plane_pixels(format, plane);
            const double mse = static_cast<double>(sums.sse[plane]) / pixels;
            const double cap = options_.min_sse == 0
                                   ? 6.0 * format.bpc + 12.0
                                   : std::ceil(10.0 * std::log10(squared_peak / (options_.min_sse / pixels)));
            const double psnr = 10.0 * std::log10(squared_peak / (mse > kMinMse ? mse : kMinMse));
            scores[output++] = psnr < cap ? psnr : cap;
            if (options_.enable_mse)
                scores[output++] = mse;
        }
    }

  private:
    PsnrOptions options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Psnr>(options);
}

} // namespace

unsigned psnr_plane_count(const OptionValues &options, const PictureFormat &format)
{
    return PsnrOptions(options).planes_measured(format);
}

constinit const FeatureSpec kPsnr =
    feature_spec("psnr", "peak signal to noise ratio of each plane", list_of<kOptions>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::chroma_option, "enable_chroma")
        .with(&FeatureSpec::sees_every_frame, 1)
        .with_map("squared error of each luma sample; the mean is mse_y", psnr_map);

} // namespace vmaf
