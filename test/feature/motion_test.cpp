#include "feature/motion/motion.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <ostream>
#include <random>

#include "feature/feature_runner.h"
#include "feature/recorded_scores.h"
#include "support/cpu_targets.h"

namespace vmaf {
namespace {

using test::Clip;
using test::Side;
using test::targets;

using test::Options;
const Options kHfr{{"motion_five_frame_window", "true"}, {"motion_moving_average", "true"}};
const Options kHfr18{{"motion_five_frame_window", "true"}, {"motion_moving_average", "true"}, {"motion_max_val", "18"}};

Result<OptionValues> parse(const Options &options)
{
    return test::parse_options(kMotion, options);
}

/// Does what the engine does for one registration: keeps the pictures of earlier calls, finishes,
/// and advances.
class MotionSession {
  public:
    MotionSession(const PictureFormat &format, const Options &options, CpuTarget target = cpu_target(0))
        : feature_(kMotion.create(parse(options).value())), format_(format), cpu_(feature_->make_cpu(format, target)),
          series_(feature_->make_clip_state(format)), scores_(feature_->outputs(format))
    {
    }

    Status feed(unsigned index, const PlaneView &luma)
    {
        FramePlanes planes;
        planes.ref[0] = luma;
        for (unsigned i = 0; i < previous_.size(); ++i)
            planes.earlier[i].ref[0] = previous_[i];
        planes.frame_index = index;
        previous_ = {luma, previous_[0]};
        MotionSums sums{};
        VMAF_TRY(cpu_->extract(planes, &sums));
        sads_[index] = sums.sad;
        std::vector<double> frame_scores(feature_->outputs(format_).size());
        feature_->finish(&sums, format_, frame_scores);
        for (std::size_t i = 0; i + 2 < frame_scores.size(); ++i)
            scores_.write(i, index, frame_scores[i]);
        series_->add(index, index, &sums);
        series_->advance(scores_);
        return {};
    }
    Status flush() { return series_->flush(scores_); }

    std::uint64_t sad(unsigned index) const { return sads_.at(index); }
    std::optional<double> sad_score(unsigned index) const { return named("motion_sad", index); }
    std::optional<double> debug_score(unsigned index) const { return named("motion", index); }
    std::optional<double> motion2(unsigned index) const { return named("motion2", index); }
    std::optional<double> motion3(unsigned index) const { return named("motion3", index); }
    const Feature &feature() const { return *feature_; }

  private:
    std::optional<double> named(const std::string &name, unsigned index) const
    {
        return scores_.at("VMAF_integer_feature_" + name + "_score", index);
    }

