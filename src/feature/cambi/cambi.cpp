#include "feature/cambi/cambi.h"

#include <array>

#include "base/log.h"
#include "feature/common/smaller.h"

namespace vmaf {
namespace {

constexpr double kDefaultTopk = 0.6;
constexpr const char *kDefaultEotf = "bt1886";

constexpr std::array kOptions{
    double_option("cambi_max_val", "cmxv", 1000, 0, 1000, InName::yes, "largest score"),
    int_option("enc_width", "encw", 0, 180, 7680, InName::yes, "width at which the distorted picture is processed")
        .with(VMAF_ROLE_ENCODE_WIDTH),
    int_option("enc_height", "ench", 0, 150, 7680, InName::yes, "height at which the distorted picture is processed")
        .with(VMAF_ROLE_ENCODE_HEIGHT),
    int_option("enc_bitdepth", "encbd", 0, 6, 16, InName::yes, "bits of the encode; below 10 dither is filtered out")
        .with(VMAF_ROLE_ENCODE_DEPTH),
    int_option("src_width", "srcw", 0, 320, 7680, InName::yes, "width at which the reference is processed")
        .with(VMAF_ROLE_SOURCE_WIDTH),
    int_option("src_height", "srch", 0, 200, 4320, InName::yes, "height at which the reference is processed")
        .with(VMAF_ROLE_SOURCE_HEIGHT),
    int_option("window_size", "ws", 65, 15, 127, InName::yes, "side of the window at 3840x2160, in pixels"),
    double_option("topk", "topk", kDefaultTopk, 0.0001, 1, InName::yes,
                  "pooled share of the pixels; wins over cambi_topk"),
    double_option("cambi_topk", "ctpk", kDefaultTopk, 0.0001, 1, InName::yes, "pooled share of the pixels"),
    double_option("tvi_threshold", "tvit", 0.019, 0.0001, 1, InName::yes, "smallest visible relative contrast"),
    double_option("cambi_vis_lum_threshold", "vlt", 0, 0, 300, InName::yes, "luminance below which nothing is visible"),
    int_option("max_log_contrast", "mlc", 2, 0, 5, InName::yes, "log2 of the number of contrast steps"),
    text_option("heatmaps_path", nullptr, "", InName::no, "folder to write heatmaps to").with(VMAF_ROLE_FOLDER),
    bool_option("full_ref", nullptr, false, InName::no, "measure the reference too"),
    text_option("eotf", "eotf", kDefaultEotf, InName::yes, "bt1886 or pq, if cambi_eotf is bt1886"),
    text_option("cambi_eotf", "ceot", kDefaultEotf, InName::yes, "bt1886 or pq; pq wins").with(VMAF_ROLE_TRANSFER),
    int_option("cambi_high_res_speedup", "hrs", 0, 0, 2160, InName::yes,
               "1080, 1440 or 2160: pictures from that size on are processed at half of it"),
};

constexpr std::array kOutputs{
    lower_is_better("Cambi_feature_cambi_score", "", 0, 1000, "banding of the distorted picture; visible from about 5")
        .logged_as("cambi"),
    plain_output("cambi_source", "", 0, 1000, "banding of the reference").with("full_ref").not_for_models(),
    lower_is_better("cambi_full_reference", "", 0, 1000, "by how much the distorted picture is worse")
        .with("full_ref")
        .not_for_models(),
};
using Options = OptionsOf<kOptions>;

double chosen_topk(const Options &values)
{
    const double topk = values.real("topk");
    return topk != kDefaultTopk ? topk : values.real("cambi_topk");
}

/// spec cambi 2. The one that is not chosen may be any text.
const std::string &chosen_eotf(const Options &values)
{
    const std::string &eotf = values.text("cambi_eotf");
    return eotf != kDefaultEotf ? eotf : values.text("eotf");
}

struct CambiOptions {
    explicit CambiOptions(const Options &values)
        : max_val(values.real("cambi_max_val")), sizes{{number(values.integer("enc_width")),
                                                        number(values.integer("enc_height"))},
                                                       {number(values.integer("src_width")),
                                                        number(values.integer("src_height"))},
                                                       number(values.integer("window_size")),
                                                       number(values.integer("cambi_high_res_speedup"))},
          enc_bitdepth(number(values.integer("enc_bitdepth"))), topk(chosen_topk(values)),
          tvi_threshold(values.real("tvi_threshold")), luminance_threshold(values.real("cambi_vis_lum_threshold")),
          steps(1 << values.integer("max_log_contrast")), full_ref(values.boolean("full_ref")),
          eotf(chosen_eotf(values))
    {
    }

