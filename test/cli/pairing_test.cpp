#include "comparison/pairing.h"

#include <gtest/gtest.h>

#include <limits>

#include "common/failure.h"

/// Which frames of two videos are compared (spec comparison 6).
namespace vmaf::test {
namespace {

using tool::FrameOffset;
using tool::parse_frame_offset;

TEST(Pairing, ReadsOffsetsInFramesAndSeconds)
{
    EXPECT_EQ(parse_frame_offset("1"), (FrameOffset{1, false}));
    EXPECT_EQ(parse_frame_offset("+12"), (FrameOffset{12, false}));
    EXPECT_EQ(parse_frame_offset("-3"), (FrameOffset{-3, false}));
    EXPECT_EQ(parse_frame_offset("0.5s"), (FrameOffset{0.5, true}));
    EXPECT_EQ(parse_frame_offset("-2s"), (FrameOffset{-2, true}));
    for (const char *text : {"", "s", "1.5", "one", "1 ", "0.5 s", "1e3", "nan", "infs", "99999999999", "1ss", "+"})
        EXPECT_FALSE(parse_frame_offset(text)) << text;
}

TEST(Pairing, CountsFramesOfSecondsByTheRate)
{
    EXPECT_EQ(tool::frames_of({.value = 0.5, .is_in_seconds = true}, 25), 13);
    EXPECT_EQ(tool::frames_of({-1, true}, 24000 / 1001.), -24);
    EXPECT_EQ(tool::frames_of({7, false}, std::nullopt), 7);
    EXPECT_THROW(tool::frames_of({1, true}, std::nullopt), tool::Failure);
    EXPECT_THROW(tool::frames_of({100000, true}, 1000), tool::Failure);
}

TEST(Pairing, DropsFramesOfTheVideoThatIsLate)
{
    const auto skips = [](int lag, unsigned ref, unsigned dis) {
        const auto result = tool::skips_with(lag, {ref, dis});
        return std::pair(result.ref, result.dis);
    };
    EXPECT_EQ(skips(0, 1, 2), std::pair(1U, 2U));
    EXPECT_EQ(skips(3, 1, 2), std::pair(1U, 5U));
    EXPECT_EQ(skips(-3, 1, 2), std::pair(4U, 2U));
    constexpr unsigned kMost = std::numeric_limits<unsigned>::max();
    EXPECT_EQ(skips(2, 0, kMost), std::pair(0U, kMost));
}

} // namespace
} // namespace vmaf::test
