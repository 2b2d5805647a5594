#include "engine/score_table.h"

#include <gtest/gtest.h>

#include <climits>

namespace vmaf {
namespace {

std::vector<std::string> names(const ScoreTable &table, std::uint64_t flush_call)
{
    std::vector<std::string> list;
    for (const ScoreColumn *column : table.ordered_columns(flush_call))
        list.push_back(column->stored_name());
    return list;
}

using Names = std::vector<std::string>;

TEST(ScoreTable, KeepsTheFirstScoreOfAnIndex)
{
    ScoreTable table;
    ScoreColumn &column = table.column("a");
    EXPECT_TRUE(table.append(column, 3, 1.5, {}).ok());
    EXPECT_EQ(table.append(column, 3, 2.5, {}).code(), -EINVAL);
    EXPECT_EQ(column.at(3), 1.5);
    EXPECT_FALSE(column.at(2));
    EXPECT_FALSE(column.at(4));
}

TEST(ScoreTable, TakesHugeIndicesSparsely)
{
    ScoreTable table;
    ScoreColumn &column = table.column("a");
    EXPECT_EQ(table.append(column, UINT_MAX, 1, {}).code(), -ENOMEM);
    EXPECT_FALSE(column.next_index(0));
    EXPECT_TRUE(table.append(column, UINT_MAX - 1, 1, {}).ok());
    EXPECT_TRUE(table.append(column, 0, 2, {}).ok());
    EXPECT_EQ(column.at(UINT_MAX - 1), 1);
    EXPECT_FALSE(column.at(UINT_MAX));
}

TEST(ScoreTable, FindsTheNextIndexAcrossBlocks)
{
    ScoreTable table;
    ScoreColumn &column = table.column("a");
    for (const unsigned index : {0U, 255U, 256U, 70000U})
        ASSERT_TRUE(table.append(column, index, 0, {}).ok());
    EXPECT_EQ(column.next_index(0), 0U);
    EXPECT_EQ(column.next_index(1), 255U);
    EXPECT_EQ(column.next_index(256), 256U);
    EXPECT_EQ(column.next_index(257), 70000U);
    EXPECT_EQ(column.next_index(70000), 70000U);
    EXPECT_FALSE(column.next_index(70001));
}

TEST(ScoreTable, GivesTheSameColumnForTheSameName)
{
    ScoreTable table;
    ScoreColumn &column = table.column("a");
    for (int i = 0; i < 1000; ++i)
        table.column("b" + std::to_string(i));
    EXPECT_EQ(&table.column("a"), &column);
    EXPECT_EQ(table.find("a"), &column);
    EXPECT_EQ(table.find("c"), nullptr);
}

TEST(ScoreTable, OrdersColumnsByTheirEarliestCallAndPlace)
{
    ScoreTable table;
    ASSERT_TRUE(table.append(table.column("second"), 0, 0, {0, 1}).ok());
    ASSERT_TRUE(table.append(table.column("later"), 0, 0, {1, 0}).ok());
    ASSERT_TRUE(
        table.append(table.column("first"), 1, 0, {1, 0}).ok()); // another thread finished frame 1 before frame 0
    ASSERT_TRUE(table.append(table.column("first"), 0, 0, {0, 0}).ok());
    table.column("without_a_score");
    EXPECT_EQ(names(table, kFlushCall), (Names{"first", "second", "later"}));
}

// A delayed output is listed where the flush wrote it, even if its scores came earlier (spec abi
// 4.2).
TEST(ScoreTable, PutsDelayedColumnsWhereTheFlushIs)
{
    ScoreTable table;
    ASSERT_TRUE(table.append(table.column("motion3"), 0, 0, {kFlushCall, 1}).ok());
    ASSERT_TRUE(table.append(table.column("motion2"), 0, 0, {kFlushCall, 0}).ok());
    ASSERT_TRUE(table.append(table.column("frame_output"), 0, 0, {4, 0}).ok());
    ASSERT_TRUE(table.append(table.column("after_the_flush"), 0, 0, {8, 0}).ok());
    EXPECT_EQ(names(table, 7), (Names{"frame_output", "motion2", "motion3", "after_the_flush"}));
    EXPECT_EQ(names(table, kFlushCall), (Names{"frame_output", "after_the_flush", "motion2", "motion3"}));
}

TEST(ScoreTable, HoldsOneAggregateForAName)
{
    ScoreTable table;
    EXPECT_TRUE(table.append_aggregate("apsnr_y", 32.5).ok());
    EXPECT_TRUE(table.append_aggregate("apsnr_cb", 33).ok());
    EXPECT_TRUE(table.append_aggregate("apsnr_y", 32.5).ok());
    EXPECT_EQ(table.append_aggregate("apsnr_y", 31).code(), -EINVAL);
    ASSERT_EQ(table.aggregates().size(), 2U);
    EXPECT_EQ(table.aggregates()[0], (std::pair<std::string, double>{"apsnr_y", 32.5}));
    EXPECT_EQ(table.aggregates()[1].first, "apsnr_cb");
}

} // namespace
} // namespace vmaf