    std::unique_ptr<Feature> feature_;
    PictureFormat format_;
    std::unique_ptr<CpuExtractor> cpu_;
    std::unique_ptr<ClipState> series_;
    test::RecordedScores scores_;
    std::array<PlaneView, 2> previous_{};
    std::map<unsigned, std::uint64_t> sads_;
};

MotionSession run_clip(const char *name, const Options &options, unsigned frames = ~0U)
{
    const Clip &clip = Clip::get(name);
    MotionSession session(clip.format(), options);
    for (unsigned i = 0; i < std::min(frames, clip.spec().frames); ++i)
        EXPECT_TRUE(session.feed(i, clip.plane(Side::ref, i, 0)).ok());
    EXPECT_TRUE(session.flush().ok());
    return session;
}

// The second table of spec motion 6.
struct ExpectedFrame {
    std::uint64_t sad;
    double sad_score, motion2, motion3;
    std::uint64_t sad_hfr;
    double hfr_motion2, hfr_motion3, hfr18_motion3;
};
struct ExpectedClip {
    const char *name;
    std::vector<ExpectedFrame> frames;
};
const std::vector<ExpectedClip> kExpected{
    {"tiles_176x144_8",
     {
         {0, 0, 0, 11.473324245876736, 0, 0, 18.56334693985756, 18},
         {74439662, 11.473324245876736, 11.33451735371291, 11.33451735371291, 0, 0, 18.56334693985756, 18},
         {73539074, 11.33451735371291, 11.33451735371291, 11.33451735371291, 120440183, 18.698649705058397,
          18.630998322457977, 18},
         {74879749, 11.541154495393387, 11.412771668096985, 11.412771668096985, 121318036, 18.56334693985756,
          18.630998322457977, 18},
         {74046793, 11.412771668096985, 11.412771668096985, 11.412771668096985, 120803840, 18.619397095959595,
          18.591372017908576, 18},
     }},
    {"tiles_177x145_8",
     {
         {0, 0, 0, 11.483898609487628, 0, 0, 18.51891940020456, 18},
         {75451970, 11.483898609487628, 11.387660115916617, 11.387660115916617, 0, 0, 18.51891940020456, 18},
         {74819660, 11.387660115916617, 11.387660115916617, 11.387660115916617, 121673745, 18.630739820767584,
          18.57482961048607, 18},
         {75346072, 11.46778078121956, 11.46778078121956, 11.46778078121956, 122408432, 18.630739820767584,
          18.630739820767584, 18},
     }},
    {"tiles_352x288_10",
     {
         {0, 0, 0, 11.433771730673433, 0, 0, 18.632457155169863, 18},
         {296732171, 11.433771730673433, 11.406913410533559, 11.406913410533559, 0, 0, 18.632457155169863, 18},
         {296035137, 11.406913410533559, 11.400043757274897, 11.400043757274897, 483554298, 18.551706834272906,
          18.592081994721383, 18},
         {295856854, 11.400043757274897, 11.400043757274897, 11.400043757274897, 481458645, 18.574313038527364,
          18.563009936400135, 18},
         {300156165, 11.565706079656428, 11.565706079656428, 11.565706079656428, 482045327, 18.574313038527364,
          18.574313038527364, 18},
     }},
    {"tiles_256x192_12",
     {
         {0, 0, 0, 11.307698249816895, 0, 0, 18.481374581654865, 18},
         {142283772, 11.307698249816895, 11.307698249816895, 11.307698249816895, 0, 0, 18.481374581654865, 18},
         {143222105, 11.382270256678263, 11.382270256678263, 11.382270256678263, 232549510, 18.481374581654865,
          18.481374581654865, 18},
     }},
    {"tiles_256x192_16",
     {
         {0, 0, 0, 11.307697693506876, 0, 0, 18.481240431467693, 18},
         {142283765, 11.307697693506876, 11.307697693506876, 11.307697693506876, 0, 0, 18.481240431467693, 18},
         {143221011, 11.382183313369751, 11.382183313369751, 11.382183313369751, 232547822, 18.481240431467693,
          18.481240431467693, 18},
     }},
    {"noise_176x144_8",
     {
         {0, 0, 0, 24.757983891650884, 0, 0, 24.294463186553031, 18},
         {160631384, 24.757983891650884, 24.246077258177479, 24.246077258177479, 0, 0, 24.294463186553031, 18},
         {157310101, 24.246077258177479, 24.246077258177479, 24.246077258177479, 157624032, 24.294463186553031,
          24.294463186553031, 18},
     }},
    {"tiles_1920x1080_8",
     {
         {0, 0, 0, 11.242449645996095, 0, 0, 18.194674273832344, 18},
         {5967959958, 11.242449645996095, 11.239255448329596, 11.239255448329596, 0, 0, 18.194674273832344, 18},
         {5966264345, 11.239255448329596, 11.239255448329596, 11.239255448329596, 9658490003, 18.194674273832344,
          18.194674273832344, 18},
     }},
    {"tiles_3840x2160_10",
     {
         {0, 0, 0, 11.262538578363113, 0, 0, 0, 0},
         {23914495996, 11.262538578363113, 11.262538578363113, 11.262538578363113, 0, 0, 0, 0},
     }},
    {"bands_640x360_8",
     {
         {0, 0, 0, 0.26062552558051216, 0, 0, 0.50037280612521706, 0.50037280612521706},
         {15372319, 0.26062552558051216, 0.26001096937391494, 0.26001096937391494, 0, 0, 0.50037280612521706,
          0.50037280612521706},
         {15336071, 0.26001096937391494, 0.25967057969835067, 0.25967057969835067, 29513189, 0.49920418633355035,
          0.49978849622938371, 0.49978849622938371},
         {15315994, 0.25967057969835067, 0.25967057969835067, 0.25967057969835067, 29444261, 0.49920418633355035,
          0.49920418633355035, 0.49920418633355035},
     }},
    {"bands_960x540_10",
     {
         {0, 0, 0, 0.25157388569396222, 0, 0, 0.49989312065972225, 0.49989312065972225},
         {33386471, 0.25157388569396222, 0.25151111744068289, 0.25151111744068289, 0, 0, 0.49989312065972225,
          0.49989312065972225},
         {33378141, 0.25151111744068289, 0.25151111744068289, 0.25151111744068289, 66341016, 0.49989312065972225,
          0.49989312065972225, 0.49989312065972225},
     }},
    {"cut_352x288_8",
     {
         {0, 0, 0, 0, 0, 0, 16.436681265782827, 16.436681265782827},
         {0, 0, 0, 0, 0, 0, 16.436681265782827, 16.436681265782827},
         {426568960, 16.436681265782827, 0, 0, 426568960, 16.436681265782827, 16.436681265782827, 16.436681265782827},
         {0, 0, 0, 0, 426568960, 0, 8.2183406328914135, 8.2183406328914135},
         {0, 0, 0, 0, 0, 16.436681265782827, 8.2183406328914135, 8.2183406328914135},
         {529898663, 20.418211927317611, 0, 0, 529898663, 0, 8.2183406328914135, 8.2183406328914135},
         {0, 0, 0, 0, 529898663, 20.418211927317611, 10.209105963658805, 9},
     }},
    {"grey_178x146_10",
     {
         {0, 0, 0, 11.351267291634601, 0, 0, 18.45572866563414, 18},
         {75519164, 11.351267291634601, 11.351267291634601, 11.351267291634601, 0, 0, 18.45572866563414, 18},
         {75538086, 11.354111452882099, 11.354111452882099, 11.354111452882099, 122784634, 18.45572866563414,
          18.45572866563414, 18},
     }},
};

void PrintTo(const ExpectedClip &expected, std::ostream *stream)
{
    *stream << expected.name;
}

/// Depends on the table's name alone, so listing the cases makes no clip.
bool is_large(const ExpectedClip &expected)
{
    for (const test::ClipSpec &spec : test::clip_specs())
        if (std::string_view(expected.name) == spec.name)
            return spec.width >= 1920;
    return false;
}

std::vector<ExpectedClip> expected_clips(bool large)
{
    std::vector<ExpectedClip> list;
    for (const ExpectedClip &expected : kExpected)
        if (is_large(expected) == large)
            list.push_back(expected);
    return list;
}

class MotionClips : public testing::TestWithParam<ExpectedClip> {};

TEST_P(MotionClips, MatchTheChaptersTable)
{
    const ExpectedClip &expected = GetParam();
    const MotionSession plain = run_clip(expected.name, {});
    const MotionSession hfr = run_clip(expected.name, kHfr);
    const MotionSession hfr18 = run_clip(expected.name, kHfr18);
    for (unsigned i = 0; i < expected.frames.size(); ++i) {
        const ExpectedFrame &frame = expected.frames[i];
        EXPECT_EQ(plain.sad(i), frame.sad) << i;
        EXPECT_EQ(plain.sad_score(i), frame.sad_score) << i;
        EXPECT_EQ(plain.motion2(i), frame.motion2) << i;
        EXPECT_EQ(plain.motion3(i), frame.motion3) << i;
        EXPECT_EQ(hfr.sad(i), frame.sad_hfr) << i;
        EXPECT_EQ(hfr.motion2(i), frame.hfr_motion2) << i;
        EXPECT_EQ(hfr.motion3(i), frame.hfr_motion3) << i;
        EXPECT_EQ(hfr18.motion3(i), frame.hfr18_motion3) << i;
    }
}

std::string case_name(const testing::TestParamInfo<ExpectedClip> &info)
{
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Small, MotionClips, testing::ValuesIn(expected_clips(false)), case_name);
INSTANTIATE_TEST_SUITE_P(Large, MotionClips, testing::ValuesIn(expected_clips(true)), case_name);

void expect_motion3(const MotionSession &session, const std::vector<double> &expected)
{
    for (unsigned i = 0; i < expected.size(); ++i)
        EXPECT_EQ(session.motion3(i), expected[i]) << i;
}
void expect_motion2_from_1(const MotionSession &session, const std::vector<double> &expected)
{
    EXPECT_EQ(session.motion2(0), 0);
    for (unsigned i = 0; i < expected.size(); ++i)
        EXPECT_EQ(session.motion2(i + 1), expected[i]) << i;
}

TEST(Motion, IgnoresTheDistortedPicture)
{
    const MotionSession plain = run_clip("same_352x288_8", {});
    EXPECT_EQ(plain.sad(1), 296781207U);
    EXPECT_EQ(plain.sad(2), 296058208U);
    EXPECT_EQ(run_clip("same_352x288_8", kHfr).sad(2), 483589285U);
}

TEST(Motion, IsZeroOnAStillClip)
{
    for (const Options &options : {Options{}, kHfr}) {
        const MotionSession session = run_clip("flat_176x144_8", options);
        for (unsigned i = 0; i < 3; ++i) {
            EXPECT_EQ(session.sad_score(i), 0);
            EXPECT_EQ(session.motion2(i), 0);
            EXPECT_EQ(session.motion3(i), 0);
        }
    }
}

TEST(Motion, FpsWeightScalesTheSadScore)
{
    const MotionSession session = run_clip("tiles_352x288_10", {{"motion_fps_weight", "0.7"}});
    const std::vector<double> motion2{7.9848393873734906, 7.9800306300924273, 7.9800306300924273, 8.0959942557594982};
    expect_motion2_from_1(session, motion2);
    expect_motion3(session, {8.0036402114714029, motion2[0], motion2[1], motion2[2], motion2[3]});
}

TEST(Motion, MovingAverageIsOfTwoNeighbours)
{
    const MotionSession session = run_clip("tiles_352x288_10", {{"motion_moving_average", "true"}});
    expect_motion2_from_1(session, {11.406913410533559, 11.400043757274897, 11.400043757274897, 11.565706079656428});
    expect_motion3(
        session, {11.433771730673433, 11.420342570603495, 11.403478583904228, 11.400043757274897, 11.482874918465662});
}

TEST(Motion, FiveFrameWindowWithoutAverage)
{
    const MotionSession session = run_clip("tiles_352x288_10", {{"motion_five_frame_window", "true"}});
    expect_motion2_from_1(session, {0, 18.551706834272906, 18.574313038527364, 18.574313038527364});
    expect_motion3(
        session, {18.632457155169863, 18.632457155169863, 18.551706834272906, 18.574313038527364, 18.574313038527364});
}

TEST(Motion, BlendsAboveTheOffset)
{
    const MotionSession session = run_clip("tiles_352x288_10", {{"motion_fps_weight", "2.5"},
                                                                {"motion_max_val", "30"},
                                                                {"motion_blend_factor", "0.4"},
                                                                {"motion_blend_offset", "12"},
                                                                {"motion_moving_average", "true"}});
    expect_motion2_from_1(session, {28.517283526333898, 28.500109393187245, 28.500109393187245, 28.91426519914107});
    expect_motion3(
        session, {18.633771730673434, 18.620342570603498, 18.603478583904227, 18.600043757274896, 18.682874918465664});
}

TEST(Motion, ThreeFramesEndWithTheLast)
{
    const MotionSession plain = run_clip("tiles_352x288_10", {}, 3);
    expect_motion2_from_1(plain, {11.406913410533559, 11.406913410533559});
    const MotionSession hfr = run_clip("tiles_352x288_10", kHfr, 3);
    expect_motion2_from_1(hfr, {0, 18.632457155169863});
    expect_motion3(hfr, {18.632457155169863, 18.632457155169863, 18.632457155169863});
}

TEST(Motion, OneOrTwoFrames)
{
    for (const Options &options : {Options{}, kHfr}) {
        const MotionSession one = run_clip("tiles_352x288_10", options, 1);
        EXPECT_EQ(one.motion2(0), 0);
        EXPECT_EQ(one.motion3(0), 0);
    }
    const MotionSession two = run_clip("tiles_352x288_10", {}, 2);
    EXPECT_EQ(two.motion2(0), 0);
    EXPECT_EQ(two.motion2(1), 11.433771730673433);
    expect_motion3(two, {11.433771730673433, 11.433771730673433});
    const MotionSession hfr = run_clip("tiles_352x288_10", kHfr, 2);
    expect_motion2_from_1(hfr, {0});
    expect_motion3(hfr, {0, 0});
}

// A score appears as soon as it is determined, and later frames do not change it (spec motion 4,
// "Ours").
TEST(Motion, SettlesAFrameWhenTheNextIsFed)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    const MotionSession whole = run_clip("tiles_352x288_10", {});
    const MotionSession whole_hfr = run_clip("tiles_352x288_10", kHfr);
    MotionSession plain(clip.format(), {}), hfr(clip.format(), kHfr);
    for (unsigned i = 0; i < 5; ++i) {
        ASSERT_TRUE(plain.feed(i, clip.plane(Side::ref, i, 0)).ok());
        ASSERT_TRUE(hfr.feed(i, clip.plane(Side::ref, i, 0)).ok());
        EXPECT_FALSE(plain.motion2(i) || plain.motion3(i) || hfr.motion2(i) || hfr.motion3(i)) << i;
        if (i == 0)
            continue;
        EXPECT_EQ(plain.motion2(i - 1), whole.motion2(i - 1)) << i;
        EXPECT_EQ(plain.motion3(i - 1), whole.motion3(i - 1)) << i;
        EXPECT_EQ(hfr.motion2(i - 1), whole_hfr.motion2(i - 1)) << i;
        if (i == 1)
            EXPECT_FALSE(hfr.motion3(0)); // its stamp needs frame 2
        else
            EXPECT_EQ(hfr.motion3(i - 1), whole_hfr.motion3(i - 1)) << i;
    }
    EXPECT_EQ(hfr.motion3(0), whole_hfr.motion3(0));
}

TEST(Motion, ComparesInCallOrderAndMinimisesByIndex)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    MotionSession shuffled(clip.format(), {});
    MotionSession pairs(clip.format(), {}); // the same pictures in the same order, with increasing indices
    const unsigned order[] = {0, 2, 1, 3};
    for (unsigned call = 0; call < 4; ++call) {
        ASSERT_TRUE(shuffled.feed(order[call], clip.plane(Side::ref, order[call], 0)).ok());
        ASSERT_TRUE(pairs.feed(call, clip.plane(Side::ref, order[call], 0)).ok());
    }
    ASSERT_TRUE(shuffled.flush().ok());
    for (unsigned call = 0; call < 4; ++call)
        EXPECT_EQ(shuffled.sad_score(order[call]), pairs.sad_score(call));
    const double s1 = *shuffled.sad_score(1), s2 = *shuffled.sad_score(2), s3 = *shuffled.sad_score(3);
    ASSERT_NE(s1, s2);
    EXPECT_EQ(shuffled.motion2(1), std::min(s1, s2));
    EXPECT_EQ(shuffled.motion2(2), std::min(s2, s3));
    EXPECT_EQ(shuffled.motion2(3), s3);
}

