#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include <gtest/gtest.h>

#include "tool_test.h"
#include "two_fifos.h"

/// FIFOs and signals. The tool does not wait for input that will not come, and keeps what it has
/// scored (spec cli 3, 10.4).
namespace vmaf::test {
namespace {

using Fifos = ToolTest;

TEST_F(Fifos, TwoFifosFromOneWriterInTurn)
{
    constexpr unsigned kFrames = 40; // more than queues and the pool hold
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--json", "-o", "x.json"}));
    fifos.begin(kFrames);
    fifos.close();
    const ToolResult result = tool.wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(frame_numbers(nlohmann::json::parse(read("x.json"))).size(), kFrames);
}

TEST_F(Fifos, FrameCountDoesNotWaitForAnIdleWriter)
{
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--frame_cnt", "3"}));
    fifos.begin(3);
    EXPECT_EQ(tool.wait().exit_code, 0);
}

class Interruption : public ToolTest {
  protected:
    /// Writes 12 frames and keeps the FIFO open. The signal comes when the tool has nothing left to
    /// do.
    ToolResult interrupt(int signal, const std::vector<std::string> &more) const
    {
        TwoFifos fifos(directory());
        ToolProcess tool(directory(), pair_of("ref", "dis", more));
        fifos.begin(12);
        tool.wait_until_idle();
        tool.send(signal);
        return tool.wait();
    }
};

TEST_F(Interruption, KeepsItsCodeWhateverGatesDemand)
{
    const ToolResult result = interrupt(SIGTERM, {"--fail_under", "101", "--json", "-o", "x.json"});
    EXPECT_EQ(result.exit_code, 143) << result.err;
    EXPECT_TRUE(exists("x.json.partial"));
    EXPECT_EQ(result.err.find("below"), std::string::npos) << result.err;
}

TEST_F(Interruption, WritesPartialResults)
{
    write("x.json", "older");
    const ToolResult result = interrupt(SIGINT, {"--json", "-o", "x.json"});
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_EQ(read("x.json"), "older");
    const auto partial = nlohmann::json::parse(read("x.json.partial"));
    EXPECT_EQ(partial.at("incomplete").at("reason"), "interrupted");
    const unsigned frames = partial.at("incomplete").at("frames");
    EXPECT_GT(frames, 0U);
    EXPECT_LE(frames, 12U);
    EXPECT_EQ(frame_numbers(partial).size(), frames);
    EXPECT_TRUE(partial["frames"][frames - 1]["metrics"].contains("vmaf"));
    const std::string said = "stopped after " + std::to_string(frames) + " frames (interrupted); partial results in ";
    EXPECT_NE(result.err.find(said + path("x.json.partial").filename().string()), std::string::npos) << result.err;
}

TEST_F(Interruption, ExitCodeTellsTheSignal)
{
    EXPECT_EQ(interrupt(SIGTERM, {}).exit_code, 143);
}

TEST_F(Interruption, BeforeTheFirstFrameLeavesNoFile)
{
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"-o", "x.xml"}));
    fifos.begin(0);
    tool.wait_until_idle();
    tool.send(SIGHUP);
    EXPECT_EQ(tool.wait().exit_code, 129);
    EXPECT_FALSE(exists("x.xml"));
    EXPECT_FALSE(exists("x.xml.partial"));
}

TEST_F(Interruption, HasItsExitCodeWhileAFifoIsAwaited)
{
    ::mkfifo(path("fifo").c_str(), 0600);
    for (const auto &arguments : {pair_of("fifo", "D.y4m"), pair_of("R.y4m", "D.y4m", {"-o", "fifo"}),
                                  pair_of("R.y4m", "D.y4m", {"-m", "path=fifo"})}) {
        ToolProcess tool(directory(), arguments);
        tool.wait_until_idle();
        tool.send(SIGINT);
        EXPECT_EQ(tool.wait().exit_code, 130);
    }
}

TEST_F(Interruption, IgnoredSignalStaysIgnored)
{
    ToolSetting as_nohup;
    as_nohup.ignored_signal = SIGHUP;
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--json", "-o", "x.json"}), as_nohup);
    fifos.begin(2);
    tool.wait_until_idle();
    tool.send(SIGHUP);
    fifos.write_frames(2, 2);
    fifos.close();
    EXPECT_EQ(tool.wait().exit_code, 0);
    EXPECT_EQ(frame_numbers(nlohmann::json::parse(read("x.json"))).size(), 4U);
}

// coreutils' timeout signals twice: first the process, then its group.
TEST_F(Interruption, WritesPartialResultsWhereTheSignalComesTwice)
{
    for (unsigned between_us = 0; between_us < 16'000; between_us += 2'000) {
        SCOPED_TRACE(between_us);
        std::filesystem::remove(path("x.json.partial"));
        TwoFifos fifos(directory());
        ToolProcess tool(directory(), pair_of("ref", "dis", {"--json", "-o", "x.json"}));
        fifos.begin(12);
        tool.wait_until_idle();
        tool.send(SIGTERM);
        ::usleep(between_us);
        tool.send(SIGTERM);
        EXPECT_EQ(tool.wait().exit_code, 143);
        EXPECT_TRUE(exists("x.json.partial"));
        for (const char *fifo : {"ref", "dis"})
            std::filesystem::remove(path(fifo));
    }
}

TEST_F(Interruption, SecondSignalEndsAtOnce)
{
    // The partial results go to a FIFO that nobody empties, so writing them does not end.
    ::mkfifo(path("out").c_str(), 0600);
    const int out = ::open(path("out").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ::fcntl(out, F_SETPIPE_SZ, 4096);
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--json", "-o", "out"}));
    fifos.begin(12);
    tool.wait_until_idle();
    tool.send(SIGINT);
    tool.wait_until_idle();
    tool.send(SIGTERM);
    EXPECT_EQ(tool.wait().exit_code, 130);
    ::close(out);
}

} // namespace
} // namespace vmaf::test
