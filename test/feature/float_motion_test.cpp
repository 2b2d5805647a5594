#include "feature/float_motion/float_motion.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>

#include "feature/feature_runner.h"
#include "feature/float_oracle.h"
#include "feature/recorded_scores.h"
#include "support/cpu_targets.h"
#include "support/random.h"

namespace vmaf::test {
namespace {

/// Does what the engine does for one registration: keeps the picture of the call before, finishes,
/// and advances.
class Session {
  public:
    Session(const PictureFormat &format, const Options &options, CpuTarget target = cpu_target(0))
        : feature_(kFloatMotion.create(parse_options(kFloatMotion, options).value())), format_(format),
          outputs_(feature_->outputs(format)), cpu_(feature_->make_cpu(format, target)),
          series_(feature_->make_clip_state(format)), scores_(outputs_)
    {
    }

    Status feed(unsigned index, const FramePlanes &picture)
    {
        FramePlanes planes = picture;
        planes.earlier[0] = previous_;
        planes.frame_index = index;
        previous_ = picture;
        FloatMotionSums sums{};
        VMAF_TRY(cpu_->extract(planes, &sums));
        finish(index, sums);
        return {};
    }
    void finish(unsigned index, const FloatMotionSums &sums)
    {
        std::vector<double> frame_scores(outputs_.size());
        feature_->finish(&sums, format_, frame_scores);
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            if (outputs_[i].kind == OutputKind::frame)
                scores_.write(i, index, frame_scores[i]);
        if (!series_)
            return;
        series_->reserve(index);
        series_->add(sums.frame_index, sums.frame_index, &sums);
        series_->advance(scores_);
    }
    void flush()
    {
        if (series_) {
            EXPECT_TRUE(series_->flush(scores_).ok());
        }
    }

    /// "motion", "motion2" or "motion3"
    std::optional<double> score(const std::string &name, unsigned index) const
    {
        return scores_.at("VMAF_feature_" + name + "_score", index);
    }