TEST(Motion, StopsBeforeAGap)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    MotionSession session(clip.format(), {});
    for (const unsigned i : {0U, 1U, 3U, 4U})
        ASSERT_TRUE(session.feed(i, clip.plane(Side::ref, i, 0)).ok());
    EXPECT_FALSE(session.motion2(1));
    ASSERT_TRUE(session.flush().ok());
    EXPECT_TRUE(session.sad_score(3) && session.sad_score(4));
    EXPECT_EQ(session.motion2(1), session.sad_score(1));
    EXPECT_EQ(session.motion3(1), session.sad_score(1));
    for (const unsigned i : {2U, 3U, 4U})
        EXPECT_FALSE(session.motion2(i) || session.motion3(i)) << i;
}

TEST(Motion, FailsWithoutThePictureThatItNeeds)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    MotionSession session(clip.format(), {});
    EXPECT_EQ(session.feed(5, clip.plane(Side::ref, 0, 0)).code(), -EINVAL);
    EXPECT_FALSE(session.sad_score(5));
    EXPECT_TRUE(session.feed(6, clip.plane(Side::ref, 1, 0)).ok());
    EXPECT_EQ(session.sad(6), 296732171U);
    EXPECT_TRUE(session.flush().ok()); // no index 0, so there is nothing to write
    EXPECT_FALSE(session.motion2(6));

    MotionSession hfr(clip.format(), kHfr);
    EXPECT_TRUE(hfr.feed(0, clip.plane(Side::ref, 0, 0)).ok());
    EXPECT_EQ(hfr.feed(2, clip.plane(Side::ref, 1, 0)).code(), -EINVAL);
}

