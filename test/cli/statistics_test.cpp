#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Expected values come from Python's statistics module (pstdev, median, quantiles with n=100 and
// method='inclusive') and from exact fractions.

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
    EXPECT_DOUBLE_EQ(s.p95, 97.975);
    EXPECT_DOUBLE_EQ(s.p99, 99.595);
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
    EXPECT_DOUBLE_EQ(s.p95, 58.940625);
    EXPECT_DOUBLE_EQ(s.p99, 61.625625);
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

TEST(Statistics, LeaveOutAndCountWhatIsMissing)
{
    const Statistics s = statistics_of(std::vector{kNan, 2.0, 1.0, kNan});
    EXPECT_EQ(s.scored, 2U);
    EXPECT_EQ(s.missing, 2U);
    EXPECT_EQ(s.mean, 1.5);
    EXPECT_EQ(s.min, 1.0);
    EXPECT_EQ(s.max, 2.0);
    EXPECT_EQ(s.stddev, 0.5);
}

TEST(Statistics, CountInfiniteScores)
{
    const Statistics s = statistics_of(std::vector{kInfinity, 2.0, kNan, 5.0, kInfinity});
    EXPECT_EQ(s.scored, 4U);
    EXPECT_EQ(s.missing, 1U);
    EXPECT_EQ(s.mean, kInfinity);
    EXPECT_DOUBLE_EQ(s.harmonic_mean, 7.0) << "4 / (1/3 + 1/6 + 0 + 0) - 1";
    EXPECT_EQ(s.min, 2.0);
    EXPECT_DOUBLE_EQ(s.p1, 2.09) << "place 0.03 of 2, 5, inf, inf";
    EXPECT_DOUBLE_EQ(s.p5, 2.45);
    EXPECT_EQ(s.median, kInfinity) << "half-way from 5";
    EXPECT_EQ(s.p95, kInfinity) << "between two infinite ones";
    EXPECT_EQ(s.max, kInfinity);
    EXPECT_TRUE(std::isnan(s.stddev));
}

TEST(Statistics, OfInfiniteScoresAloneAreInfinite)
{
    for (const double infinite : {kInfinity, -kInfinity}) {
        const Statistics s = statistics_of(std::vector(3, infinite));
        for (const StatisticName &name : kStatisticNames)
            if (name.is_score) {
                EXPECT_EQ(s.*name.value, infinite) << name.name;
            }
    }
}

TEST(Statistics, BesideAnInfiniteScoreAreTheNearerOne)
{
    std::vector<double> scores(25, kInfinity);
    scores[7] = 11.5;
    const Statistics one_bad = statistics_of(scores);
    EXPECT_EQ(one_bad.p1, 11.5) << "place 0.24: one of 25 frames is more than 1 % of them";
    EXPECT_EQ(one_bad.p5, kInfinity) << "place 1.2";
    EXPECT_EQ(one_bad.median, kInfinity);
    EXPECT_EQ(statistics_of(std::vector{1.0, 3.0, kInfinity}).median, 3.0);
    const Statistics low = statistics_of(std::vector{-kInfinity, 3.0});
    EXPECT_EQ(low.p5, -kInfinity);
    EXPECT_EQ(low.median, -kInfinity);
    EXPECT_EQ(low.p95, 3.0);
    EXPECT_EQ(low.mean, -kInfinity);
}

TEST(Statistics, InTablesAreOfTheWorstFrames)
{
    const Statistics s = statistics_of(std::vector{93.25, 12.5, 100.0, 87.75, 55.125, 0.0, 71.5});
    EXPECT_EQ(kTableWorst1.of(s, VMAF_DIRECTION_HIGHER), s.p1);
    EXPECT_EQ(kTableWorst1.of(s, VMAF_DIRECTION_LOWER), s.p99);
    EXPECT_EQ(kTableWorst5.of(s, VMAF_DIRECTION_LOWER), s.p95);
    EXPECT_EQ(kTableWorst.of(s, VMAF_DIRECTION_HIGHER), s.min);
    EXPECT_EQ(kTableWorst.of(s, VMAF_DIRECTION_LOWER), s.max);
    EXPECT_EQ(kTableWorst1.of(s, VMAF_DIRECTION_NONE), s.p1);
    EXPECT_EQ(kTableMean.of(s, VMAF_DIRECTION_LOWER), s.mean);
}

TEST(Statistics, OfNothingAreNone)
{
    for (const auto &scores : {std::vector<double>{}, std::vector{kNan, kNan}}) {
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
