#include "feature/float_motion/float_motion.h"

#include <algorithm>
#include <array>

#include "base/log.h"
#include "feature/common/prescale.h"
#include "feature/common/sample_depth.h"
#include "feature/motion/motion_blend.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    bool_option("debug", nullptr, true, InName::no, "write the score that takes no minimum"),
    bool_option("motion_add_scale1", "mdc", false, InName::yes, "add the motion at half the size"),
    bool_option("motion_add_uv", "mau", false, InName::yes, "add the motion of Cb and Cr"),
    double_option("motion_blend_factor", "mbf", 1, 0, 1, InName::yes, "slope of motion3 above motion_blend_offset"),
    double_option("motion_blend_offset", "mbo", 40, 0, 1000, InName::yes, "where the slope of motion3 changes"),
    int_option("motion_filter_size", "mfs", 5, 0, 9, InName::yes, "taps of the low-pass filter: 1, 3, else 5"),
    bool_option("motion_force_zero", "force_0", false, InName::yes, "measure nothing: every score is 0"),
    double_option("motion_fps_weight", "mfw", 1, 0, 5, InName::yes, "factor for the frame rate"),
    double_option("motion_max_val", "mmxv", 10000, 0, 10000, InName::yes, "largest score"),
};

constexpr std::array kOutputs{
    plain_output("VMAF_feature_motion_score", "", 0, 10000, "difference to the frame before")
        .logged_as("motion")
        .with("debug"),
    plain_output("VMAF_feature_motion2_score", "", 0, 10000, "the smaller difference to the frames before and after")
        .logged_as("motion2"),
    plain_output("VMAF_feature_motion3_score", "", 0, 10000, "motion2, blended, weighted and limited")
        .logged_as("motion3"),
};
enum Output { kMotionOfFrame, kMotion2, kMotion3 };

using Options = OptionsOf<kOptions>;

constexpr unsigned kLargestHalfPx = 7680; // spec motion 7, step 4

struct FloatMotionOptions {
    FloatMotionMeasures measures;
    MotionBlend blend;
    double fps_weight;
    bool debug;
};

/// spec motion 7, steps 3 to 5: m of a frame.
double mean_difference(const FloatMotionSums &sums, const FloatMotionMeasures &measures, const PictureFormat &format)
{
    double total = 0;
    for (unsigned plane = 0; plane < measures.planes(); ++plane) {
        PictureSize size{format.plane_width(plane), format.plane_height(plane)};
        float mean = 0;
        for (unsigned scale = 0; scale < measures.scales(); ++scale) {
            mean += sums.difference[plane][scale] / static_cast<float>(size.width_px * size.height_px);
            size = prescaled_size(size, 0.5);
        }
        total += static_cast<double>(mean);
    }
    return total;
}

/// spec motion 7, step 6: motion2 and motion3 follow from m of consecutive frames from 0 on.
class FloatMotionClipState final : public ClipState {
  public:
    FloatMotionClipState(const FloatMotionOptions &options, const PictureFormat &format, std::size_t motion2_output)
        : options_(options), format_(format), motion2_output_(motion2_output)
    {
    }

    void reserve(unsigned frame_index) override
    {
        const auto place = find(frame_index);
        if (place == means_.end() || place->index != frame_index)
            means_.insert(place, {frame_index, std::nullopt});
    }

    void add(unsigned, std::uint64_t, const void *sums) override
    {
        const auto &frame = *static_cast<const FloatMotionSums *>(sums);
        const auto place = find(frame.frame_index);
        if (place != means_.end() && place->index == frame.frame_index) // a device that went wrong may name any frame
            place->mean = mean_difference(frame, options_.measures, format_);
    }

    void advance(ClipOutputs &scores) override
    {
        if (next_ == 0 && mean(0))
            scores.write_delayed(motion2_output_, 0, 0);
        for (; mean(next_) && mean(next_ + 1); ++next_) {
            write(scores, next_, smaller(*mean(next_), *mean(next_ + 1)));
            means_.erase(find(next_));
        }
    }

    Status flush(ClipOutputs &scores) override
    {
        advance(scores);
        if (mean(next_))
            write(scores, next_, *mean(next_));
        return {};
    }

  private:
    /// @param least the smaller of m of the frame and of the one after it, if there is one.
    void write(ClipOutputs &scores, unsigned i, double least)
    {
        const double motion = least * options_.fps_weight;
        scores.write_delayed(motion2_output_, i, i == 0 ? 0 : smaller(motion, options_.blend.max_val));
        scores.write_delayed(motion2_output_ + 1, i, i == 0 ? stamp() : options_.blend(motion));
    }

    /// The motion3 of the frame that is compared with nothing.
    double stamp() { return mean(1) ? options_.blend(*mean(1) * options_.fps_weight) : 0; }

