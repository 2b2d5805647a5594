#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "alignment/doubts.h"
#include "cli/small_films.h"

/// Messages of `--align check` (spec comparison 6).
namespace vmaf::test {
namespace {

using Texts = std::vector<std::string>;

tool::LumaWindow window(unsigned first, const std::vector<int> &ref, const std::vector<int> &dis)
{
    tool::LumaWindow both{small_film(ref, 1), encoded(small_film(dis), 4)};
    both.ref.first_frame = both.dis.first_frame = first;
    return both;
}

Texts doubts(const std::vector<tool::LumaWindow> &windows)
{
    constexpr unsigned kMost = 40;
    return tool::time_doubts(windows, {"ref.mp4", "dis.mp4"}, kMost).warnings;
}

TEST(TimeDoubts, AreNoneOfVideosInStepAndStillOnes)
{
    const std::vector<int> still(100, 3);
    EXPECT_EQ(
        doubts({window(0, pictures(0, 120), pictures(0, 120)), window(500, pictures(500, 90), pictures(500, 90))}),
        Texts());
    EXPECT_EQ(doubts({window(0, still, still)}), Texts());
    EXPECT_EQ(doubts({}), Texts());
}

TEST(TimeDoubts, NameTheLagAndItsCure)
{
    const Texts said = doubts({window(0, pictures(0, 120), pictures(2, 118))});
    ASSERT_EQ(said.size(), 1U);
    EXPECT_TRUE(said[0].starts_with("dis.mp4 is 2 frames early (")) << said[0];
    EXPECT_TRUE(said[0].ends_with(" at 0): --offset -2, or --align offset")) << said[0];
    EXPECT_NE(said[0].find(" dB at lag -2, "), std::string::npos) << said[0];
}

TEST(TimeDoubts, NameFramesThatAreMissingOrRepeated)
{
    std::vector<int> shown = pictures(0, 120);
    shown.erase(shown.begin() + 40);
    EXPECT_EQ(doubts({window(0, pictures(0, 120), shown)}),
              Texts{"dis.mp4 lacks 1 frame of ref.mp4 (the first is 40): --align frames"});
    shown.insert(shown.begin() + 80, 80);
    shown.insert(shown.begin() + 90, 89);
    EXPECT_EQ(doubts({window(100, pictures(0, 120), shown)}),
              Texts{"dis.mp4 lacks 1 frame of ref.mp4 (the first is 140) and repeats 2 frames (the first is its frame "
                    "180): --align frames"});
}

TEST(TimeDoubts, KeepWhichFramesWereSeen)
{
    std::vector<int> shown = pictures(0, 120);
    shown.erase(shown.begin() + 40);
    const std::vector<tool::LumaWindow> edited{window(100, pictures(0, 120), shown)},
        clean{window(100, pictures(0, 120), pictures(0, 120))};
    const tool::Pairing seen = tool::time_doubts(edited, {"ref.mp4", "dis.mp4"}, 40).seen;
    ASSERT_EQ(seen.pairs.size(), shown.size());
    for (unsigned j = 0; j < seen.pairs.size(); ++j)
        EXPECT_EQ(seen.pairs[j], (tool::FramePair{100 + j, 100U + static_cast<unsigned>(shown[j])}));
    EXPECT_EQ(seen.dropped, std::vector<unsigned>{140});
    EXPECT_EQ(seen.method, nullptr);
    EXPECT_TRUE(tool::time_doubts(clean, {"ref.mp4", "dis.mp4"}, 40).seen.pairs.empty());
}

TEST(TimeDoubts, NameLagsThatDifferBetweenWindows)
{
    EXPECT_EQ(
        doubts({window(0, pictures(0, 120), pictures(0, 120)), window(500, pictures(500, 90), pictures(501, 90))}),
        Texts{"dis.mp4 is in step at its start and 1 frame early at frame 500, so frames are missing or repeated: "
              "--align frames"});
}

TEST(TimeDoubts, SayWhereSeveralLagsFitButNotNone)
{
    std::vector<int> loop, late(5, kBlack);
    for (int i = 0; i < 120; ++i)
        loop.push_back(i % 12);
    late.insert(late.end(), loop.begin(), loop.end());
    const Texts said = doubts({window(0, loop, late)});
    ASSERT_EQ(said.size(), 1U);
    EXPECT_TRUE(said[0].starts_with("several lags between ref.mp4 and dis.mp4 fit equally well")) << said[0];
    EXPECT_TRUE(said[0].ends_with(": --align offset reads more of them, or give the right one with --offset N"))
        << said[0];
}

} // namespace
} // namespace vmaf::test
