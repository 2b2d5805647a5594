#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Expected values: Python's statistics module (pstdev, median, quantiles with n=100 and method='inclusive') and exact fractions.

TEST(Statistics, AreThoseOfPythonForSevenScores)
{
    const Statistics s = statistics_of(std::vector{93.25, 12.5, 100.0, 87.75, 55.125, 0.0, 71.5});
    EXPECT_EQ(s.scored, 7U);
    EXPECT_EQ(s.missing, 0U);
    EXPECT_DOUBLE_EQ(s.mean, 60.017857142857146);
    EXPECT_DOUBLE_EQ(s.harmonic_mean, 5.15404511334886);
    EXPECT_EQ(s.min, 0.0);
    EXPECT_DOUBLE_EQ(s.p1, 0.75);
    EXPECT_DOUBLE_EQ(s.p5, 3.75);
    EXPECT_EQ(s.median, 71.5);
    EXPECT_EQ(s.max, 100.0);
    EXPECT_DOUBLE_EQ(s.stddev, 36.815928992095536);
}

TEST(Statistics, AreThoseOfPythonForAThousandScores)
{
    std::vector<double> scores;
    for (int i = 0; i < 1000; ++i)
        scores.push_back(static_cast<double>(i * i * 7919LL % 1009) / 16);
    const Statistics s = statistics_of(scores);
    EXPECT_NEAR(s.mean, 31.4818125, 1e-12);
    EXPECT_NEAR(s.harmonic_mean, 16.170663590085177, 1e-12);
    EXPECT_EQ(s.min, 0.0);
    EXPECT_DOUBLE_EQ(s.p1, 1.375);
    EXPECT_DOUBLE_EQ(s.p5, 4.0625);
    EXPECT_DOUBLE_EQ(s.median, 31.15625);
    EXPECT_EQ(s.max, 62.375);
    EXPECT_NEAR(s.stddev, 17.694307691559843, 1e-12);
}

TEST(Statistics, OfTwoScoresLieBetweenThem)
{
    const Statistics s = statistics_of(std::vector{2.0, 1.0});
    EXPECT_EQ(s.mean, 1.5);
    EXPECT_DOUBLE_EQ(s.harmonic_mean, 1.4) << "2 / (1/3 + 1/2) - 1";
    EXPECT_DOUBLE_EQ(s.p1, 1.01);
    EXPECT_DOUBLE_EQ(s.p5, 1.05);
    EXPECT_EQ(s.median, 1.5);
    EXPECT_EQ(s.stddev, 0.5);
}

TEST(Statistics, OfOneScoreAreThatScore)
{
    const Statistics s = statistics_of(std::vector{42.5});
    for (const StatisticName &name : kStatisticNames)
        EXPECT_DOUBLE_EQ(s.*name.value, name.value == &Statistics::stddev ? 0.0 : 42.5) << name.name;
}

TEST(Statistics, LeaveOutAndCountWhatIsMissingOrNotFinite)
{
    const Statistics s = statistics_of(std::vector{kNan, 2.0, kInfinity, 1.0, -kInfinity});
    EXPECT_EQ(s.scored, 2U);
    EXPECT_EQ(s.missing, 3U);
    EXPECT_EQ(s.mean, 1.5);
    EXPECT_EQ(s.min, 1.0);
    EXPECT_EQ(s.max, 2.0);
    EXPECT_EQ(s.stddev, 0.5);
}

TEST(Statistics, OfNothingAreNone)
{
    for (const auto &scores : {std::vector<double>{}, std::vector{kNan, kInfinity}}) {
        const Statistics s = statistics_of(scores);
        EXPECT_EQ(s.scored, 0U);
        EXPECT_EQ(s.missing, scores.size());
        for (const StatisticName &name : kStatisticNames)
            EXPECT_TRUE(std::isnan(s.*name.value)) << name.name;
    }
}

TEST(Statistics, HarmonicMeanTakesAZero)
{
    EXPECT_DOUBLE_EQ(statistics_of(std::vector{0.0, 3.0}).harmonic_mean, 0.6) << "2 / (1 + 1/4) - 1";
}

} // namespace
} // namespace vmaf::tool