    struct Mean {
        unsigned index;
        std::optional<double> mean; ///< empty until the frame is added
    };

    /// Where the frame stands, or would.
    std::vector<Mean>::iterator find(unsigned i)
    {
        return std::lower_bound(means_.begin(), means_.end(), i,
                                [](const Mean &frame, unsigned index) { return frame.index < index; });
    }
    std::optional<double> mean(unsigned i)
    {
        const auto frame = find(i);
        return frame == means_.end() || frame->index != i ? std::nullopt : frame->mean;
    }

    FloatMotionOptions options_;
    PictureFormat format_;
    std::size_t motion2_output_;
    std::vector<Mean> means_; ///< m of the frames from next_ on, ascending: one or two, unless indices have gaps
    unsigned next_ = 0;       ///< the first frame whose motion3 is open
};

class FloatMotion final : public FeatureOf<FloatMotionSums> {
  public:
    explicit FloatMotion(const OptionValues &values)
        : options_{float_motion_measures(values),
                   {Options(values).real("motion_blend_factor"), Options(values).real("motion_blend_offset"),
                    Options(values).real("motion_max_val")},
                   Options(values).real("motion_fps_weight"),
                   Options(values).boolean("debug")}
    {
    }

    Status check_format(const PictureFormat &format) const override
    {
        VMAF_TRY(check_sample_depth(kFloatMotion.name, format));
        if (options_.measures.chroma && format.plane_count() == 1) {
            log(LogLevel::error, "float_motion: motion_add_uv needs chroma planes, the pictures have none");
            return Status::error(EINVAL);
        }
        const unsigned half_px = prescaled_size({format.width, format.height}, 0.5).width_px;
        if (options_.measures.half_size && half_px > kLargestHalfPx) {
            log(LogLevel::error,
                "float_motion: pictures are %u wide at half their size, motion_add_scale1 takes up to %u", half_px,
                kLargestHalfPx);
            return Status::error(EINVAL);
        }
        return {};
    }

    /// Columns in the order of spec abi 4.2: motion2, motion, and motion3 with the second frame.
    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        const bool force_zero = options_.measures.force_zero;
        const OutputKind kind = force_zero ? OutputKind::frame : OutputKind::delayed;
        const OutputSpec motion2(kOutputs[kMotion2], kind, 0), motion3(kOutputs[kMotion3], kind, 1);
        std::vector<OutputSpec> list{motion2, motion3};
        if (options_.debug)
            list.insert(force_zero ? list.end() : list.begin(), kOutputs[kMotionOfFrame]);
        return list;
    }

    ReadingWindow window(const PictureFormat &) const override
    {
        if (options_.measures.force_zero)
            return {.pair = {}};
        const PairMask ref{.ref = options_.measures.chroma ? kAllPlanes : kLuma};
        return {.pair = ref, .earlier = {ref}, .frames_after = 1};
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_float_motion_cpu(format, options_.measures, target);
    }

    std::unique_ptr<ClipState> make_clip_state(const PictureFormat &format) const override
    {
        if (options_.measures.force_zero)
            return nullptr;
        return std::make_unique<FloatMotionClipState>(options_, format, options_.debug ? 1 : 0);
    }

  protected:
    void finish(const FloatMotionSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        for (double &score : scores)
            score = options_.measures.force_zero
                        ? 0
                        : smaller(mean_difference(sums, options_.measures, format) * options_.fps_weight,
                                  options_.blend.max_val);
    }

  private:
    FloatMotionOptions options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<FloatMotion>(options);
}

} // namespace

FloatMotionMeasures float_motion_measures(const OptionValues &options)
{
    const Options values(options);
    return {values.boolean("motion_force_zero"), values.boolean("motion_add_uv"), values.boolean("motion_add_scale1"),
            values.integer("motion_filter_size")};
}

FloatMotionTaps float_motion_taps(int size)
{
    switch (size) {
    case 1:
        return {0, 0, 1, 0, 0};
    case 3:
        return {0, 0.166378498F, 0.667243004F, 0.166378498F, 0};
    default:
        return {0.054488685F, 0.244201342F, 0.402619947F, 0.244201342F, 0.054488685F};
    }
}

constinit const FeatureSpec kFloatMotion =
    feature_spec("float_motion", "low-passed difference of successive reference pictures, floating point",
                 list_of<kOptions>(), list_of<kOutputs>(), create)
        .with(&FeatureSpec::chroma_option, "motion_add_uv")
        .with(&FeatureSpec::sees_every_frame, 1)
        .with(&FeatureSpec::min_width_px, 3)
        .with(&FeatureSpec::min_height_px, 3)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR);

} // namespace vmaf
