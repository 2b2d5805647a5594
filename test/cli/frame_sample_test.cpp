#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "comparison/frame_sample.h"

/// Which frames of a clip a sample has, and what it says about all frames (spec comparison 10).
namespace vmaf::tool {
namespace {

std::vector<unsigned> numbers(unsigned count)
{
    std::vector<unsigned> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

double mean_of(const std::vector<double> &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> chosen(const std::vector<double> &scores, const std::vector<unsigned> &frames)
{
    std::vector<double> some;
    for (const unsigned frame : frames)
        some.push_back(scores[frame]);
    return some;
}

/// Scenes of different quality. Each has a pyramid of 8 frames, and noise.
std::vector<double> film(unsigned frames)
{
    std::mt19937 random(7);
    std::normal_distribution<double> noise;
    std::vector<double> scores;
    double scene = 0;
    for (unsigned i = 0; i < frames; ++i) {
        if (i % 97 == 0)
            scene = 85 + 4 * noise(random);
        const double place[] = {3, -1, 0, -1, 1, -1, 0, -1};
        scores.push_back(scene + place[i % 8] + std::sin(2 * std::numbers::pi * i / 300) + 0.5 * noise(random));
    }
    return scores;
}

TEST(FrameSample, OptionIsAShareOrAnError)
{
    EXPECT_EQ(parse_sample("12.5%")->share, 0.125);
    EXPECT_EQ(parse_sample("auto:0.5")->error, 0.5);
    for (const char *bad :
         {"", "10", "0%", "100%", "-5%", "%", "auto", "auto:", "auto:0", "auto:x", "5%x", "nan%", "1e1%"})
        EXPECT_FALSE(parse_sample(bad)) << bad;
}

TEST(FrameSample, DrawsEquallyManyFramesOfEachRun)
{
    for (const unsigned frames : {40U, 41U, 599U, 1000U}) {
        const FrameSample sample(frames, 0.1 * frames);
        EXPECT_EQ(sample.strata(), std::max(10U, static_cast<unsigned>(std::lround(frames * 0.05))));
        const std::vector<unsigned> two = sample.frames(2), three = sample.frames(3);
        EXPECT_EQ(two.size(), 2 * sample.strata());
        EXPECT_TRUE(std::ranges::is_sorted(two));
        EXPECT_EQ(std::ranges::adjacent_find(two), two.end());
        EXPECT_LT(two.back(), frames);
        EXPECT_TRUE(std::ranges::includes(three, two)) << "more frames are drawn after those";
        EXPECT_EQ(two, FrameSample(frames, 0.1 * frames).frames(2)) << "the seed is fixed";
        EXPECT_NE(two, FrameSample(frames, 0.1 * frames, 2).frames(2));
        // Any run as long as two strata contains at least the frames of one.
        const unsigned run = 2 * (frames / sample.strata() + 1);
        for (unsigned first = 0; first + run <= frames; ++first)
            EXPECT_GE(std::ranges::count_if(two, [&](unsigned i) { return i >= first && i < first + run; }), 2);
    }
}

TEST(FrameSample, EveryFrameIsEquallyLikely)
{
    constexpr unsigned kFrames = 47, kSeeds = 20000; // strata of 4 and 5 frames
    std::vector<unsigned> counts(kFrames);
    unsigned drawn = 0;
    for (unsigned seed = 0; seed < kSeeds; ++seed)
        for (const unsigned frame : FrameSample(kFrames, 20, seed).frames(2)) {
            ++counts[frame];
            ++drawn;
        }
    const double expected = static_cast<double>(drawn) / kFrames, share = expected / kSeeds;
    const double five_deviations = 5 * std::sqrt(kSeeds * share * (1 - share));
    for (unsigned frame = 0; frame < kFrames; ++frame)
        EXPECT_NEAR(counts[frame], expected, five_deviations) << frame;
}

TEST(FrameSample, MeanHasNoBiasWhereEveryEighthFrameHas)
{
    const std::vector<double> scores = film(2000);
    const double all = mean_of(scores);
    std::vector<double> eighth;
    for (std::size_t i = 0; i < scores.size(); i += 8)
        eighth.push_back(scores[i]);
    EXPECT_GT(mean_of(eighth) - all, 2.5);
    std::vector<double> errors;
    for (unsigned seed = 0; seed < 400; ++seed)
        errors.push_back(mean_of(chosen(scores, FrameSample(2000, 200, seed).frames(2))) - all);
    double squares = 0;
    for (const double error : errors)
        squares += error * error;
    EXPECT_LT(std::abs(mean_of(errors)), 4 * std::sqrt(squares) / 400);
}

/// Student's t for the variance of a stratified mean (Cochran, Sampling Techniques, 5.4).
double half_width(const std::vector<double> &scores, unsigned frames, const FrameSample &sample, double t)
{
    double squares = 0;
    for (unsigned i = 0; i < scores.size(); i += 2)
        squares += (scores[i] - scores[i + 1]) * (scores[i] - scores[i + 1]) / 2; // variance of two
    const auto n = static_cast<double>(scores.size());
    const double strata = sample.strata();
    return t * std::sqrt(squares / strata / n * (1 - n / frames));
}

TEST(FrameSample, IntervalIsThatOfAStratifiedMean)
{
    constexpr unsigned kFrames = 1000;
    std::mt19937 random(3);
    std::normal_distribution<double> noise;
    for (const auto &[wanted, t] : {std::pair{200, 1.984}, std::pair{40, 2.086}}) {
        double bootstrap = 0, formula = 0;
        for (unsigned seed = 0; seed < 50; ++seed) {
            const FrameSample sample(kFrames, wanted, seed);
            std::vector<double> scores;
            for (int i = 0; i < wanted; ++i)
                scores.push_back(90 + noise(random));
            // All frames are alike, so it does not matter which ones are in one stratum.
            const auto interval = sample.interval_of_mean(scores, 2);
            ASSERT_TRUE(interval);
            EXPECT_LT(interval->low, mean_of(scores));
            EXPECT_GT(interval->high, mean_of(scores));
            bootstrap += interval->high - interval->low;
            formula += 2 * half_width(scores, kFrames, sample, t);
        }
        EXPECT_NEAR(bootstrap / formula, 1, 0.04) << wanted;
    }
}

TEST(FrameSample, IntervalCoversTheMeanOfAllFrames)
{
    const std::vector<double> scores = film(1200);
    const double all = mean_of(scores);
    for (const double wanted : {24., 60., 120., 300.}) {
        unsigned covered = 0;
        for (unsigned seed = 0; seed < 400; ++seed) {
            const FrameSample sample(1200, wanted, seed);
            const auto interval = sample.interval_of_mean(chosen(scores, sample.frames(2)), 2);
            covered += interval->low <= all && all <= interval->high;
        }
        EXPECT_GE(covered, 380U) << wanted;
    }
}

TEST(FrameSample, NoIntervalOfInfiniteOrMissingScores)
{
    const FrameSample sample(100, 20);
    std::vector<double> scores(20, 40.0);
    const auto interval = sample.interval_of_mean(scores, 2);
    EXPECT_EQ(interval->low, 40);
    EXPECT_EQ(interval->high, 40);
    for (const double other : {HUGE_VAL, std::nan("")}) {
        scores[3] = other;
        EXPECT_FALSE(sample.interval_of_mean(scores, 2));
    }
}

TEST(FrameSample, NeighboursAreReadToo)
{
    const unsigned sampled[] = {0, 5, 7, 20, 29};
    const SampleReading reading = frames_to_read(sampled, 30, 2, 1);
    EXPECT_EQ(reading.frames, (std::vector<unsigned>{0, 1, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 27, 28, 29}));
    EXPECT_EQ(reading.positions, (std::vector<unsigned>{0, 4, 6, 10, 14}));
    EXPECT_EQ(reading.needed, (std::vector<unsigned>{2, 6, 8, 12, 15}));
    const SampleReading alone = frames_to_read(sampled, 30, 0, 0);
    EXPECT_EQ(alone.frames, (std::vector<unsigned>{0, 5, 7, 20, 29}));
    EXPECT_EQ(frames_to_read(numbers(30), 30, 60, 2).frames, numbers(30));
}

} // namespace
} // namespace vmaf::tool
