// Differences that --self_test reports (spec cli 10.6).

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "selftest/score_difference.h"

namespace vmaf::tool {
namespace {

ScoreColumns scores()
{
    ScoreColumns columns;
    columns.frames = {0, 1};
    columns.metrics = {{"a", {1, std::nan("")}}, {"b", {50, 0.25}}};
    columns.aggregates = {{"c", 7}};
    return columns;
}

TEST(ScoreDifference, IsAnyBit)
{
    EXPECT_EQ(score_difference(scores(), scores(), 0), "");
    ScoreColumns device = scores();
    device.metrics[1].scores[1] = std::nextafter(0.25, 1);
    EXPECT_EQ(score_difference(device, scores(), 0), "b of frame 1 is 0.25000000000000006 instead of 0.25");
    device = scores();
    device.metrics[0].scores[1] = 0;
    EXPECT_TRUE(score_difference(device, scores(), 1).starts_with("a of frame 1 is 0 instead of "));
    device = scores();
    device.aggregates[0].value = -7;
    EXPECT_EQ(score_difference(device, scores(), 0), "c is -7 instead of 7");
}

TEST(ScoreDifference, LeavesRoomForTheTolerance)
{
    ScoreColumns device = scores();
    device.metrics[1].scores[1] = 0.2505;
    EXPECT_EQ(score_difference(device, scores(), 0.001), "");
    device.metrics[1].scores[1] = 0.2515;
    EXPECT_NE(score_difference(device, scores(), 0.001), "");
    device = scores();
    device.metrics[1].scores[0] = 50.04; // relative to large scores
    EXPECT_EQ(score_difference(device, scores(), 0.001), "");
    device.metrics[1].scores[0] = 50.06;
    EXPECT_NE(score_difference(device, scores(), 0.001), "");
    device.metrics[1].scores[0] = std::numeric_limits<double>::infinity();
    EXPECT_NE(score_difference(device, scores(), 0.001), "");
}

TEST(ScoreDifference, IsAMissingColumnOrFrame)
{
    ScoreColumns device = scores();
    device.metrics[0].name = "other";
    EXPECT_EQ(score_difference(device, scores(), 0), "there is no a");
    device = scores();
    device.metrics.pop_back();
    EXPECT_NE(score_difference(device, scores(), 0), "");
    device = scores();
    device.frames = {0, 2};
    EXPECT_NE(score_difference(device, scores(), 0), "");
    device = scores();
    device.aggregates.clear();
    EXPECT_NE(score_difference(device, scores(), 0), "");
}

} // namespace
} // namespace vmaf::tool
