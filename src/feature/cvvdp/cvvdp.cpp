#include "feature/cvvdp/cvvdp.h"

#include <array>

#include "feature/common/frame_values.h"
#include "feature/cvvdp/cvvdp_score.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    text_option("display", nullptr, "standard_4k", InName::no, "standard_4k, standard_fhd or standard_hdr_pq"),
    double_option("ppd", nullptr, 0, 0, 200, InName::no, "pixels per degree, at least 1; 0: the display's"),
    double_option("fps", nullptr, 25, 1, 240, InName::no, "frame rate"),
    int_option("yuv_matrix", nullptr, -1, -1, 5, InName::no,
               "0 BT.709 limited, 1 BT.601 limited, 2 BT.709 full, 3 BT.601 full, 4 BT.2020 limited, 5 BT.2020 full "
               "range; -1: by the display, 0 or 4"),
};
constexpr std::array kProvided{"cvvdp_frame", "cvvdp_run"};
enum Output { kFrame, kRun, kClip };

unsigned band_count(const CvvdpOptions &options, const PictureFormat &format)
{
    return cvvdp_band_count(format.width, format.height, options.ppd);
}

double frame_difference(const CvvdpSums &sums, const PictureFormat &format, unsigned bands)
{
    return cvvdp_frame_difference(sums, format.width, format.height, bands);
}

/// spec cvvdp 3.7: of the clip, and of its beginnings. Frames are added up in the order of their indices.
class CvvdpClipState final : public FrameValuesState<double> {
  public:
    CvvdpClipState(const PictureFormat &format, unsigned bands) : format_(format), bands_(bands) {}

    void add(unsigned frame_index, std::uint64_t, const void *sums) override
    {
        frames_.add(frame_index, frame_difference(*static_cast<const CvvdpSums *>(sums), format_, bands_));
    }

    void advance(ClipOutputs &scores) override
    {
        while (const double *difference = frames_.find(next_))
            take(scores, next_, *difference);
    }

    Status flush(ClipOutputs &scores) override
    {
        frames_.for_each(next_, ~0U, [&](unsigned index, double difference) { take(scores, index, difference); });
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
    explicit Cvvdp(const OptionValues &values) : options_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &) const override
    {
        return {{kProvided[kFrame]}, {kProvided[kRun], OutputKind::running}, {"cvvdp", OutputKind::aggregate, false}};
    }

    /// Earlier frames count by the calls in which this feature saw them: the first of them stands for those before it.
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
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Cvvdp>(options);
}

} // namespace

static_assert(kCvvdpMaxTaps == kMaxLookBack + 1);

const FeatureSpec kCvvdp{"cvvdp",
                         "ColorVideoVDP: visible difference on a display, in JOD",
                         kOptions,
                         kProvided,
                         Subsampling::sees_every_frame,
                         kCvvdpMinPx,
                         kCvvdpMinPx,
                         create,
                         check_cvvdp_options};

} // namespace vmaf
