#include "feature/speed/speed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "feature/registry.h"
#include "feature/speed_check_values.h"
#include "feature/speed_session.h"
#include "support/cpu_targets.h"
#include "support/random.h"

namespace vmaf::test::speed {
namespace {

bool is_large(const char *clip)
{
    for (const ClipSpec &spec : clip_specs())
        if (std::string_view(clip) == spec.name)
            return spec.width >= 1920;
    return false;
}

std::vector<double> clip_frame(const FeatureSpec &spec, const char *name, const Options &options, unsigned frame)
{
    const Clip &clip = Clip::get(name);
    return SpeedSession(spec, clip.format(), options).feed(clip, frame, frame);
}

/// Frames from 1 on.
std::vector<double> temporal_scores(const Clip &clip, const Options &options, unsigned frames)
{
    SpeedSession session(kSpeedTemporal, clip.format(), options);
    EXPECT_EQ(session.feed(clip, 0, 0)[0], 0);
    std::vector<double> scores;
    for (unsigned frame = 1; frame <= frames; ++frame)
        scores.push_back(session.feed(clip, frame, frame)[0]);
    return scores;
}

template <class Case> std::vector<Case> cases(const std::vector<Case> &all, bool large)
{
    std::vector<Case> list;
    for (const Case &c : all)
        if (is_large(c.clip) == large)
            list.push_back(c);
    return list;
}

/// Runs over the large clips of a table, or over the others.
class SpeedTables : public testing::TestWithParam<bool> {};

TEST_P(SpeedTables, ChromaOfClipsEqualsTheChapter)
{
    for (const ChromaClip &expected : cases(kChromaClips, GetParam())) {
        const Clip &clip = Clip::get(expected.clip);
        SpeedSession session(kSpeedChroma, clip.format(), expected.options);
        for (unsigned frame = 0; frame < expected.frames.size(); ++frame) {
            const ChromaScores &scores = expected.frames[frame];
            EXPECT_EQ(session.feed(clip, frame, frame), (std::vector{scores.u, scores.v, scores.uv}))
                << expected.clip << ", options " << expected.options.size() << ", frame " << frame;
        }
    }
}

TEST_P(SpeedTables, ChromaOfOptionsEqualsTheChapter)
{
    for (const ChromaOption &expected : cases(kChromaOptions, GetParam())) {
        const std::vector<double> scores = clip_frame(kSpeedChroma, expected.clip, expected.options, 0);
        EXPECT_EQ(scores[0], expected.u) << expected.options[0].first << " " << expected.options.back().second;
        EXPECT_EQ(scores[1], expected.v) << expected.options[0].first << " " << expected.options.back().second;
    }
}

TEST_P(SpeedTables, TemporalEqualsTheChapter)
{
    for (const TemporalClip &expected : cases(kTemporalClips, GetParam())) {
        const Clip &clip = Clip::get(expected.clip);
        const auto frames = static_cast<unsigned>(expected.defaults.size());
        EXPECT_EQ(temporal_scores(clip, kDefaults, frames), expected.defaults) << expected.clip;
        EXPECT_EQ(temporal_scores(clip, kRefDiff, frames), expected.ref_diff) << expected.clip;
        EXPECT_EQ(temporal_scores(clip, kPrescaled, frames), expected.prescaled) << expected.clip;
    }
}

INSTANTIATE_TEST_SUITE_P(Small, SpeedTables, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Large, SpeedTables, testing::Values(true));

TEST(Speed, WeightsOfEveryModeAtACut)
{
    const double expected[] = {21.909946441650391, 0.41124677658081055, 0.61125755310058594, 0.52714014053344727,
                               12.093009948730469, 6.5713653564453125,  17.166160583496094};
    for (unsigned mode = 0; mode <= 6; ++mode)
        EXPECT_EQ(clip_frame(kSpeedChroma, "bands_640x360_8", {{"speed_weight_var_mode", std::to_string(mode)}}, 1)[0],
                  expected[mode])
            << mode;
}

TEST(Speed, SmallFlatAndIdenticalPicturesScoreZero)
{
    const std::vector<double> zero(3, 0.0);
    for (const char *clip : {"tiles_352x288_10", "tiles_256x192_12", "same_352x288_8", "cut_352x288_8"})
        EXPECT_EQ(clip_frame(kSpeedChroma, clip, kDefaults, 1), zero) << clip;
    EXPECT_EQ(clip_frame(kSpeedChroma, "bands_640x360_8", kSetA, 1), zero);
    EXPECT_EQ(clip_frame(kSpeedChroma, "tiles_256x192_16", kSetB, 1), zero);
    for (const char *clip :
         {"flat_176x144_8", "noise_176x144_8", "tiles_177x145_8", "grey_178x146_10", "same_352x288_8"})
        EXPECT_EQ(temporal_scores(Clip::get(clip), {}, 2), std::vector(2, 0.0)) << clip;
}

/// Frame 1 of tiles_640x360_8. Plane u is flat on the sides that are named.
std::vector<double> with_flat_u(bool ref_is_flat, bool dis_is_flat)
{
    const Clip &clip = Clip::get("tiles_640x360_8");
    FramePlanes planes;
    for (unsigned plane = 0; plane < 3; ++plane) {
        planes.ref[plane] = clip.plane(Side::ref, 1, plane);
        planes.dis[plane] = clip.plane(Side::dis, 1, plane);
    }
    const std::vector<std::byte> grey(320 * 180, std::byte{128});
    const PlaneView flat{grey.data(), 320, 320, 180, 8};
    planes.ref[1] = ref_is_flat ? flat : planes.ref[1];
    planes.dis[1] = dis_is_flat ? flat : planes.dis[1];
    return SpeedSession(kSpeedChroma, clip.format(), kSetA).feed(planes);
}

TEST(Speed, TheOtherPlaneStandsForASingularOne)
{
    const std::vector<double> expected{0, 1.9824981689453125, 1.9824981689453125};
    EXPECT_EQ(with_flat_u(true, true), expected);
    EXPECT_EQ(with_flat_u(true, false), expected);
    EXPECT_EQ(with_flat_u(false, true), expected);
}

// Frames that the reference cannot compute (spec speed 6.2).
TEST(Speed, TemporalEnlargesPictures)
{
    const Clip &clip = Clip::get("tiles_640x360_8");
    EXPECT_EQ(temporal_scores(clip, {{"speed_prescale", "2"}}, 2),
              (std::vector{8.1784486770629883, 10.12528133392334}));
    EXPECT_EQ(temporal_scores(clip, {{"speed_prescale", "1.3"}}, 2),
              (std::vector{12.23377799987793, 10.609969139099121}));
}

TEST(Speed, MaxValLimitsChromaOnly)
{
    EXPECT_EQ(clip_frame(kSpeedChroma, "tiles_640x360_8", {{"speed_max_val", "3"}}, 0),
              (std::vector<double>{2.4821224212646484, 3, 2.9324626922607422}));
    EXPECT_EQ(temporal_scores(Clip::get("tiles_640x360_8"), {{"speed_max_val", "3"}}, 1)[0], 5.1992864608764648);
}

TEST(Speed, TemporalComparesInCallOrder)
{
    const Clip &clip = Clip::get("tiles_640x360_8");
    SpeedSession late(kSpeedTemporal, clip.format(), {});
    EXPECT_EQ(late.feed(clip, 0, 7)[0], 0) << "nothing was fed before";
    EXPECT_EQ(late.feed(clip, 1, 3)[0], 5.1992864608764648);
    EXPECT_EQ(late.feed(clip, 2, 9)[0], 5.0579981803894043);
    EXPECT_EQ(late.feed(clip, 3, 0)[0], 0) << "index 0";
    const ReadingWindow window = kSpeedTemporal.create(parse(kSpeedTemporal, {}).value())->window(clip.format());
    EXPECT_EQ(window.look_back(), 1U);
    EXPECT_EQ(window.earlier[0], (PairMask{kLuma, kLuma}));
    EXPECT_EQ(window.missing, ReadingWindow::Missing::is_accepted) << "a frame without an earlier one is no error";
}

/// Frame 1 of tiles_640x360_8, of which only the leftmost columns are fed.
double temporal_score_of_part(unsigned width, const Options &options)
{
    const Clip &clip = Clip::get("tiles_640x360_8");
    SpeedSession session(kSpeedTemporal, {VMAF_PIX_FMT_YUV400P, 8, width, 360}, options);
    double score = 0;
    for (unsigned frame = 0; frame < 2; ++frame) {
        FramePlanes planes;
        planes.ref[0] = clip.plane(Side::ref, frame, 0);
        planes.dis[0] = clip.plane(Side::dis, frame, 0);
        planes.ref[0].width_px = planes.dis[0].width_px = width;
        planes.frame_index = frame;
        score = session.feed(planes)[0];
    }
    return score;
}

// spec speed 3.2
TEST(Speed, APrescaleOfNearlyOneCutsThePicture)
{
    const double whole = temporal_score_of_part(640, {}), part = temporal_score_of_part(639, {});
    ASSERT_NE(whole, part);
    EXPECT_EQ(temporal_score_of_part(640, {{"speed_prescale", "0.9991"}}), part);
    EXPECT_EQ(temporal_score_of_part(640, {{"speed_prescale", "1.0009"}}), whole);
}

Status check(const FeatureSpec &spec, const Options &options, const PictureFormat &format)
{
    return spec.create(parse(spec, options).value())->check_format(format);
}

/// What the call logged at level error.
template <class Call> std::string logged(Call &&call)
{
    set_log_level(LogLevel::error);
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr();
}

void expect_rejected(const FeatureSpec &spec, const Options &options, const PictureFormat &format, const char *reason)
{
    const std::string text = logged([&] { EXPECT_EQ(check(spec, options, format).code(), -EINVAL) << reason; });
    EXPECT_NE(text.find(reason), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST(Speed, RejectsWhatItCannotMeasure)
{
    const PictureFormat cif{VMAF_PIX_FMT_YUV420P, 8, 352, 288};
    expect_rejected(kSpeedChroma, {}, {VMAF_PIX_FMT_YUV420P, 8, 177, 145}, "88x72");
    expect_rejected(kSpeedChroma, {}, {VMAF_PIX_FMT_YUV420P, 8, 159, 160}, "79x80");
    expect_rejected(kSpeedChroma, {}, {VMAF_PIX_FMT_YUV400P, 8, 352, 288}, "no chroma");
    expect_rejected(kSpeedChroma, kSetC, cif, "88x72");
    expect_rejected(kSpeedTemporal, {}, {VMAF_PIX_FMT_YUV400P, 10, 1920, 79}, "1920x79");
    expect_rejected(kSpeedTemporal, {{"speed_prescale", "nan"}}, cif, "0x0");
    for (const FeatureSpec *spec : {&kSpeedChroma, &kSpeedTemporal}) {
        expect_rejected(*spec, {{"speed_kernelscale", "1.2"}}, cif, "1.2");
        expect_rejected(*spec, {{"speed_prescale_method", "cubic"}}, cif, "cubic");
    }
    EXPECT_TRUE(check(kSpeedChroma, {}, {VMAF_PIX_FMT_YUV420P, 8, 160, 160}).ok());
    EXPECT_TRUE(check(kSpeedChroma, {}, {VMAF_PIX_FMT_YUV422P, 8, 160, 80}).ok());
    EXPECT_TRUE(check(kSpeedTemporal, {}, {VMAF_PIX_FMT_YUV400P, 8, 80, 80}).ok());
    EXPECT_TRUE(check(kSpeedTemporal, {{"speed_prescale", "4"}}, {VMAF_PIX_FMT_YUV400P, 8, 20, 20}).ok());
}

TEST(Speed, RejectsOptionsOutOfRange)
{
    const Options outside{{"speed_kernelscale", "0.05"},
                          {"speed_prescale", "4.1"},
                          {"speed_sigma_nn", "0.05"},
                          {"speed_nn_floor", "1.5"},
                          {"speed_max_val", "1001"}};
    for (const FeatureSpec *spec : {&kSpeedChroma, &kSpeedTemporal})
        for (const OptionDict::Entry &option : outside)
            EXPECT_EQ(parse(*spec, {option}).status().code(), -EINVAL) << option.first;
    EXPECT_EQ(parse(kSpeedChroma, {{"speed_weight_var_mode", "7"}}).status().code(), -EINVAL);
    EXPECT_EQ(parse(kSpeedTemporal, {{"speed_use_ref_diff", "1"}}).status().code(), -EINVAL);
    EXPECT_TRUE(parse(kSpeedTemporal, {{"speed_weight_var_mode", "7"}}).ok()) << "not an option of this feature";
}

TEST(Speed, NamesCarryTheOptions)
{
    const std::string uv = "Speed_chroma_feature_speed_chroma_uv_score";
    EXPECT_EQ(parse(kSpeedChroma, {}).value().output_name(uv), uv);
    EXPECT_EQ(parse(kSpeedChroma, with(kSetA, {{"speed_kernelscale", "1"}})).value().output_name(uv),
              "speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5");
    EXPECT_EQ(parse(kSpeedChroma, kSetB).value().output_name(uv),
              "speed_chroma_uv_mxv_45_nnf_0.1_ps_0.6_psm_bilinear_snn_0.19_wvm_5");
    const Options temporal{{"speed_use_ref_diff", "true"}, {"speed_kernelscale", "1.5"}};
    EXPECT_EQ(parse(kSpeedTemporal, temporal).value().output_name("Speed_temporal_feature_speed_temporal_score"),
              "speed_temporal_ks_1.5_urd");
    EXPECT_EQ(find_feature_providing(uv), &kSpeedChroma);
    EXPECT_EQ(find_feature_providing("Speed_temporal_feature_speed_temporal_score"), &kSpeedTemporal);
}

/// A 4:4:4 picture pair of random samples.
class RandomPair {
  public:
    RandomPair(unsigned width, unsigned height, unsigned bpc, Random &random)
        : format_{VMAF_PIX_FMT_YUV444P, bpc, width, height}
    {
        for (std::vector<std::uint16_t> &plane : planes_) {
            plane.resize(std::size_t{width} * height);
            for (std::uint16_t &sample : plane)
                sample = static_cast<std::uint16_t>(random.below(1U << bpc));
        }
    }
    /// Returns the pair with its samples shifted up to `bpc` bits.
    RandomPair deepened(unsigned bpc) const
    {
        RandomPair deeper = *this;
        deeper.format_.bpc = bpc;
        for (std::vector<std::uint16_t> &plane : deeper.planes_)
            for (std::uint16_t &sample : plane)
                sample = static_cast<std::uint16_t>(sample << (bpc - format_.bpc));
        return deeper;
    }
    const PictureFormat &format() const { return format_; }
    FramePlanes views() const
    {
        FramePlanes views;
        for (unsigned plane = 0; plane < 3; ++plane) {
            views.ref[plane] = view(plane);
            views.dis[plane] = view(3 + plane);
        }
        views.frame_index = 1;
        return views;
    }

  private:
    PlaneView view(unsigned i) const
    {
        return {reinterpret_cast<const std::byte *>(planes_[i].data()),
                static_cast<std::ptrdiff_t>(format_.width * sizeof(std::uint16_t)), format_.width, format_.height,
                format_.bpc};
    }

    PictureFormat format_;
    std::array<std::vector<std::uint16_t>, 6> planes_;
};

/// Returns the scores of the second pair from a session that was fed the first pair before.
std::vector<double> scores_of(const FeatureSpec &spec, const Options &options, const RandomPair &first,
                              const RandomPair &second, CpuTarget target)
{
    SpeedSession session(spec, first.format(), options, target);
    session.feed(first.views());
    return session.feed(second.views());
}

void expect_equal_targets(const FeatureSpec &spec, const Options &options, const RandomPair &first,
                          const RandomPair &second)
{
    const std::vector<double> expected = scores_of(spec, options, first, second, CpuTarget::baseline);
    for (const CpuTarget target : targets()) {
        const std::vector<double> scores = scores_of(spec, options, first, second, target);
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(scores[i] == expected[i] || (std::isnan(scores[i]) && std::isnan(expected[i])))
                << spec.name << " " << first.format().width << "x" << first.format().height << " " << first.format().bpc
                << ": " << scores[i] << ", baseline " << expected[i];
    }
}

TEST(Speed, EveryCpuTargetGivesTheSameScores)
{
    Random random;
    SCOPED_TRACE(random.seed());
    // Sizes from one block a row on, where scores depend on the last bit of everything and may be
    // NaN (spec speed 4).
    for (unsigned extra = 0; extra <= 17; ++extra)
        for (const unsigned least_height : {80U, 480U}) {
            const unsigned width = 80 + extra, height = least_height + random.below(18), bpc = 9 + random.below(8);
            const RandomPair first(width, height, bpc, random), second(width, height, bpc, random);
            for (const FeatureSpec *spec : {&kSpeedChroma, &kSpeedTemporal})
                expect_equal_targets(*spec, {}, first, second);
        }
}

TEST(Speed, EveryCpuTargetGivesTheSameScoresAfterResampling)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const char *method : {"nearest", "bilinear", "bicubic", "lanczos4"}) {
        const unsigned width = 160 + random.below(90), height = 160 + random.below(90), bpc = 9 + random.below(8);
        const RandomPair first(width, height, bpc, random), second(width, height, bpc, random);
        for (const FeatureSpec *spec : {&kSpeedChroma, &kSpeedTemporal})
            expect_equal_targets(*spec, {{"speed_prescale", "0.8"}, {"speed_prescale_method", method}}, first, second);
    }
}

// Depths include those that the reference reads wrongly (spec speed 2).
TEST(Speed, ScoresOfAPictureDoNotDependOnTheDepth)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const RandomPair first(250, 260, 9, random), second(250, 260, 9, random);
    for (const FeatureSpec *spec : {&kSpeedChroma, &kSpeedTemporal}) {
        const std::vector<double> expected = scores_of(*spec, {}, first, second, cpu_target(0));
        EXPECT_GT(expected[0], 0);
        for (unsigned bpc = 10; bpc <= 16; ++bpc)
            EXPECT_EQ(scores_of(*spec, {}, first.deepened(bpc), second.deepened(bpc), cpu_target(0)), expected) << bpc;
    }
}

} // namespace
} // namespace vmaf::test::speed
