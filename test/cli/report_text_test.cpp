#include <gtest/gtest.h>

#include <chrono>

#include "cli/progress.h"
#include "common/console.h"
#include "input/compatibility.h"
#include "output/score_text.h"

namespace vmaf::tool {
namespace {

using namespace std::chrono_literals;

ProgressState state(std::uint64_t frames, std::optional<std::uint64_t> total)
{
    ProgressState state;
    state.frames = frames;
    state.total = total;
    state.fps = 812.3;
    state.elapsed = 2s;
    return state;
}

TEST(ProgressText, BarShowsShareRateAndTimeLeft)
{
    // A quarter is done in 2 s, so 6 s are left. The bar has 18 columns, and 4 of them are done.
    EXPECT_EQ(bar_line(state(1000, 4000), 79), "  1000/4000  25% [====>             ]  812.3 fps  ETA 0:00:06");
    EXPECT_EQ(bar_line(state(4000, 4000), 79), "  4000/4000 100% [==================]  812.3 fps  ETA 0:00:00");
}

TEST(ProgressText, TimeLeftIsRoundedUp)
{
    EXPECT_EQ(plain_line(state(3000, 4000)), "progress frame=3000 total=4000 fps=812.3 eta=1") << "of 0.67 s";
}

TEST(ProgressText, UnknownTotalShowsTimeGone)
{
    EXPECT_EQ(bar_line(state(1234, std::nullopt), 79), "  1234 frames  812.3 fps  0:00:02");
}

TEST(ProgressText, NarrowTerminalLosesBarThenPercentage)
{
    EXPECT_EQ(bar_line(state(1000, 4000), 50), "  1000/4000  25%  812.3 fps  ETA 0:00:06");
    EXPECT_EQ(bar_line(state(1000, 4000), 36), "  1000/4000  812.3 fps  ETA 0:00:06");
    EXPECT_EQ(bar_line(state(1000, 4000), 9), "  1000/40");
}

TEST(ProgressText, PlainLineIsMachineReadable)
{
    EXPECT_EQ(plain_line(state(1000, 4000)), "progress frame=1000 total=4000 fps=812.3 eta=6");
    EXPECT_EQ(plain_line(state(1000, std::nullopt)), "progress frame=1000 total=0 fps=812.3 eta=-1");
}

TEST(ProgressText, MoreFramesThanExpectedAreNoTrouble)
{
    EXPECT_EQ(plain_line(state(5000, 4000)), "progress frame=5000 total=4000 fps=812.3 eta=0");
    EXPECT_EQ(bar_line(state(5000, 4000), 79), "  5000/4000 100% [==================]  812.3 fps  ETA 0:00:00");
}

TEST(FrameRate, CoversTheLastTwoSeconds)
{
    const FrameRate::Time start;
    FrameRate rate(start);
    EXPECT_DOUBLE_EQ(rate.update(start + 1s, 10), 10.0);
    EXPECT_DOUBLE_EQ(rate.update(start + 2s, 20), 10.0);
    for (int second = 3; second <= 6; ++second)
        rate.update(start + second * 1s, 20 + static_cast<unsigned>(second - 2) * 100);
    EXPECT_DOUBLE_EQ(rate.update(start + 7s, 520), 100.0);
}

std::string g_shown;

/// The terminal's line at the end of a run with fewer frames than expected.
template <class End> std::string last_state(End end)
{
    g_shown.clear();
    redirect_console([](std::string_view text) { g_shown += text; });
    {
        Progress progress(ProgressKind::bar, 10);
        for (int frame = 0; frame < 7; ++frame)
            progress.frame_read();
        progress.finishing();
        end(progress);
    }
    redirect_console(nullptr);
    return g_shown.substr(g_shown.rfind('\r'));
}

TEST(Progress, EndsAtAllFramesThatThereWere)
{
    const std::string finished = last_state([](Progress &progress) { progress.finished(); });
    EXPECT_NE(finished.find("  7/7 100% ["), finished.npos) << finished;
    EXPECT_EQ(finished.find("finishing"), finished.npos) << finished;
    const std::string stopped = last_state([](Progress &progress) { progress.stopped(); });
    EXPECT_NE(stopped.find("  7/10  70% ["), stopped.npos) << stopped;
}

TEST(ProgressKind, BarNeedsATerminal)
{
    EXPECT_EQ(choose_progress(ProgressKind::automatic, false, true), ProgressKind::bar);
    EXPECT_EQ(choose_progress(ProgressKind::automatic, true, true), ProgressKind::none);
    EXPECT_EQ(choose_progress(ProgressKind::automatic, false, false), ProgressKind::none);
    EXPECT_EQ(choose_progress(ProgressKind::bar, true, true), ProgressKind::bar);
    EXPECT_EQ(choose_progress(ProgressKind::bar, false, false), ProgressKind::plain);
    EXPECT_EQ(choose_progress(ProgressKind::none, false, true), ProgressKind::none);
}

TEST(IncompleteMark, IsTheLastJsonMember)
{
    EXPECT_EQ(mark_incomplete("{\n  \"aggregate_metrics\": {\n  }\n}\n", VMAF_OUTPUT_FORMAT_JSON,
                              {StopReason::interrupted, 7}),
              "{\n  \"aggregate_metrics\": {\n  },\n  \"incomplete\": {\"reason\": \"interrupted\", \"frames\": "
              "7}\n}\n");
}

TEST(IncompleteMark, IsACommentBeforeTheClosingXmlTag)
{
    EXPECT_EQ(mark_incomplete("<VMAF>\n</VMAF>\n", VMAF_OUTPUT_FORMAT_XML, {StopReason::truncated_input, 2}),
              "<VMAF>\n  <!-- incomplete: reason=\"truncated input\" frames=\"2\" -->\n</VMAF>\n");
}

TEST(IncompleteMark, LeavesCsvAndSubAlone)
{
    EXPECT_EQ(mark_incomplete("a\n", VMAF_OUTPUT_FORMAT_CSV, {StopReason::decode_error, 2}), "a\n");
    EXPECT_EQ(mark_incomplete("a\n", VMAF_OUTPUT_FORMAT_SUB, {StopReason::engine_error, 2}), "a\n");
}

TEST(Compatibility, NamesEveryDifference)
{
    const VideoFormat ref{192, 144, VMAF_PIX_FMT_YUV420P, 8};
    const VideoFormat dis{176, 144, VMAF_PIX_FMT_YUV444P, 10};
    EXPECT_EQ(incompatibilities(ref, dis).size(), 3U);
    EXPECT_TRUE(incompatibilities(ref, ref).empty());
}

} // namespace
} // namespace vmaf::tool
