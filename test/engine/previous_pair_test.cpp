#include <gtest/gtest.h>

#include <cerrno>

#include "support/session.h"

// speed_temporal compares each frame with the pair that was fed before it (spec speed 4). The
// engine keeps both pictures of that pair.

namespace vmaf::test {
namespace {

constexpr const char *kOutput = "Speed_temporal_feature_speed_temporal_score";
constexpr const char *kClip = "tiles_352x288_10";
constexpr double kFrame1 = 7.4550747871398926, kFrame2 = 6.5612139701843262; // spec speed 6.2

double score(const Context &context, unsigned index)
{
    double value = -1;
    EXPECT_EQ(vmaf_feature_score_at_index(context.get(), kOutput, &value, index), 0) << index;
    return value;
}

Context session(unsigned n_threads, unsigned n_subsample = 0)
{
    Context context = open_context(n_threads, n_subsample);
    EXPECT_EQ(vmaf_use_feature(context.get(), "speed_temporal", nullptr), 0);
    return context;
}

TEST(PreviousPair, ScoresAreEqualForAnyNumberOfThreadsAndSubsampling)
{
    const Clip &clip = Clip::get(kClip);
    for (const unsigned n_threads : {0U, 1U, 4U})
        for (const unsigned n_subsample : {0U, 2U}) {
            const Context context = session(n_threads, n_subsample);
            ASSERT_EQ(feed_all(context.get(), clip), 0);
            EXPECT_EQ(score(context, 0), 0);
            EXPECT_EQ(score(context, 1), kFrame1) << n_threads;
            EXPECT_EQ(score(context, 2), kFrame2) << n_threads;
        }
}

TEST(PreviousPair, ScoresExistAsSoonAsTheFrameIsRead)
{
    const Clip &clip = Clip::get(kClip);
    const Context context = session(2);
    for (unsigned frame = 0; frame < 3; ++frame)
        ASSERT_EQ(feed(context.get(), clip, frame, frame), 0);
    EXPECT_EQ(score(context, 2), kFrame2);
}

TEST(PreviousPair, IndicesMayHaveGapsAndStartAnywhere)
{
    const Clip &clip = Clip::get(kClip);
    const Context context = session(0);
    const unsigned indices[] = {5, 3, 20};
    for (unsigned frame = 0; frame < 3; ++frame)
        ASSERT_EQ(feed(context.get(), clip, frame, indices[frame]), 0);
    EXPECT_EQ(score(context, 5), 0);
    EXPECT_EQ(score(context, 3), kFrame1);
    EXPECT_EQ(score(context, 20), kFrame2);
}

// A feature that is registered late sees later frames only, even if the engine keeps earlier ones
// for other features (spec abi 3.4).
TEST(PreviousPair, AFeatureRegisteredLateStartsWithNothing)
{
    const Clip &clip = Clip::get(kClip);
    const Context context = open_context(0);
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "speed_use_ref_diff", "true"), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "speed_temporal", options), 0);
    ASSERT_EQ(feed(context.get(), clip, 0, 0), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "speed_temporal", nullptr), 0);
    ASSERT_EQ(feed(context.get(), clip, 1, 1), 0);
    ASSERT_EQ(feed(context.get(), clip, 2, 2), 0);
    EXPECT_EQ(score(context, 1), 0);
    EXPECT_EQ(score(context, 2), kFrame2);
    double early = -1;
    ASSERT_EQ(vmaf_feature_score_at_index(context.get(), "speed_temporal_urd", &early, 1), 0);
    EXPECT_EQ(early, 5.1917552947998047); // spec speed 6.2
}

TEST(PreviousPair, TooSmallPicturesFailFromTheFirstRead)
{
    const Context context = session(0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "speed_chroma", nullptr), 0);
    for (unsigned index = 0; index < 2; ++index)
        EXPECT_EQ(feed(context.get(), Clip::get("tiles_176x144_8"), 0, index), -EINVAL);
}

} // namespace
} // namespace vmaf::test
