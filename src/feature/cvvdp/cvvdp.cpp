#include "feature/cvvdp/cvvdp.h"

#include <array>

#include "feature/common/frame_values.h"
#include "feature/cvvdp/cvvdp_score.h"

namespace vmaf {
namespace {

constexpr std::array kOutputs{
    higher_is_better("cvvdp_frame", "JOD", -kUnbounded, 10, "this frame alone, seen as part of the video"),
    higher_is_better("cvvdp_run", "JOD", -kUnbounded, 10, "the clip, if it ended with this frame").running(),
    higher_is_better("cvvdp", "JOD", -kUnbounded, 10, "the clip").of_clip(),
};
enum Output { kFrame, kRun, kClip };

unsigned band_count(const CvvdpOptions &options, const PictureFormat &format)
{
    return cvvdp_band_count(format.width, format.height, options.display.ppd);
}

double frame_difference(const CvvdpSums &sums, const PictureFormat &format, unsigned bands)
{
    return cvvdp_frame_difference(sums, format.width, format.height, bands);
}

/// spec cvvdp 3.7: of the clip, and of its beginnings. Frames are added up in the order of their
/// indices.
class CvvdpClipState final : public FrameValuesState<double> {
  public:
    CvvdpClipState(const PictureFormat &format, unsigned bands) : format_(format), bands_(bands) {}

    void add(unsigned frame_index, std::uint64_t, const void *sums) override
    {
        kept_frames().add(frame_index, frame_difference(*static_cast<const CvvdpSums *>(sums), format_, bands_));
    }

    void advance(ClipOutputs &scores) override
    {
        while (const double *difference = kept_frames().find(next_))
            take(scores, next_, *difference);
    }

    Status flush(ClipOutputs &scores) override
    {
        kept_frames().for_each(next_, ~0U, [&](unsigned index, double difference) { take(scores, index, difference); });
        return count_ > 0 ? scores.write_aggregate(kClip, jod_) : Status();
    }

  private:
    void take(ClipOutputs &scores, unsigned index, double difference)
    {
        const double sum = term_sum_ + cvvdp_frame_term(difference);
        const double jod =
            cvvdp_jod(count_ == 0 ? cvvdp_still_difference(difference) : cvvdp_clip_difference(sum, count_ + 1));
        scores.write_delayed(kRun, index, jod); // may throw
        term_sum_ = sum;
        jod_ = jod;
        ++count_;
        next_ = index + 1;
    }

    PictureFormat format_;
    unsigned bands_;
    unsigned next_ = 0;  ///< no frame below it is still to be taken
    unsigned count_ = 0; ///< of frames that were taken
    double term_sum_ = 0;
    double jod_ = 0;
};

class Cvvdp final : public FeatureOf<CvvdpSums> {
  public:
    explicit Cvvdp(const OptionValues &values)
    {
        // They were accepted, but the display's file may be gone by now.
        Result<CvvdpOptions> options = CvvdpOptions::read(values);
        if (options.ok())
            options_ = options.value();
        else
            status_ = options.status();
    }

    Status check_format(const PictureFormat &) const override { return status_; }

    std::vector<OutputSpec> outputs(const PictureFormat &) const override { return outputs_of(kOutputs); }

    /// Earlier frames count by the calls in which this feature saw them: the first of them stands
    /// for those before it.
    ReadingWindow window(const PictureFormat &) const override
    {
        constexpr PairMask kAll{kAllPlanes, kAllPlanes};
        ReadingWindow window{.pair = kAll, .missing = ReadingWindow::Missing::is_counted_by_calls};
        for (unsigned age = 1; age < cvvdp_tap_count(options_.fps); ++age)
            window.earlier[age - 1] = kAll;
        return window;
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_cvvdp_cpu(format, options_, target);
    }

    std::unique_ptr<ClipState> make_clip_state(const PictureFormat &format) const override
    {
        return std::make_unique<CvvdpClipState>(format, band_count(options_, format));
    }

  protected:
    void finish(const CvvdpSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        scores[kFrame] = cvvdp_jod(frame_difference(sums, format, band_count(options_, format)));
    }

  private:
    CvvdpOptions options_;
    Status status_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Cvvdp>(options);
}

} // namespace

constinit const FeatureSpec kCvvdp =
    feature_spec("cvvdp", "ColorVideoVDP: visible difference on a display, in JOD", list_of<kCvvdpOptions>(),
                 list_of<kOutputs>(), create)
        .with(&FeatureSpec::reads_chroma, 1)
        .with(&FeatureSpec::sees_every_frame, 1)
        .with(&FeatureSpec::min_width_px, kCvvdpMinPx)
        .with(&FeatureSpec::min_height_px, kCvvdpMinPx)
        .with(&FeatureSpec::dynamic_range, VMAF_DYNAMIC_RANGE_SDR | VMAF_DYNAMIC_RANGE_HDR)
        .with(&FeatureSpec::gpu_tolerance, 1e-4)
        .with(&FeatureSpec::check_options, check_cvvdp_options)
        .with_map("share of each pixel in the difference of the pair as a still picture; the mean makes the JOD",
                  cvvdp_map);

} // namespace vmaf
