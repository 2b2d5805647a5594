#include <gtest/gtest.h>

#include <cstdio>

#include "common/console.h"
#include "scoring/library_log.h"

namespace vmaf::test {
namespace {

using tool::Failure;
using tool::ScoringStopped;
using tool::StopReason;
using tool::Warnings;

TEST(Warnings, AreSaidAtOnceAndKept)
{
    Warnings warnings(false);
    testing::internal::CaptureStderr();
    warnings.warn("odd");
    warnings.frames_follow();
    warnings.warn("odder");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: odd\nwarning: odder\n");
    EXPECT_EQ(warnings.texts(), (std::vector<std::string>{"odd", "odder"}));
}

TEST(Warnings, StrictIsAnErrorOfTheSetUpBeforeTheFrames)
{
    Warnings warnings(true);
    try {
        warnings.warn("odd");
        ADD_FAILURE() << "went on";
    } catch (const ScoringStopped &) {
        ADD_FAILURE() << "nothing was scored yet";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.exit_code(), 255);
        EXPECT_STREQ(failure.what(), "odd (an error with --strict)");
    }
}

TEST(Warnings, ThatTheLibrarySaysAreKeptOnce)
{
    Warnings warnings(false);
    testing::internal::CaptureStderr();
    warnings.add_said("odd");
    warnings.add_said("odd");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(warnings.texts(), std::vector<std::string>{"odd"});
    EXPECT_THROW(Warnings(true).add_said("odd"), Failure);
}

TEST(Warnings, StrictKeepsTheScoresAmongTheFrames)
{
    Warnings warnings(true);
    warnings.frames_follow();
    try {
        warnings.warn("odd", StopReason::truncated_input);
        ADD_FAILURE() << "went on";
    } catch (const ScoringStopped &stop) {
        EXPECT_EQ(stop.exit_code(), 234);
        EXPECT_EQ(stop.reason(), StopReason::truncated_input);
    }
}

TEST(LibraryLog, LetsWhoeverKeptItsStderrWriteThereLater)
{
    std::FILE *kept = nullptr;
    {
        const tool::LibraryLog log;
        kept = stderr; // as a driver does if it is loaded now
    }
    testing::internal::CaptureStderr();
    std::fputs("late\n", kept);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "late\n");
}

} // namespace
} // namespace vmaf::test