TEST(Motion, ForceZeroReadsNoPicture)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 352, 288};
    Options options = kHfr;
    options.emplace_back("motion_force_zero", "true");
    options.emplace_back("debug", "true");
    MotionSession session(format, options);
    EXPECT_FALSE(session.feature().window(format).pair.any());
    EXPECT_EQ(session.feature().window(format).look_back(), 0U);
    for (unsigned i = 0; i < 4; ++i)
        ASSERT_TRUE(session.feed(i, {}).ok());
    ASSERT_TRUE(session.flush().ok());
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(session.sad_score(i), 0);
        EXPECT_EQ(session.debug_score(i), 0);
        EXPECT_EQ(session.motion2(i), 0);
        EXPECT_EQ(session.motion3(i), 0);
    }
}

TEST(Motion, DebugRepeatsTheSadScore)
{
    const MotionSession session = run_clip("tiles_176x144_8", {{"debug", "true"}});
    EXPECT_EQ(session.debug_score(1), 11.473324245876736);
    EXPECT_EQ(session.motion2(1), 11.33451735371291);
    EXPECT_FALSE(run_clip("tiles_176x144_8", {}).debug_score(1));
}

TEST(Motion, AsksForThePictureOfTheWindow)
{
    const PairMask ref_luma{.ref = kLuma};
    const ReadingWindow plain = kMotion.create(parse({}).value())->window({});
    EXPECT_EQ(plain.pair, ref_luma);
    EXPECT_EQ(plain.earlier[0], ref_luma);
    EXPECT_EQ(plain.look_back(), 1U);
    EXPECT_EQ(plain.frames_after, 1U);
    const ReadingWindow hfr = kMotion.create(parse(kHfr).value())->window({});
    EXPECT_EQ(hfr.pair, ref_luma);
    EXPECT_FALSE(hfr.earlier[0].any());
    EXPECT_EQ(hfr.earlier[1], ref_luma);
    EXPECT_EQ(hfr.look_back(), 2U);
    EXPECT_EQ(hfr.frames_after, 2U);
}

