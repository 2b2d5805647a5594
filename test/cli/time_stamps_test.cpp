#include "comparison/time_stamps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

/// Frames that are out of step by their time stamps (spec comparison 2.6).
namespace vmaf::test {
namespace {

using tool::first_out_of_step;
using tool::OutOfStep;
using tool::Side;
using tool::VideoDescription;

/// Frame n of the source is shown at n / fps, rounded as a container does.
std::vector<double> times(unsigned frames, double fps, double unit_s = 0, double start_s = 0)
{
    std::vector<double> all;
    for (unsigned frame = 0; frame < frames; ++frame) {
        const double time = start_s + frame / fps;
        all.push_back(unit_s > 0 ? std::round(time / unit_s) * unit_s : time);
    }
    return all;
}

std::vector<double> without(std::vector<double> all, std::size_t frame, std::size_t count = 1)
{
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(frame);
    all.erase(first, first + static_cast<std::ptrdiff_t>(count));
    return all;
}

TEST(TimeStamps, TellWhichFrameWasLostAndWhere)
{
    for (const double fps : {24000 / 1001., 25., 60000 / 1001., 120.})
        for (const double unit_s : {0., 0.001, 1 / 90000.})
            for (const std::size_t lost : {1U, 2U, 1000U, 2490U}) {
                SCOPED_TRACE(std::to_string(fps) + " " + std::to_string(unit_s) + " " + std::to_string(lost));
                const auto whole = times(2500, fps, unit_s);
                const auto found = first_out_of_step(whole, without(times(2500, fps, unit_s, 0.5), lost));
                ASSERT_TRUE(found);
                EXPECT_EQ(found->frame, lost);
                EXPECT_EQ(found->late, Side::distorted);
                EXPECT_NEAR(found->ref_s, static_cast<double>(lost) / fps, 0.0011);
                EXPECT_NEAR(found->dis_s, static_cast<double>(lost + 1) / fps, 0.0021);
                const auto other = first_out_of_step(without(whole, lost, 3), times(2500, fps));
                ASSERT_TRUE(other);
                EXPECT_EQ(other->frame, lost);
                EXPECT_EQ(other->late, Side::reference);
            }
}

TEST(TimeStamps, StayInStepWhateverRoundsThem)
{
    for (const double fps : {24000 / 1001., 30., 120.}) {
        EXPECT_FALSE(first_out_of_step(times(5000, fps), times(5000, fps, 0.001)));
        EXPECT_FALSE(first_out_of_step(times(5000, fps, 0.001, 3.3), times(4000, fps, 1 / 90000.)));
        EXPECT_FALSE(first_out_of_step(times(5000, fps), times(5000, fps * 1.0004))) << "slowly";
    }
    // Two videos with equal variable rates are in step, also if one frame is late.
    std::vector<double> variable = times(100, 30);
    for (std::size_t frame = 40; frame < 100; ++frame)
        variable[frame] += static_cast<double>(frame % 3) / 90 + 1;
    EXPECT_FALSE(first_out_of_step(variable, variable));
    std::vector<double> jitter = times(100, 30);
    jitter[50] += 0.025;
    EXPECT_FALSE(first_out_of_step(times(100, 30), jitter));
    EXPECT_FALSE(first_out_of_step({}, jitter));
    EXPECT_FALSE(first_out_of_step(std::vector<double>{0}, jitter));
    EXPECT_FALSE(first_out_of_step(std::vector<double>(100), jitter)) << "no times at all";
}

TEST(TimeStamps, AreToldWithTheCure)
{
    VideoDescription ref, dis;
    ref.name = "r.mp4";
    ref.frame_rate = 25;
    dis.name = "d.mp4";
    dis.frame_rate = 24.99;
    const auto text = tool::out_of_step_text({1000, 40, 40.04, Side::distorted}, ref, dis);
    EXPECT_EQ(text,
              "by their time stamps frames are out of step from number 1000 on (40.00 s in r.mp4, 40.04 s in d.mp4): "
              "d.mp4 lost a frame, and frames are compared by number; fill the gap first: ffmpeg -i d.mp4 -vf fps=25 "
              "-c:v ffv1 d_25fps.mkv");
}

} // namespace
} // namespace vmaf::test
