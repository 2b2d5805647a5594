#include "alignment/frame_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/small_films.h"

/// Finds the reference frame that each distorted frame shows (spec comparison 6).
namespace vmaf::test {
namespace {

using tool::FrameMatch;
using tool::match_frames;
using Frames = std::vector<unsigned>;

constexpr unsigned kMost = 40;

FrameMatch match(const std::vector<int> &shown, double error = 4)
{
    return match_frames(small_film(pictures(0, 150), 1), encoded(small_film(shown), error), kMost);
}

TEST(FrameMatch, LeavesVideosInStepAlone)
{
    for (const double error : {0., 20.}) {
        const FrameMatch found = match(pictures(0, 150), error);
        EXPECT_EQ(found.ref_frame, pictures(0, 150)) << error;
        EXPECT_EQ(found.dropped, Frames());
        EXPECT_EQ(found.repeated, Frames());
        EXPECT_EQ(found.start.outcome, tool::LagEstimate::Outcome::in_step);
    }
}

TEST(FrameMatch, FindsFramesThatAreDroppedAndRepeated)
{
    std::vector<int> shown = pictures(0, 150);
    shown.insert(shown.begin() + 110, 109);              // repeats 109
    shown[90] = 89;                                      // in place of 90
    shown.erase(shown.begin() + 70, shown.begin() + 73); // lacks 70 to 72
    shown.erase(shown.begin() + 20);                     // lacks 20
    for (const double error : {0., 4., 12.}) {
        const FrameMatch found = match(shown, error);
        EXPECT_EQ(found.ref_frame, shown) << error;
        EXPECT_EQ(found.dropped, (Frames{20, 70, 71, 72, 90}));
        EXPECT_EQ(found.repeated, (Frames{86, 106}));
    }
}

TEST(FrameMatch, FollowsFramesThatAreDroppedAndMadeUpForThreeFramesLater)
{
    std::vector<int> shown = pictures(0, 150);
    for (std::ptrdiff_t at = 15; at < 140; at += 15) {
        shown.insert(shown.begin() + at + 3, shown[static_cast<std::size_t>(at) + 2]);
        shown.erase(shown.begin() + at);
    }
    for (const unsigned seed : {2U, 3U, 4U, 5U}) {
        const auto dis = encoded(small_film(shown), 20, seed);
        EXPECT_EQ(match_frames(small_film(pictures(0, 150), 1), dis, kMost).ref_frame, shown) << seed;
    }
}

TEST(FrameMatch, SaysHowWellThePairsFit)
{
    std::vector<int> shown = pictures(0, 150);
    shown.erase(shown.begin() + 75);
    const auto ref = small_film(pictures(0, 150), 1), dis = encoded(small_film(shown), 4);
    const auto psnr_db = [&](const std::vector<int> &ref_frame) {
        double sum = 0;
        const std::size_t frame = ref.frame_size();
        for (std::size_t i = 0; i < dis.samples.size(); ++i) {
            const auto shown_at = static_cast<std::size_t>(ref_frame[i / frame]) * frame + i % frame;
            sum += std::pow(dis.samples[i] - ref.samples[shown_at], 2);
        }
        return 10 * std::log10(255 * 255 / (sum / static_cast<double>(dis.samples.size())));
    };
    const FrameMatch found = match_frames(ref, dis, kMost);
    EXPECT_NEAR(found.start.best_db, psnr_db(shown), 1e-9);
    EXPECT_NEAR(found.start.zero_db, psnr_db(pictures(0, 149)), 1e-9);
    EXPECT_GT(found.start.best_db, found.start.zero_db + 3);
}

TEST(FrameMatch, FindsNoFrameForBlackOnesInFrontAndForThoseBeyondTheEnd)
{
    std::vector<int> shown(7, kBlack), expected(7, -1);
    for (const int picture : pictures(0, 160)) {
        shown.push_back(picture);
        expected.push_back(picture < 150 ? picture : -1);
    }
    const FrameMatch found = match(shown);
    EXPECT_EQ(found.ref_frame, expected);
    EXPECT_EQ(found.start.lag, 7);
    EXPECT_EQ(found.dropped, Frames());
    EXPECT_EQ(found.repeated, Frames());
}

TEST(FrameMatch, TakesARepeatedFirstFrameForALag)
{
    std::vector<int> shown = pictures(0, 149);
    shown.insert(shown.begin(), 0);
    const FrameMatch found = match(shown);
    EXPECT_EQ(found.start.lag, 1);
    EXPECT_EQ(found.repeated, Frames());
    EXPECT_EQ(found.ref_frame[1], 0);
}

TEST(FrameMatch, DoesNotCallPicturesRepeatedThatTheReferenceHolds)
{
    std::vector<int> held;
    for (const int picture : pictures(0, 80))
        held.insert(held.end(), {picture, picture});
    const auto ref = small_film(held, 0.5);
    const FrameMatch clean = match_frames(ref, encoded(small_film(held), 4), kMost);
    EXPECT_EQ(clean.repeated, Frames());
    EXPECT_EQ(clean.dropped, Frames());
    std::vector<int> shown = held;
    shown.insert(shown.begin() + 60, 30); // a third time
    const FrameMatch found = match_frames(ref, encoded(small_film(shown), 4), kMost);
    ASSERT_EQ(found.repeated.size(), 1U);
    EXPECT_EQ(found.dropped, Frames());
    for (std::size_t j = 0; j < shown.size(); ++j)
        EXPECT_EQ(held[static_cast<std::size_t>(found.ref_frame[j])], shown[j]) << j;
}

TEST(FrameMatch, ChangesNothingWherePicturesStandStillOrRepeatThemselves)
{
    const std::vector<int> still(120, 7);
    std::vector<int> loop, late{kBlack, kBlack, kBlack};
    for (int i = 0; i < 120; ++i)
        loop.push_back(i % 12);
    late.insert(late.end(), loop.begin(), loop.end());
    EXPECT_EQ(match_frames(small_film(still), encoded(small_film(still), 4), kMost).ref_frame, pictures(0, 120));
    const FrameMatch found = match_frames(small_film(loop), encoded(small_film(late), 4), kMost);
    EXPECT_EQ(found.start.outcome, tool::LagEstimate::Outcome::ambiguous);
    EXPECT_EQ(found.ref_frame[50], 50);
}

TEST(FrameMatch, FollowsFadesByTheirLevel)
{
    auto faded = [](const std::vector<int> &shown) {
        tool::SmallLuma film = small_film(std::vector<int>(shown.size(), 5));
        for (std::size_t i = 0; i < film.samples.size(); ++i) {
            const double level = std::min(1.0, shown[i / film.frame_size()] / 100.0);
            film.samples[i] = static_cast<std::uint8_t>(16 + (film.samples[i] - 16) * level);
        }
        return film;
    };
    std::vector<int> shown = pictures(0, 120);
    shown.erase(shown.begin() + 50);
    EXPECT_EQ(match_frames(faded(pictures(0, 100)), faded(pictures(3, 97)), kMost).start.lag, -3);
    EXPECT_EQ(match_frames(faded(pictures(0, 120)), faded(shown), kMost).dropped, Frames{50});
}

TEST(FrameMatch, FollowsLongVideos)
{
    const std::vector<int> all = pictures(0, 2600);
    std::vector<int> shown = all;
    shown.erase(shown.begin() + 1030);
    shown.insert(shown.begin() + 2300, 2300);
    constexpr unsigned kFew = 4;
    const FrameMatch found = match_frames(small_film(all), small_film(shown), kFew);
    EXPECT_EQ(found.ref_frame, shown);
}

} // namespace
} // namespace vmaf::test