TEST(Motion, WritesDelayedOutputsLast)
{
    const auto list = kMotion.create(parse({{"debug", "true"}}).value())->outputs({});
    ASSERT_EQ(list.size(), 4U);
    EXPECT_STREQ(list[0].name, "VMAF_integer_feature_motion_sad_score");
    EXPECT_STREQ(list[1].name, "VMAF_integer_feature_motion_score");
    EXPECT_STREQ(list[2].name, "VMAF_integer_feature_motion2_score");
    EXPECT_STREQ(list[3].name, "VMAF_integer_feature_motion3_score");
    EXPECT_EQ(list[1].kind, OutputKind::frame);
    EXPECT_EQ(list[2].kind, OutputKind::delayed);
    EXPECT_EQ(list[3].kind, OutputKind::delayed);
}

TEST(Motion, NamesCarryTheOptions)
{
    const std::string sad = "VMAF_integer_feature_motion_sad_score", motion2 = "VMAF_integer_feature_motion2_score",
                      motion3 = "VMAF_integer_feature_motion3_score";
    EXPECT_EQ(parse({{"debug", "true"}}).value().output_name(motion2), motion2);
    EXPECT_EQ(parse(kHfr18).value().output_name(motion3), "integer_motion3_mffw_mmxv_18_mma");
    EXPECT_EQ(parse({{"motion_max_val", "18"}}).value().output_name(sad), sad + "_mmxv_18");
    EXPECT_EQ(parse({{"motion_force_zero", "true"}}).value().output_name(motion2), "integer_motion2_force_0");
    const auto all = parse({{"motion_moving_average", "true"},
                            {"motion_max_val", "30"},
                            {"motion_fps_weight", "2.5"},
                            {"motion_force_zero", "true"},
                            {"motion_five_frame_window", "true"},
                            {"motion_blend_offset", "4"},
                            {"motion_blend_factor", "0.5"}});
    EXPECT_EQ(all.value().output_name(motion2), "integer_motion2_mbf_0.5_mbo_4_mffw_force_0_mfw_2.5_mmxv_30_mma");
}

