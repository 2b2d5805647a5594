#include "alignment/lag.h"

#include <gtest/gtest.h>

#include <vector>

#include "cli/small_films.h"

/// Finds a single lag of two videos (spec comparison 6).
namespace vmaf::test {
namespace {

using tool::estimate_lag;
using tool::LagEstimate;
using tool::SmallLuma;
using enum tool::LagEstimate::Outcome;

constexpr unsigned kMostLag = 70;

/// The distorted video begins at that picture. If it is late, black pictures come first.
SmallLuma shifted(int lag, double error)
{
    std::vector<int> shown(static_cast<std::size_t>(std::max(lag, 0)), kBlack);
    for (const int picture : pictures(std::max(-lag, 0), 200 - std::abs(lag)))
        shown.push_back(picture);
    return encoded(small_film(shown), error);
}

TEST(Lag, IsExactWhateverTheEncodesErrors)
{
    const SmallLuma ref = small_film(pictures(0, 200), 1);
    for (const double error : {0., 4., 20.})
        for (const int lag : {-61, -1, 1, 2, 60}) {
            const LagEstimate found = estimate_lag(ref, shifted(lag, error), kMostLag);
            EXPECT_EQ(found.outcome, LagEstimate::Outcome::lag) << lag << " " << error;
            EXPECT_EQ(found.lag, lag) << error;
            EXPECT_GT(found.best_db, found.zero_db + 0.2) << lag << " " << error;
        }
}

TEST(Lag, IsNoneForVideosInStep)
{
    for (const double error : {0., 4., 20.}) {
        const LagEstimate found = estimate_lag(small_film(pictures(0, 200), 1), shifted(0, error), kMostLag);
        EXPECT_EQ(found.outcome, in_step) << error;
        EXPECT_EQ(found.lag, 0);
        EXPECT_EQ(found.best_db, found.zero_db);
    }
}

TEST(Lag, OfPicturesThatAreHeldForTwoFramesIsExact)
{
    std::vector<int> held;
    for (const int picture : pictures(0, 100))
        held.insert(held.end(), {picture, picture});
    for (const int lag : {-3, -2, -1, 0, 1, 2}) {
        std::vector<int> shown = held;
        if (lag < 0)
            shown.erase(shown.begin(), shown.begin() - lag);
        else
            shown.insert(shown.begin(), static_cast<std::size_t>(lag), kBlack);
        EXPECT_EQ(estimate_lag(small_film(held, 1), encoded(small_film(shown), 4), kMostLag).lag, lag);
    }
}

TEST(Lag, IsRefusedWherePicturesStandStillOrRepeatThemselves)
{
    const std::vector<int> still(200, 7);
    std::vector<int> loop, late{kBlack, kBlack, kBlack};
    for (int i = 0; i < 200; ++i)
        loop.push_back(i % 12);
    late.insert(late.end(), loop.begin(), loop.end());
    for (const double error : {0., 4.}) {
        EXPECT_EQ(estimate_lag(small_film(still), encoded(small_film(still), error), kMostLag).outcome, ambiguous);
        const LagEstimate found = estimate_lag(small_film(loop), encoded(small_film(late), error), kMostLag);
        EXPECT_EQ(found.outcome, ambiguous);
        EXPECT_EQ(found.lag, 0);
    }
}

TEST(Lag, IsNoneBetweenOtherVideos)
{
    EXPECT_EQ(estimate_lag(small_film(pictures(0, 200)), small_film(pictures(6000, 200)), kMostLag).outcome, no_match);
    EXPECT_EQ(estimate_lag(small_film({}), small_film({}), kMostLag).outcome, no_match);
    EXPECT_EQ(estimate_lag(small_film(pictures(0, 3)), small_film(pictures(0, 3)), kMostLag).outcome, no_match);
    const std::vector<int> black(50, kBlack);
    EXPECT_EQ(estimate_lag(small_film(pictures(0, 200)), small_film(black), kMostLag).outcome, no_match);
}

TEST(Lag, CountsFramesOfTheVideosWhereverWindowsStart)
{
    SmallLuma ref = small_film(pictures(20, 120)), dis = small_film(pictures(25, 120));
    ref.first_frame = 20;
    dis.first_frame = 24;
    EXPECT_EQ(estimate_lag(ref, dis, kMostLag).lag, -1);
}

TEST(Lag, IsSaidWithItsEvidence)
{
    const tool::PairNames names{"ref.mp4", "dis.mp4"};
    EXPECT_EQ(lag_found_text({LagEstimate::Outcome::lag, 1, 45.3, 30.6}, names),
              "dis.mp4 is 1 frame late (45.3 dB at lag 1, 30.6 at 0)");
    EXPECT_EQ(lag_found_text({LagEstimate::Outcome::lag, -12, 45.3, 30.6}, names),
              "dis.mp4 is 12 frames early (45.3 dB at lag -12, 30.6 at 0)");
    EXPECT_EQ(lag_found_text({in_step, 0, 45.3, 45.3}, names), "");
    EXPECT_EQ(lag_found_text({ambiguous, 0, 45.3, 45.3}, names),
              "several lags between ref.mp4 and dis.mp4 fit equally well, since the pictures stand still or repeat "
              "themselves");
    EXPECT_EQ(lag_found_text({no_match, 0, 0, 0}, names),
              "dis.mp4 shows no picture of ref.mp4 at any lag that was tried");
}

TEST(SmallGrid, HasThePicturesShapeAndAtMostItsSize)
{
    EXPECT_EQ(tool::small_grid(1920, 1080), (tool::SmallGrid{80, 45}));
    EXPECT_EQ(tool::small_grid(320, 180), (tool::SmallGrid{80, 45}));
    EXPECT_EQ(tool::small_grid(1080, 1920), (tool::SmallGrid{45, 80}));
    EXPECT_EQ(tool::small_grid(16, 16), (tool::SmallGrid{16, 16}));
    EXPECT_EQ(tool::small_grid(8000, 100), (tool::SmallGrid{160, 2}));
    EXPECT_EQ(tool::small_grid(8000, 1), (tool::SmallGrid{160, 1}));
}

} // namespace
} // namespace vmaf::test