  private:
    std::unique_ptr<Feature> feature_;
    PictureFormat format_;
    std::vector<OutputSpec> outputs_;
    std::unique_ptr<CpuExtractor> cpu_;
    std::unique_ptr<ClipState> series_;
    RecordedScores scores_;
    PairOf<PlaneView> previous_;
};

Session run_clip(const char *name, const Options &options)
{
    const Clip &clip = Clip::get(name);
    Session session(clip.format(), options);
    for (unsigned i = 0; i < clip.spec().frames; ++i)
        EXPECT_TRUE(session.feed(i, planes_of(clip, i)).ok());
    session.flush();
    return session;
}

// The table of spec motion 7: motion, motion2, motion3.
struct ExpectedClip {
    const char *name;
    std::vector<std::array<double, 3>> frames;
};
const std::vector<ExpectedClip> kExpected{
    {"tiles_176x144_8",
     {
         {0, 0, 11.473328590393066},
         {11.473328590393066, 11.334532737731934, 11.334532737731934},
         {11.334532737731934, 11.334532737731934, 11.334532737731934},
         {11.541157722473145, 11.412783622741699, 11.412783622741699},
         {11.412783622741699, 11.412783622741699, 11.412783622741699},
     }},
    {"tiles_177x145_8",
     {
         {0, 0, 11.48391056060791},
         {11.48391056060791, 11.387661933898926, 11.387661933898926},
         {11.387661933898926, 11.387661933898926, 11.387661933898926},
         {11.467776298522949, 11.467776298522949, 11.467776298522949},
     }},
    {"tiles_352x288_10",
     {
         {0, 0, 11.433784484863281},
         {11.433784484863281, 11.406920433044434, 11.406920433044434},
         {11.406920433044434, 11.400056838989258, 11.400056838989258},
         {11.400056838989258, 11.400056838989258, 11.400056838989258},
         {11.565715789794922, 11.565715789794922, 11.565715789794922},
     }},
    {"tiles_256x192_12",
     {
         {0, 0, 11.307701110839844},
         {11.307701110839844, 11.307701110839844, 11.307701110839844},
         {11.382278442382812, 11.382278442382812, 11.382278442382812},
     }},
    {"tiles_256x192_16",
     {
         {0, 0, 11.307705879211426},
         {11.307705879211426, 11.307705879211426, 11.307705879211426},
         {11.38219165802002, 11.38219165802002, 11.38219165802002},
     }},
    {"noise_176x144_8",
     {
         {0, 0, 24.758058547973633},
         {24.758058547973633, 24.246158599853516, 24.246158599853516},
         {24.246158599853516, 24.246158599853516, 24.246158599853516},
     }},
};

TEST(FloatMotion, ScoresEqualCheckValues)
{
    for (const ExpectedClip &clip : kExpected) {
        const Session session = run_clip(clip.name, {});
        for (unsigned i = 0; i < clip.frames.size(); ++i) {
            SCOPED_TRACE(testing::Message() << clip.name << " frame " << i);
            EXPECT_EQ(session.score("motion", i), clip.frames[i][0]);
            EXPECT_EQ(session.score("motion2", i), clip.frames[i][1]);
            EXPECT_EQ(session.score("motion3", i), clip.frames[i][2]);
        }
    }
}

/// spec motion 7, step 2
std::vector<float> taps(int size)
{
    if (size == 1)
        return {1};
    if (size == 3)
        return {0.166378498F, 0.667243004F, 0.166378498F};
    return {0.054488685F, 0.244201342F, 0.402619947F, 0.244201342F, 0.054488685F};
}

/// spec motion 7, step 3
float mean_difference(const FloatImage &a, const FloatImage &b)
{
    FloatImage difference(a.width, a.height);
    for (std::size_t i = 0; i < difference.values.size(); ++i)
        difference.values[i] = std::fabs(a.values[i] - b.values[i]);
    return ordered_sum(difference) / static_cast<float>(a.width * a.height);
}

/// One output position of spec motion 7, step 4, along an axis.
struct HalfPosition {
    int first, second;
    float offset;
};
HalfPosition half_position(int x, int size, int half_size)
{
    const float ratio = static_cast<float>(size) / static_cast<float>(half_size);
    const float f = static_cast<float>((x + 0.5) * static_cast<double>(ratio) - 0.5);
    const int first = static_cast<int>(std::floor(f)), second = static_cast<int>(std::ceil(f));
    return {first, std::min(second, size - 1), f - static_cast<float>(first)};
}

FloatImage halved(const FloatImage &image)
{
    FloatImage half(static_cast<int>(image.width * 0.5 + 0.5), static_cast<int>(image.height * 0.5 + 0.5));
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x) {
            const HalfPosition h = half_position(x, image.width, half.width),
                               v = half_position(y, image.height, half.height);
            const float dx = h.offset, dy = v.offset;
            half.at(x, y) = (1 - dy) * (1 - dx) * image.at(h.first, v.first) +
                            (1 - dy) * dx * image.at(h.second, v.first) + dy * (1 - dx) * image.at(h.first, v.second) +
                            dy * dx * image.at(h.second, v.second);
        }
    return half;
}

float plane_motion(const PlaneView &earlier, const PlaneView &current, int filter_size, bool add_half)
{
    const FloatImage a = low_passed(float_image(earlier), taps(filter_size));
    const FloatImage b = low_passed(float_image(current), taps(filter_size));
    const float motion = mean_difference(a, b);
    return add_half ? motion + mean_difference(halved(a), halved(b)) : motion;
}

TestPicture noise(const PictureFormat &format, Random &random)
{
    TestPicture picture(format);
    picture.fill([&](unsigned, unsigned, unsigned) { return random.below(1U << format.bpc); });
    return picture;
}

struct Measures {
    int filter_size;
    bool add_half;
    bool add_chroma;

