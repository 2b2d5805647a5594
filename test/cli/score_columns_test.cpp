#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "scores/score_columns.h"
#include "support/session.h"

namespace vmaf::tool {
namespace {

TEST(ScoreColumns, AreTheLibrarysAndHoldInfiniteScores)
{
    const test::Context context = test::open_context(0);
    ASSERT_EQ(vmaf_import_feature_score(context.get(), "psnr_y", 30.125, 0), 0);
    ASSERT_EQ(vmaf_import_feature_score(context.get(), "vmaf", 90, 0), 0);
    ASSERT_EQ(vmaf_import_feature_score(context.get(), "psnr_y", std::numeric_limits<double>::infinity(), 5), 0);
    ASSERT_EQ(vmaf_import_feature_score(context.get(), "motion", 0.1, 5), 0);
    const ScoreColumns columns = score_columns(context.get());
    std::vector<std::string> names;
    for (const ScoreColumn &column : columns.metrics)
        names.push_back(column.name);
    EXPECT_EQ(names, (std::vector<std::string>{"psnr_y", "vmaf", "motion"}));
    EXPECT_EQ(columns.frames, (std::vector{0U, 5U}));
    for (const ScoreColumn &column : columns.metrics)
        ASSERT_EQ(column.scores.size(), 2U) << column.name;
    EXPECT_EQ(columns.metrics[0].scores[0], 30.125);
    EXPECT_EQ(columns.metrics[0].scores[1], std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(columns.metrics[2].scores[0])) << "not there";
    EXPECT_EQ(columns.metrics[2].scores[1], 0.1);
}

TEST(ScoreColumns, HoldAggregates)
{
    const test::Context context = test::open_context(0);
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "enable_apsnr", "true"), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "psnr", options), 0);
    ASSERT_EQ(test::feed(context.get(), test::Clip::get("tiles_176x144_8"), 0, 0), 0);
    ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    const ScoreColumns columns = score_columns(context.get());
    ASSERT_EQ(columns.aggregates.size(), 3U);
    EXPECT_EQ(columns.aggregates[0].name, "apsnr_y");
    EXPECT_NEAR(columns.aggregates[0].value, columns.metric("psnr_y")->scores[0], 1e-6) << "of one frame";
}

TEST(ScoreColumns, KnowWhichScoresAreBetter)
{
    const test::Context context = test::open_context(0);
    for (const char *name : {"vmaf", "Cambi_feature_cambi_score", "butteraugli_max", "motion2", "mse_y"})
        ASSERT_EQ(vmaf_import_feature_score(context.get(), name, 1, 0), 0) << name;
    std::map<std::string, VmafDirection> better;
    for (const ScoreColumn &column : score_columns(context.get()).metrics)
        better[column.name] = column.better;
    EXPECT_EQ(better, (std::map<std::string, VmafDirection>{{"vmaf", VMAF_DIRECTION_HIGHER},
                                                            {"cambi", VMAF_DIRECTION_LOWER},
                                                            {"butteraugli_max", VMAF_DIRECTION_LOWER},
                                                            {"motion2", VMAF_DIRECTION_NONE},
                                                            {"mse_y", VMAF_DIRECTION_LOWER}}));
}

TEST(ScoreColumns, InfiniteOnesAreCountedBesideTheClipsOwnValue)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ScoreColumns columns;
    columns.frames = {0, 1, 2};
    columns.metrics = {{"xpsnr_y", {kInfinity, 11.5, kInfinity}},
                       {"psnr_hvs", {kInfinity, 1, 2}},
                       {"xpsnr_cb", {kInfinity, kInfinity, kInfinity}},
                       {"vmaf", {1, 2, std::numeric_limits<double>::quiet_NaN()}}};
    columns.aggregates = {{"axpsnr_y", 39.5}};
    EXPECT_EQ(notes_of_infinite_scores(columns),
              (std::vector<std::string>{"xpsnr_y is infinite in 2 of 3 frames, and so is its mean; axpsnr_y, of the "
                                        "whole clip, is 39.5000",
                                        "psnr_hvs is infinite in 1 of 3 frames, and so is its mean"}));
}

TEST(ScoreColumns, AreFoundByName)
{
    ScoreColumns columns;
    columns.metrics = {{"a", {}}, {"vmaf", {}}};
    columns.aggregates = {{"apsnr_y", 1}, {"apsnr_cb", 2}};
    EXPECT_EQ(columns.metric("vmaf"), &columns.metrics[1]);
    EXPECT_EQ(columns.aggregate("apsnr_cb"), &columns.aggregates[1]);
    EXPECT_EQ(columns.metric("apsnr_y"), nullptr);
    EXPECT_EQ(columns.aggregate("vmaf"), nullptr);
}

TEST(ScoreColumns, OfASessionWithoutScoresAreEmpty)
{
    const ScoreColumns columns = score_columns(test::open_context(0).get());
    EXPECT_TRUE(columns.frames.empty());
    EXPECT_TRUE(columns.metrics.empty());
    EXPECT_TRUE(columns.aggregates.empty());
}

} // namespace
} // namespace vmaf::tool