TEST(Motion, RejectsOptionsOutOfRange)
{
    for (const OptionDict::Entry &option : Options{{"motion_blend_factor", "1.5"},
                                                   {"motion_blend_offset", "1001"},
                                                   {"motion_fps_weight", "-1"},
                                                   {"motion_max_val", "10001"},
                                                   {"motion_force_zero", "1"},
                                                   {"debug", "yes"}})
        EXPECT_EQ(parse({option}).status().code(), -EINVAL) << option.first;
}

// --- Random pictures, compared with the chapter's steps written down directly.

unsigned draw(std::mt19937 &random, unsigned count)
{
    return static_cast<unsigned>(random() % count);
}

/// A luma plane of random samples with a stride of its own.
class RandomPlane {
  public:
    RandomPlane(unsigned width, unsigned height, unsigned bpc, unsigned max_sample, std::mt19937 &random)
    {
        const unsigned sample_bytes = bpc > 8 ? 2 : 1, stride = (width + 3) * sample_bytes;
        bytes_.resize(std::size_t{stride} * height);
        view_ = {bytes_.data(), stride, width, height, bpc};
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < width; ++x) {
                // extremes are frequent, because they may overflow
                const unsigned kind = draw(random, 4);
                const unsigned sample = kind == 0 ? 0 : kind == 1 ? max_sample : draw(random, max_sample + 1);
                std::memcpy(&bytes_[std::size_t{y} * stride + std::size_t{x} * sample_bytes], &sample, sample_bytes);
            }
    }
    const PlaneView &view() const { return view_; }

  private:
    std::vector<std::byte> bytes_;
    PlaneView view_;
};

