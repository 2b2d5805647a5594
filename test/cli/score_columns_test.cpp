#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "common/failure.h"
#include "report/score_columns.h"

namespace vmaf::tool {
namespace {

/// As the library lays it out (spec abi 6): a delayed column begins in a later row than its place in pooled_metrics says.
constexpr const char *kScores = R"({
  "version": "3.2.0", "fps": null,
  "frames": [
    {"frameNum": 0, "metrics": {"psnr_y": 30.125, "vmaf": 90}},
    {"frameNum": 5, "metrics": {"psnr_y": null, "motion": 0.10000000000000001, "vmaf": -1}},
    {"frameNum": 10, "metrics": {"motion": 2.5e-3}}
  ],
  "pooled_metrics": {
    "psnr_y": {"min": 1, "max": 2, "mean": 3, "harmonic_mean": 4}, "motion": {}, "vmaf": {"mean": 5}, "late": {}
  },
  "aggregate_metrics": {"apsnr_y": 33.25, "apsnr_cb": null}
})";

TEST(ScoreColumns, HaveTheNamesAndOrderOfTheFile)
{
    const ScoreColumns columns = parse_score_columns(kScores);
    std::vector<std::string> names;
    for (const ScoreColumn &column : columns.metrics)
        names.push_back(column.name);
    EXPECT_EQ(names, (std::vector<std::string>{"psnr_y", "motion", "vmaf", "late"}));
    EXPECT_EQ(columns.frames, (std::vector{0U, 5U, 10U}));
}

TEST(ScoreColumns, HoldEachScoreInItsFramesRow)
{
    const ScoreColumns columns = parse_score_columns(kScores);
    ASSERT_EQ(columns.metrics.size(), 4U);
    for (const ScoreColumn &column : columns.metrics)
        EXPECT_EQ(column.scores.size(), 3U) << column.name;
    EXPECT_EQ(columns.metrics[0].scores[0], 30.125);
    EXPECT_TRUE(std::isnan(columns.metrics[0].scores[1])) << "not finite";
    EXPECT_TRUE(std::isnan(columns.metrics[0].scores[2])) << "not there";
    EXPECT_TRUE(std::isnan(columns.metrics[1].scores[0]));
    EXPECT_EQ(columns.metrics[1].scores[1], 0.1);
    EXPECT_EQ(columns.metrics[1].scores[2], 0.0025);
    EXPECT_EQ(columns.metrics[2].scores[0], 90);
    EXPECT_EQ(columns.metrics[2].scores[1], -1);
    EXPECT_TRUE(std::isnan(columns.metrics[3].scores[0]));
}

TEST(ScoreColumns, HoldAggregates)
{
    const ScoreColumns columns = parse_score_columns(kScores);
    ASSERT_EQ(columns.aggregates.size(), 2U);
    EXPECT_EQ(columns.aggregates[0].name, "apsnr_y");
    EXPECT_EQ(columns.aggregates[0].value, 33.25);
    EXPECT_TRUE(std::isnan(columns.aggregates[1].value));
}

TEST(ScoreColumns, AreFoundByName)
{
    const ScoreColumns columns = parse_score_columns(kScores);
    EXPECT_EQ(columns.metric("vmaf"), &columns.metrics[2]);
    EXPECT_EQ(columns.aggregate("apsnr_cb"), &columns.aggregates[1]);
    EXPECT_EQ(columns.metric("apsnr_y"), nullptr);
    EXPECT_EQ(columns.aggregate("vmaf"), nullptr);
}

TEST(ScoreColumns, OfASessionWithoutScoresAreEmpty)
{
    const ScoreColumns columns =
        parse_score_columns(R"({"frames": [], "pooled_metrics": {}, "aggregate_metrics": {}})");
    EXPECT_TRUE(columns.frames.empty());
    EXPECT_TRUE(columns.metrics.empty());
    EXPECT_TRUE(columns.aggregates.empty());
}

TEST(ScoreColumns, TakeAMillionFrames)
{
    constexpr unsigned kFrames = 1'000'000;
    std::string json = "{\"frames\": [";
    for (unsigned i = 0; i < kFrames; ++i)
        json += (i > 0 ? ",{\"frameNum\": " : "{\"frameNum\": ") + std::to_string(i) +
                ", \"metrics\": {\"a\": " + std::to_string(i % 97) + ".5}}";
    json += "], \"pooled_metrics\": {\"a\": {}}, \"aggregate_metrics\": {}}";
    const ScoreColumns columns = parse_score_columns(json);
    ASSERT_EQ(columns.frames.size(), kFrames);
    ASSERT_EQ(columns.metrics.size(), 1U);
    EXPECT_EQ(columns.metrics[0].scores[kFrames - 1], (kFrames - 1) % 97 + 0.5);
}

TEST(ScoreColumns, OfABrokenTextAreAFailure)
{
    EXPECT_THROW(parse_score_columns("{\"frames\": ["), Failure);
    EXPECT_THROW(parse_score_columns(""), Failure);
}

} // namespace
} // namespace vmaf::tool
