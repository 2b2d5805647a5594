#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alignment/doubts.h"
#include "cli/small_films.h"

/// Warnings that follow from the pictures themselves (spec comparison 8).
namespace vmaf::test {
namespace {

using Texts = std::vector<std::string>;
using tool::SmallLuma;

Texts doubts(const SmallLuma &ref, const SmallLuma &dis, double frame_rate = 25)
{
    const std::vector<tool::LumaWindow> windows{{ref, dis}};
    return tool::picture_doubts(windows, {"ref.mp4", "dis.mp4"}, frame_rate).warnings;
}

SmallLuma mapped(SmallLuma film, double slope, double offset)
{
    for (std::uint8_t &code : film.samples)
        code = static_cast<std::uint8_t>(std::clamp(std::lround(slope * code + offset), 0L, 255L));
    return film;
}

SmallLuma blurred(SmallLuma film)
{
    const std::vector<std::uint8_t> sharp = film.samples;
    for (std::size_t i = 1; i + 1 < sharp.size(); ++i)
        film.samples[i] = static_cast<std::uint8_t>((sharp[i - 1] + 2 * sharp[i] + sharp[i + 1]) / 4);
    return film;
}

TEST(PictureDoubts, AreNoneOfAnEncode)
{
    const SmallLuma ref = small_film(pictures(0, 60), 2);
    for (const double error : {1., 6.})
        EXPECT_EQ(doubts(ref, encoded(ref, error)), Texts()) << error;
    EXPECT_EQ(doubts(ref, blurred(ref)), Texts());
    EXPECT_EQ(doubts(ref, mapped(ref, 1.05, 3)), Texts()) << "another contrast";
    EXPECT_EQ(doubts(small_film({}), small_film({})), Texts());
}

TEST(PictureDoubts, NameAWrongRange)
{
    const SmallLuma ref = small_film(pictures(0, 60), 2);
    const SmallLuma full = encoded(mapped(ref, 255. / 219, -16 * 255. / 219), 2);
    const SmallLuma limited = encoded(mapped(ref, 219. / 255, 16), 2);
    EXPECT_EQ(doubts(ref, full),
              Texts{"luma of dis.mp4 is 1.16 times that of ref.mp4 minus 19, as if one of them had a "
                    "wrong range tag: --range_dist full, or --range_ref limited"});
    EXPECT_EQ(doubts(ref, limited),
              Texts{"luma of dis.mp4 is 0.86 times that of ref.mp4 plus 16, as if one of them had "
                    "a wrong range tag: --range_dist limited, or --range_ref full"});
}

TEST(PictureDoubts, NameVideosThatAreExchanged)
{
    const SmallLuma sharp = small_film(pictures(0, 60), 4);
    EXPECT_EQ(doubts(blurred(sharp), sharp), Texts{"ref.mp4 is blurrier than dis.mp4 in 60 of 60 frames, as if it were "
                                                   "the encode: exchange -r and -d"});
}

TEST(PictureDoubts, NameFramesThatStandStillOrAreBlack)
{
    std::vector<int> still = pictures(0, 60), black = still;
    std::fill(still.begin() + 10, still.begin() + 41, 10);
    std::fill(black.begin(), black.begin() + 30, kBlack);
    const SmallLuma ref = small_film(pictures(0, 60));
    EXPECT_EQ(doubts(ref, small_film(still)),
              Texts{"dis.mp4 stands still in frames 10 to 40 while ref.mp4 moves: --frame_cnt 10 ends before, "
                    "--frame_skip_ref 41 --frame_skip_dist 41 begins after"});
    EXPECT_EQ(doubts(small_film(black), ref), Texts{"ref.mp4 is black in frames 0 to 29 while dis.mp4 moves: "
                                                    "--frame_skip_ref 30 --frame_skip_dist 30 begins after"});
    EXPECT_EQ(doubts(ref, small_film(still), 50), Texts()) << "less than a second";
}

TEST(PictureDoubts, DoNotSpeakOfIdenticalVideosWhichAreNoted)
{
    const SmallLuma film = small_film(pictures(0, 40));
    const auto note = [&](const SmallLuma &dis) {
        return tool::picture_doubts(std::vector<tool::LumaWindow>{{film, dis}}, {"ref.mp4", "dis.mp4"}, 25).note;
    };
    EXPECT_EQ(note(film), "identical videos? dis.mp4 looks like ref.mp4 in every frame that was compared");
    EXPECT_EQ(doubts(film, film), Texts());
    SmallLuma other = film;
    other.samples.back() ^= 1;
    EXPECT_EQ(note(other), "");
    EXPECT_EQ(doubts(film, other), Texts());
}

} // namespace
} // namespace vmaf::test