std::int64_t sample_at(const PlaneView &plane, unsigned y, unsigned x)
{
    return plane.bpc == 8 ? plane.row<std::uint8_t>(y)[x] : plane.row<std::uint16_t>(y)[x];
}

unsigned reflected(int index, unsigned size)
{
    if (index < 0)
        return static_cast<unsigned>(-index);
    const auto i = static_cast<unsigned>(index);
    return i < size ? i : i == size ? size - 2 : size - 3;
}

/// Steps 1 to 4 of spec motion 3 in 64 bits.
std::uint64_t direct_sad(const PlaneView &earlier, const PlaneView &current)
{
    constexpr std::int64_t kTaps[5] = {3571, 16004, 26386, 16004, 3571};
    const unsigned width = current.width_px, height = current.height_px;
    std::vector<std::int64_t> v(std::size_t{width} * height);
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x) {
            std::int64_t sum = std::int64_t{1} << (current.bpc - 1);
            for (int k = -2; k <= 2; ++k) {
                const unsigned row = reflected(static_cast<int>(y) + k, height);
                sum += kTaps[k + 2] * (sample_at(earlier, row, x) - sample_at(current, row, x));
            }
            v[std::size_t{y} * width + x] = sum >> current.bpc;
        }
    std::uint64_t sad = 0;
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x) {
            std::int64_t sum = 32768;
            for (int k = -2; k <= 2; ++k)
                sum += kTaps[k + 2] * v[std::size_t{y} * width + reflected(static_cast<int>(x) + k, width)];
            sad += static_cast<std::uint64_t>(std::abs(sum >> 16));
        }
    return sad;
}

