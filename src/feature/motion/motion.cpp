#include "feature/motion/motion.h"

#include <array>

#include "feature/motion/motion_blend.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    bool_option("motion_force_zero", "force_0", false, InName::yes, "measure nothing: every score is 0"),
    double_option("motion_blend_factor", "mbf", 1, 0, 1, InName::yes, "slope of motion3 above motion_blend_offset"),
    double_option("motion_blend_offset", "mbo", 40, 0, 1000, InName::yes, "where the slope of motion3 changes"),
    double_option("motion_fps_weight", "mfw", 1, 0, 5, InName::yes, "factor for the frame rate"),
    double_option("motion_max_val", "mmxv", 10000, 0, 10000, InName::yes, "largest score"),
    bool_option("motion_five_frame_window", "mffw", false, InName::yes, "compare with the frame before the last"),
    bool_option("motion_moving_average", "mma", false, InName::yes, "motion3 is the mean of two frames"),
    bool_option("debug", nullptr, false, InName::no, "add the unfiltered score"),
};

constexpr std::array kOutputs{
    plain_output("VMAF_integer_feature_motion_sad_score", "", 0, 10000, "difference to the frame before"),
    plain_output("VMAF_integer_feature_motion_score", "", 0, 10000, "the same again")
        .logged_as("integer_motion")
        .with("debug"),
    plain_output("VMAF_integer_feature_motion2_score", "", 0, 10000,
                 "the smaller difference to the frames before and after")
        .logged_as("integer_motion2"),
    plain_output("VMAF_integer_feature_motion3_score", "", 0, 10000, "motion2, blended, weighted and limited")
        .logged_as("integer_motion3"),
};
enum Output { kSad, kMotionDebug, kMotion2, kMotion3 };
using Options = OptionsOf<kOptions>;

struct MotionOptions {
    explicit MotionOptions(const Options &values)
        : force_zero(values.boolean("motion_force_zero")), blend{values.real("motion_blend_factor"),
                                                                 values.real("motion_blend_offset"),
                                                                 values.real("motion_max_val")},
          fps_weight(values.real("motion_fps_weight")), five_frame_window(values.boolean("motion_five_frame_window")),
          moving_average(values.boolean("motion_moving_average")), debug(values.boolean("debug"))
    {
    }

    bool force_zero;
    MotionBlend blend;
    double fps_weight;
    bool five_frame_window;
    bool moving_average;
    bool debug;

    /// spec motion 3: L. Frames before it have the score 0.
    unsigned window() const { return five_frame_window ? 2 : 1; }
    unsigned distance() const { return force_zero ? 0 : window(); }
    /// spec motion 4: motion2 of a frame takes S of the frame before it if L = 2, the average
    /// motion2 of the frame before.
    unsigned sums_before() const { return force_zero ? 0 : window() - 1 + (moving_average ? 1 : 0); }
};

/// spec motion 4: motion2 and motion3 follow from the sad scores of consecutive frames from 0 on.
class MotionClipState final : public ClipState {
  public:
    MotionClipState(const MotionOptions &options, std::size_t motion2_output)
        : options_(options), window_(options.window()), motion2_output_(motion2_output)
    {
    }

    void advance(ClipOutputs &scores) override
    {
        for (; scores.score(0, next_) && scores.score(0, next_ + 1); ++next_)
            write(scores, next_, false);
    }

    Status flush(ClipOutputs &scores) override
    {
        advance(scores);
        if (scores.score(0, next_))
            write(scores, next_, true);
        return {};
    }

  private:
    void write(ClipOutputs &scores, unsigned i, bool last)
    {
        const std::size_t motion3_output = motion2_output_ + 1;
        scores.write_delayed(motion2_output_, i, motion2(scores, i, last));
        if (i >= window_)
            scores.write_delayed(motion3_output, i, motion3(scores, i, last));
        else if (last || i + 1 == window_)
            for (unsigned j = 0; j <= i; ++j)
                scores.write_delayed(motion3_output, j, last ? 0 : stamp(scores));
    }

    double motion2(const ClipOutputs &scores, unsigned i, bool last) const
    {
        if (i < window_)
            return 0;
        if (last)
            return sad(scores, i);
        if (window_ == 1)
            return smaller(sad(scores, i), sad(scores, i + 1));
        return i == 2 ? sad(scores, 3) : smaller(sad(scores, i - 1), sad(scores, i + 1));
    }

    double motion3(const ClipOutputs &scores, unsigned i, bool last) const
    {
        const double blended = options_.blend(motion2(scores, i, last));
        if (!options_.moving_average)
            return blended;
        const double before = i - 1 < window_ ? stamp(scores) : options_.blend(motion2(scores, i - 1, false));
        return (blended + before) / 2.0;
    }

    /// The motion3 of the frames that are compared with nothing.
    double stamp(const ClipOutputs &scores) const { return options_.blend(sad(scores, window_)); }

    static double sad(const ClipOutputs &scores, unsigned i) { return *scores.score(0, i); }

    MotionOptions options_;
    unsigned window_;
    std::size_t motion2_output_;
    unsigned next_ = 0; ///< the first frame without motion2
};

class Motion final : public FeatureOf<MotionSums> {
  public:
    explicit Motion(const OptionValues &values) : options_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        std::vector<OutputSpec> list{kOutputs[kSad]};
        if (options_.debug)
            list.emplace_back(kOutputs[kMotionDebug]);
        list.emplace_back(kOutputs[kMotion2], OutputKind::delayed);
        list.emplace_back(kOutputs[kMotion3], OutputKind::delayed);
        return list;
    }

    /// Scores of a frame follow from its sad and its neighbours'; motion3 of the first frames from
    /// the sad of the first that is compared.
    ReadingWindow window(const PictureFormat &) const override
    {
        ReadingWindow window{.pair = {}, .frames_after = options_.window(), .sums_before = options_.sums_before()};
        if (options_.distance() > 0)
            window.pair.ref = window.earlier[options_.distance() - 1].ref = kLuma;
        return window;
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_motion_cpu(format, options_.distance(), target);
    }

    std::unique_ptr<ClipState> make_clip_state(const PictureFormat &) const override
    {
        return std::make_unique<MotionClipState>(options_, options_.debug ? 2 : 1);
    }

  protected:
    /// spec motion 3, step 5.
    void finish(const MotionSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        const std::uint32_t pixels = format.width * format.height;
        const double score = static_cast<double>(sums.sad) / 256.0 / static_cast<double>(pixels) * options_.fps_weight;
        scores[0] = smaller(score, options_.blend.max_val);
        if (options_.debug)
            scores[1] = scores[0];
    }

  private:
    MotionOptions options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Motion>(options);
}

} // namespace

unsigned motion_distance(const OptionValues &options)
{
    return MotionOptions(options).distance();
}

constinit const FeatureSpec kMotion =
    feature_spec("motion", "low-passed luma difference of successive reference pictures", list_of<kOptions>(),
                 list_of<kOutputs>(), create)
        .with(&FeatureSpec::sees_every_frame, 1)
        .with(&FeatureSpec::min_width_px, 3)
        .with(&FeatureSpec::min_height_px, 3)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR);

} // namespace vmaf