    Options options() const
    {
        return {{"motion_filter_size", std::to_string(filter_size)},
                {"motion_add_scale1", add_half ? "true" : "false"},
                {"motion_add_uv", add_chroma ? "true" : "false"}};
    }
};

void expect_oracle_motion(const PictureFormat &format, const Measures &measures, Random &random)
{
    SCOPED_TRACE(random.seed() << " " << format.width << "x" << format.height << " " << format.bpc << " bits, size "
                               << measures.filter_size << " half " << measures.add_half << " chroma "
                               << measures.add_chroma);
    const TestPicture earlier = noise(format, random), current = noise(format, random);
    double expected = 0;
    for (unsigned plane = 0; plane < (measures.add_chroma ? 3U : 1U); ++plane)
        expected += static_cast<double>(
            plane_motion(earlier.plane(plane), current.plane(plane), measures.filter_size, measures.add_half));
    for (const CpuTarget target : targets()) {
        Session session(format, measures.options(), target);
        EXPECT_TRUE(session.feed(0, planes_of(earlier, earlier)).ok());
        EXPECT_TRUE(session.feed(1, planes_of(current, earlier)).ok());
        EXPECT_EQ(session.score("motion", 1), expected) << static_cast<int>(target);
    }
}

TEST(FloatMotion, EqualsOracleAtEverySizeFromTheSmallest)
{
    Random random;
    constexpr std::array depths{8U, 10U, 12U, 16U};
    for (unsigned i = 0; i < 18; ++i)
        expect_oracle_motion({VMAF_PIX_FMT_YUV400P, depths[i % depths.size()], 3 + i, 20 - i}, {5, false, false},
                             random);
}

TEST(FloatMotion, EqualsOracleForEveryMeasure)
{
    Random random;
    for (const int filter_size : {0, 1, 2, 3, 5, 9})
        for (const bool add_half : {false, true})
            for (const bool add_chroma : {false, true})
                for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
                    expect_oracle_motion({pix_fmt, 8, 9 + random.below(30), 8 + random.below(30)},
                                         {filter_size, add_half, add_chroma}, random);
}

/// Sums with which the frame gets m: the plane has 8 x 8 pixels.
FloatMotionSums sums_of_mean(unsigned index, float mean)
{
    FloatMotionSums sums{};
    sums.difference[0][0] = mean * 64;
    sums.frame_index = index;
    return sums;
}
constexpr PictureFormat kTiny{VMAF_PIX_FMT_YUV400P, 8, 8, 8};

// spec motion 7, step 6
TEST(FloatMotion, WeighsLimitsAndBlends)
{
    Session session(kTiny, {{"motion_fps_weight", "0.5"},
                            {"motion_max_val", "9"},
                            {"motion_blend_factor", "0.25"},
                            {"motion_blend_offset", "4"}});
    constexpr std::array means{0.0F, 16.0F, 24.0F, 6.0F};
    for (unsigned i = 0; i < means.size(); ++i)
        session.finish(i, sums_of_mean(i, means[i]));
    session.flush();
    const auto row = [&](const char *name) {
        std::vector<double> values;
        for (unsigned i = 0; i < means.size(); ++i)
            values.push_back(session.score(name, i).value_or(-1));
        return values;
    };
    EXPECT_EQ(row("motion"), (std::vector<double>{0, 8, 9, 3}));
    EXPECT_EQ(row("motion2"), (std::vector<double>{0, 8, 3, 3}));
    // P(x) = 0.25 x + 0.75 min(4, x), x = 8, 8, 3, 3. If the limit of 9 on x = 24 * 0.5 came first,
    // it would show.
    EXPECT_EQ(row("motion3"), (std::vector<double>{5, 5, 3, 3}));
}

TEST(FloatMotion, BlendsWhatTheLimitCutsOffTheOtherScores)
{
    Session session(kTiny, {{"motion_max_val", "9"}, {"motion_blend_factor", "0.25"}, {"motion_blend_offset", "4"}});
    for (unsigned i = 0; i < 3; ++i)
        session.finish(i, sums_of_mean(i, i == 0 ? 0 : 16));
    session.flush();
    EXPECT_EQ(session.score("motion2", 1), 9);
    EXPECT_EQ(session.score("motion3", 1), 0.25 * 16 + 0.75 * 4);
}

// spec motion 7, step 7
TEST(FloatMotion, ScoresComeWithTheFramesThatDetermineThem)
{
    Session session(kTiny, {});
    session.finish(0, sums_of_mean(0, 0));
    EXPECT_EQ(session.score("motion", 0), 0);
    EXPECT_EQ(session.score("motion2", 0), 0);
    EXPECT_EQ(session.score("motion3", 0), std::nullopt);
    session.finish(1, sums_of_mean(1, 3));
    EXPECT_EQ(session.score("motion3", 0), 3);
    EXPECT_EQ(session.score("motion2", 1), std::nullopt);
    session.finish(2, sums_of_mean(2, 2));
    EXPECT_EQ(session.score("motion2", 1), 2);
    EXPECT_EQ(session.score("motion3", 1), 2);
    EXPECT_EQ(session.score("motion2", 2), std::nullopt);
    session.flush();
    EXPECT_EQ(session.score("motion2", 2), 2);
    EXPECT_EQ(session.score("motion3", 2), 2);
}

TEST(FloatMotion, FramesMayFinishInAnyOrder)
{
    Session session(kTiny, {});
    for (const unsigned i : {2U, 0U, 3U, 1U})
        session.finish(i, sums_of_mean(i, static_cast<float>(i)));
    session.flush();
    for (unsigned i = 1; i < 4; ++i)
        EXPECT_EQ(session.score("motion2", i), i) << i;
    EXPECT_EQ(session.score("motion3", 0), 1);
}

TEST(FloatMotion, OneFrameScores0)
{
    Session session(kTiny, {});
    session.finish(0, sums_of_mean(0, 0));
    session.flush();
    for (const char *name : {"motion", "motion2", "motion3"})
        EXPECT_EQ(session.score(name, 0), 0) << name;
}

TEST(FloatMotion, ForceZeroScoresEveryFrame0WithoutPictures)
{
    Session session(kTiny, {{"motion_force_zero", "true"}});
    for (const unsigned i : {0U, 7U}) {
        EXPECT_TRUE(session.feed(i, {}).ok());
        for (const char *name : {"motion", "motion2", "motion3"})
            EXPECT_EQ(session.score(name, i), 0) << name;
    }
    const auto feature = kFloatMotion.create(parse_options(kFloatMotion, {{"motion_force_zero", "true"}}).value());
    EXPECT_FALSE(feature->window(kTiny).pair.any());
    EXPECT_EQ(feature->window(kTiny).look_back(), 0U);
}

TEST(FloatMotion, NeedsThePictureBefore)
{
    Session session(kTiny, {});
    Random random;
    const TestPicture picture = noise(kTiny, random);
    EXPECT_EQ(session.feed(3, planes_of(picture, picture)).code(), -EINVAL);
    EXPECT_TRUE(session.feed(4, planes_of(picture, picture)).ok());
    EXPECT_EQ(session.score("motion", 4), 0);
}

TEST(FloatMotion, NamesOutputs)
{
    const auto names = [](const Options &options) { return output_names(kFloatMotion, options, kTiny); };
    const std::string motion = "VMAF_feature_motion_score", motion2 = "VMAF_feature_motion2_score",
                      motion3 = "VMAF_feature_motion3_score";
    EXPECT_EQ(names({}), (std::vector{motion, motion2, motion3}));
    EXPECT_EQ(names({{"debug", "false"}}), (std::vector{motion2, motion3}));
    EXPECT_EQ(names({{"motion_force_zero", "true"}}), (std::vector{motion2, motion3, motion}));
    const OptionValues values = parse_options(kFloatMotion, {{"motion_max_val", "18"},
                                                             {"motion_fps_weight", "0.5"},
                                                             {"motion_force_zero", "true"},
                                                             {"motion_filter_size", "3"},
                                                             {"motion_blend_offset", "5"},
                                                             {"motion_blend_factor", "0.5"},
                                                             {"motion_add_uv", "true"},
                                                             {"motion_add_scale1", "true"},
                                                             {"debug", "false"}})
                                    .value();
    EXPECT_EQ(values.output_name(motion2), "motion2_mdc_mau_mbf_0.5_mbo_5_mfs_3_force_0_mfw_0.5_mmxv_18");
}

TEST(FloatMotion, RefusesAtTheStartWhatItCannotMeasure)
{
    const auto error = [](const Options &options, const PictureFormat &format) {
        return kFloatMotion.create(parse_options(kFloatMotion, options).value())->check_format(format).code();
    };
    EXPECT_EQ(error({{"motion_add_uv", "true"}}, {VMAF_PIX_FMT_YUV400P, 8, 64, 64}), -EINVAL);
    EXPECT_EQ(error({{"motion_add_uv", "true"}}, {VMAF_PIX_FMT_YUV420P, 8, 64, 64}), 0);
    EXPECT_EQ(error({{"motion_add_scale1", "true"}}, {VMAF_PIX_FMT_YUV420P, 8, 15360, 64}), 0);
    EXPECT_EQ(error({{"motion_add_scale1", "true"}}, {VMAF_PIX_FMT_YUV420P, 8, 15361, 64}), -EINVAL);
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        EXPECT_EQ(error({}, {VMAF_PIX_FMT_YUV420P, bpc, 64, 64}),
                  bpc == 8 || bpc == 10 || bpc == 12 || bpc == 16 ? 0 : -EINVAL)
            << bpc;
    EXPECT_EQ(kFloatMotion.min_width_px, 3U);
    EXPECT_EQ(kFloatMotion.min_height_px, 3U);
    EXPECT_NE(kFloatMotion.sees_every_frame, 0);
    for (const Options &options : {Options{{"motion_filter_size", "10"}}, Options{{"motion_fps_weight", "6"}},
                                   Options{{"motion_add_uv", "1"}}, Options{{"debug", "0"}}})
        EXPECT_EQ(parse_options(kFloatMotion, options).status().code(), -EINVAL) << options[0].first;
}

} // namespace
} // namespace vmaf::test