std::uint64_t sad_of_pair(const PlaneView &earlier, const PlaneView &current, CpuTarget target)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, current.bpc, current.width_px, current.height_px};
    MotionSession session(format, {}, target);
    EXPECT_TRUE(session.feed(0, earlier).ok());
    EXPECT_TRUE(session.feed(1, current).ok());
    return session.sad(1);
}

struct Size {
    unsigned width, height;
};

TEST(Motion, EveryCpuTargetEqualsTheDirectComputation)
{
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<Size> sizes{{3, 3}, {3, 40}, {64, 3}, {257, 5}, {641, 7}};
    for (unsigned extra = 0; extra <= 17; ++extra)
        sizes.push_back({3 + extra, 3 + draw(random, 18)});
    for (const unsigned bpc : {8U, 9U, 10U, 12U, 14U, 15U, 16U})
        for (const Size size : sizes) {
            const unsigned max_sample = (1U << bpc) - 1;
            const RandomPlane earlier(size.width, size.height, bpc, max_sample, random);
            const RandomPlane current(size.width, size.height, bpc, max_sample, random);
            const std::uint64_t expected = direct_sad(earlier.view(), current.view());
            for (const CpuTarget target : targets())
                EXPECT_EQ(sad_of_pair(earlier.view(), current.view(), target), expected)
                    << bpc << " bits, " << size.width << "x" << size.height << ", target " << static_cast<int>(target);
        }
}

// Full contrast everywhere gives the largest value that each step can have.
TEST(Motion, HoldsTheLargestDifferences)
{
    std::mt19937 random(1);
    for (const unsigned bpc : {8U, 10U, 14U, 15U, 16U}) {
        RandomPlane dark(70000, 3, bpc, 0, random);
        RandomPlane bright(70000, 3, bpc, 0, random);
        for (unsigned y = 0; y < 3; ++y)
            for (unsigned x = 0; x < 70000; ++x) {
                const unsigned sample = (1U << bpc) - 1;
                auto *row = const_cast<std::byte *>(bright.view().row<std::byte>(y));
                std::memcpy(row + std::size_t{x} * (bpc > 8 ? 2 : 1), &sample, bpc > 8 ? 2 : 1);
            }
        const std::uint64_t up = direct_sad(dark.view(), bright.view());
        const std::uint64_t down = direct_sad(bright.view(), dark.view());
        for (const CpuTarget target : targets()) {
            EXPECT_EQ(sad_of_pair(dark.view(), bright.view(), target), up) << bpc;
            EXPECT_EQ(sad_of_pair(bright.view(), dark.view(), target), down) << bpc;
        }
    }
}

} // namespace
} // namespace vmaf