    static unsigned number(int value) { return static_cast<unsigned>(value); }

    double max_val;
    CambiSizeOptions sizes;
    unsigned enc_bitdepth;
    double topk;
    double tvi_threshold;
    double luminance_threshold;
    int steps;
    bool full_ref;
    std::string eotf;
};

CambiTask task_of(const CambiOptions &options, const PictureFormat &format)
{
    const unsigned bits = options.enc_bitdepth == 0 ? format.bpc : options.enc_bitdepth;
    return {cambi_geometry(options.sizes, format),
            bits < 10 ? CambiSmoothing::anti_dither : CambiSmoothing::off,
            cambi_visibility(options.eotf, options.steps, options.tvi_threshold, options.luminance_threshold),
            options.topk,
            options.full_ref,
            nullptr};
}

class Cambi final : public FeatureOf<CambiSums> {
  public:
    explicit Cambi(const OptionValues &values) : options_(values)
    {
        if (const std::string &folder = Options(values).text("heatmaps_path"); !folder.empty())
            heatmaps_ = std::make_shared<CambiHeatmaps>(folder);
    }

    Status check_format(const PictureFormat &format) const override
    {
        if (!is_cambi_eotf(options_.eotf)) {
            log(LogLevel::error, "cambi: EOTF is \"%s\", should be bt1886 or pq", options_.eotf.c_str());
            return Status::error(EINVAL);
        }
        const CambiGeometry geometry = cambi_geometry(options_.sizes, format);
        VMAF_TRY(check_cambi_geometry(geometry));
        return heatmaps_ ? heatmaps_->open(geometry.dis.size) : Status();
    }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        return outputs_of(kOutputs, options_.full_ref);
    }

    ReadingWindow window(const PictureFormat &) const override
    {
        return {.pair = {options_.full_ref ? kLuma : kNoPlanes, kLuma}};
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        CambiTask task = task_of(options_, format);
        task.heatmaps = heatmaps_;
        return make_cambi_cpu(format, task, target);
    }

  protected:
    Status check_sums(const CambiSums &sums, const PictureFormat &format, unsigned frame_index) const override
    {
        for (const unsigned bad : {sums.bad_dis, sums.bad_ref})
            if (bad != 0)
                return refuse_cambi_sample(frame_index, format.bpc, cambi_bad_row(bad), cambi_bad_value(bad));
        return {};
    }

    void finish(const CambiSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const CambiGeometry geometry = cambi_geometry(options_.sizes, format);
        const double dis = score(sums.dis, geometry, geometry.dis);
        scores[0] = smaller(dis, options_.max_val);
        if (!options_.full_ref)
            return;
        const double ref = score(sums.ref, geometry, geometry.ref);
        scores[1] = smaller(ref, options_.max_val);
        scores[2] = smaller(dis > ref ? dis - ref : 0, options_.max_val);
    }

  private:
    /// spec cambi 3.6.
    double score(const double (&top_sums)[kCambiScales], const CambiGeometry &geometry, const CambiPass &pass) const
    {
        double sum = 0;
        for (unsigned scale = 0; scale < kCambiScales; ++scale) {
            const std::size_t count = cambi_top_count(options_.topk, geometry.scale_size(pass, scale).pixels());
            sum += (16U >> scale) * (top_sums[scale] / static_cast<double>(count));
        }
        return sum / (pass.window * pass.window);
    }

    CambiOptions options_;
    std::shared_ptr<CambiHeatmaps> heatmaps_; ///< null: none are written
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Cambi>(options);
}

/// Three times the score from which banding is visible.
constexpr double kBrightBanding = 15;

Result<MetricMap> make_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                           CpuTarget target)
{
    CambiTask task = cambi_task(options, format);
    task.measures_ref = false;
    const PictureSize size = task.geometry.scale_size(task.geometry.dis, 0);
    MetricMap map{size.width_px, size.height_px, std::vector<float>(size.pixels()), 0, kBrightBanding};
    task.map = &map;
    CambiSums sums{};
    VMAF_TRY(make_cambi_cpu(format, task, target)->extract(planes, &sums));
    return map;
}

} // namespace

CambiTask cambi_task(const OptionValues &options, const PictureFormat &format)
{
    return task_of(CambiOptions(options), format);
}

bool cambi_writes_heatmaps(const OptionValues &options)
{
    return !Options(options).text("heatmaps_path").empty();
}

constinit const FeatureSpec kCambi =
    feature_spec("cambi", "banding in the distorted picture", list_of<kOptions>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR | VMAF_DYNAMIC_RANGE_HDR)
        .with_map("banding around each pixel: the c-values of all scales with their weights in the score", make_map);

} // namespace vmaf
