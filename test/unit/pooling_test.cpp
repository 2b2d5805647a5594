#include "engine/pooling.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>

namespace vmaf {
namespace {

constexpr double kScores[] = {90.5, 80.25, 70.125, 95, 60, 88.8, 0, -0.5, -1};

class Pooling : public testing::Test {
  protected:
    Pooling()
    {
        unsigned index = 0;
        for (const double score : kScores)
            EXPECT_TRUE(table_.append(column_, index++, score, {}).ok());
    }

    ScoreTable table_;
    ScoreColumn &column_ = table_.column("f");
};

struct Row {
    unsigned subsample, low, high;
    double min, max, mean, harmonic_mean;
};

// Rows of the pooling table in spec abi 9.
constexpr Row kRows[] = {
    {1, 0, 5, 60, 95, 80.779166666666669, 78.742299721886283},
    {1, 1, 5, 60, 95, 78.835000000000008, 76.744280170876735},
    {1, 0, 7, -0.5, 95, 60.521875000000001, 1.6014209695003396},
    {1, 0, 8, -1, 95, 53.68611111111111, -1},
    {2, 0, 5, 60, 90.5, 73.541666666666671, 71.495010443258295},
    {2, 1, 5, 0, 70.125, 65.0625, 64.674550614947961},
    {2, 0, 9, -1, 90.5, 43.924999999999997, -1},
    {3, 0, 5, 90.5, 95, 92.75, 92.695999999999998},
};

TEST_F(Pooling, MatchesTheChaptersTable)
{
    for (const Row &row : kRows) {
        SCOPED_TRACE(testing::Message() << row.subsample << ", " << row.low << ".." << row.high);
        const auto pool = [&](PoolingMethod method) {
            return pool_scores(column_, method, row.low, row.high, row.subsample).value();
        };
        EXPECT_EQ(pool(PoolingMethod::min), row.min);
        EXPECT_EQ(pool(PoolingMethod::max), row.max);
        EXPECT_EQ(pool(PoolingMethod::mean), row.mean);
        EXPECT_EQ(pool(PoolingMethod::harmonic_mean), row.harmonic_mean);
    }
}

TEST_F(Pooling, GivesAllMethodsAtOnce)
{
    const PooledScores pooled = pool_scores(column_, 0, 5, 1).value();
    EXPECT_EQ(pooled.min, 60);
    EXPECT_EQ(pooled.max, 95);
    EXPECT_EQ(pooled.mean, 80.779166666666669);
    EXPECT_EQ(pooled.harmonic_mean, 78.742299721886283);
}

TEST_F(Pooling, NeedsEveryCountedScore)
{
    EXPECT_EQ(pool_scores(column_, PoolingMethod::mean, 0, 9, 1).status().code(), -EINVAL);
    EXPECT_EQ(pool_scores(column_, 0, 9, 1).status().code(), -EINVAL);
    EXPECT_EQ(pool_scores(column_, PoolingMethod::mean, 0, UINT_MAX, 1).status().code(), -EINVAL);
    EXPECT_EQ(pool_scores(column_, PoolingMethod::mean, 0, 9, 3).status().code(), -EINVAL);
}

TEST_F(Pooling, OfNoFrameIsZeroOrNaN)
{
    EXPECT_EQ(pool_scores(column_, PoolingMethod::min, 1, 1, 2).value(), 0);
    EXPECT_EQ(pool_scores(column_, PoolingMethod::max, 1, 1, 2).value(), 0);
    EXPECT_TRUE(std::isnan(pool_scores(column_, PoolingMethod::mean, 1, 1, 2).value()));
    EXPECT_TRUE(std::isnan(pool_scores(column_, PoolingMethod::harmonic_mean, 1, 1, 2).value()));
    EXPECT_EQ(pool_scores(column_, PoolingMethod::max, UINT_MAX, UINT_MAX, 2).value(), 0); // rounds up beyond 32 bits
}

TEST_F(Pooling, SubsampleZeroCountsAll)
{
    EXPECT_EQ(pool_scores(column_, PoolingMethod::mean, 0, 5, 0).value(), 80.779166666666669);
}

} // namespace
} // namespace vmaf
