#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "client.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::test {
namespace {

struct DestroyColumns {
    void operator()(VmafScoreColumns *columns) const { vmaf_score_columns_destroy(columns); }
};
using Columns = std::unique_ptr<VmafScoreColumns, DestroyColumns>;

Columns columns_of(VmafContext *vmaf)
{
    VmafScoreColumns *columns = nullptr;
    EXPECT_EQ(vmaf_score_columns_create(vmaf, &columns), 0);
    return Columns(columns);
}

std::vector<std::string> names_of(const VmafScoreColumns &columns)
{
    return {columns.metric_names, columns.metric_names + columns.metric_count};
}

std::vector<unsigned> frames_of(const VmafScoreColumns &columns)
{
    return {columns.frames, columns.frames + columns.frame_count};
}

TEST(ScoreColumnsContract, HaveTheColumnsOfScoreFilesAndTheScoresOfTheGetters)
{
    constexpr unsigned kFrames = 4;
    const OpenContext vmaf;
    const BuiltinModel model("vmaf_v0.6.1");
    ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
    ASSERT_EQ(use_feature(vmaf, "psnr", {{"enable_apsnr", "true"}}), 0);
    read_clip(vmaf, Clip::get("tiles_176x144_8"), kFrames);
    ASSERT_EQ(flush(vmaf), 0);
    double predicted[kFrames];
    for (unsigned frame = 0; frame < kFrames; ++frame)
        ASSERT_EQ(vmaf_score_at_index(vmaf, model, &predicted[frame], frame), 0);

    const Columns columns = columns_of(vmaf);
    EXPECT_EQ(names_of(*columns), csv_columns(vmaf));
    EXPECT_EQ(frames_of(*columns), (std::vector{0U, 1U, 2U, 3U}));
    unsigned predictions = 0;
    for (unsigned i = 0; i < columns->metric_count; ++i) {
        const std::string name = columns->metric_names[i];
        for (unsigned frame = 0; frame < kFrames; ++frame) {
            if (name == "vmaf")
                EXPECT_EQ(columns->metric_scores[i][frame], predicted[frame]) << frame;
            else if (name.starts_with("psnr")) // other features have other names in files than in getters
                EXPECT_EQ(columns->metric_scores[i][frame], score_of(vmaf, name.c_str(), frame)) << name << frame;
            else
                EXPECT_TRUE(std::isfinite(columns->metric_scores[i][frame])) << name << frame;
        }
        predictions += name == "vmaf";
    }
    EXPECT_EQ(predictions, 1U);
    ASSERT_EQ(columns->aggregate_count, 3U);
    EXPECT_STREQ(columns->aggregate_names[0], "apsnr_y");
    EXPECT_NEAR(columns->aggregates[0], score_of(vmaf, "psnr_y", 0), 10);
}

TEST(ScoreColumnsContract, HaveNoScoreWhereAFrameHasNone)
{
    const OpenContext vmaf;
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "a", 1.5, 7), 0);
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "b", -2.5, 7), 0);
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "b", std::numeric_limits<double>::infinity(), 100000), 0);
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "a", 3.5, 2), 0);
    const Columns columns = columns_of(vmaf);
    EXPECT_EQ(names_of(*columns), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(frames_of(*columns), (std::vector{2U, 7U, 100000U}));
    EXPECT_EQ(columns->metric_scores[0][0], 3.5);
    EXPECT_EQ(columns->metric_scores[0][1], 1.5);
    EXPECT_TRUE(std::isnan(columns->metric_scores[0][2]));
    EXPECT_TRUE(std::isnan(columns->metric_scores[1][0]));
    EXPECT_EQ(columns->metric_scores[1][1], -2.5);
    EXPECT_EQ(columns->metric_scores[1][2], std::numeric_limits<double>::infinity());
}

TEST(ScoreColumnsContract, HaveTheRowsThatSubsamplingCounts)
{
    const OpenContext vmaf(0, 3);
    for (unsigned frame = 0; frame < 8; ++frame)
        ASSERT_EQ(vmaf_import_feature_score(vmaf, "a", frame, frame), 0);
    const Columns columns = columns_of(vmaf);
    EXPECT_EQ(frames_of(*columns), (std::vector{0U, 3U, 6U}));
    EXPECT_EQ(columns->metric_scores[0][2], 6);
}

TEST(ScoreColumnsContract, HaveNamesInUtf8)
{
    const OpenContext vmaf;
    for (const char *name : {"\xff\xc3\xa9\xc3", "plain", ""})
        ASSERT_EQ(vmaf_import_feature_score(vmaf, name, 1, 0), 0);
    EXPECT_EQ(names_of(*columns_of(vmaf)), (std::vector<std::string>{"\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd", "plain", ""}));
}

TEST(ScoreColumnsContract, AreTheClientsOwn)
{
    OpenContext vmaf;
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "a", 1, 0), 0);
    const Columns columns = columns_of(vmaf);
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "a", 2, 1), 0);
    EXPECT_EQ(columns->frame_count, 1U) << "they do not follow";
    ASSERT_EQ(vmaf.close(), 0);
    EXPECT_EQ(columns->metric_scores[0][0], 1);
    EXPECT_STREQ(columns->metric_names[0], "a");
}

TEST(ScoreColumnsContract, OfAContextWithoutScoresAreEmpty)
{
    const OpenContext vmaf;
    const Columns columns = columns_of(vmaf);
    EXPECT_EQ(columns->frame_count, 0U);
    EXPECT_EQ(columns->metric_count, 0U);
    EXPECT_EQ(columns->aggregate_count, 0U);
}

TEST(ScoreColumnsContract, WaitForFramesThatWereRead)
{
    constexpr unsigned kFrames = 5;
    const OpenContext vmaf(3);
    ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
    read_clip(vmaf, Clip::get("tiles_176x144_8"), kFrames);
    const Columns columns = columns_of(vmaf);
    ASSERT_EQ(columns->frame_count, kFrames);
    for (unsigned i = 0; i < columns->metric_count; ++i)
        for (unsigned frame = 0; frame < kFrames; ++frame)
            EXPECT_FALSE(std::isnan(columns->metric_scores[i][frame])) << i << " " << frame;
}

TEST(ScoreColumnsContract, RefuseNull)
{
    const OpenContext vmaf;
    EXPECT_EQ(vmaf_score_columns_create(vmaf, nullptr), -EINVAL);
    VmafScoreColumns other{};
    VmafScoreColumns *columns = &other;
    EXPECT_EQ(vmaf_score_columns_create(nullptr, &columns), -EINVAL);
    EXPECT_EQ(columns, nullptr);
    vmaf_score_columns_destroy(nullptr);
}

} // namespace
} // namespace vmaf::test
