#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include <gtest/gtest.h>

#include "tool_test.h"
#include "two_fifos.h"

/// PATH.partial (spec cli 10.2, 10.4): which files may be there, what happens to them, and when
/// they change.
namespace vmaf::test {
namespace {

class PartialResults : public ToolTest {
  protected:
    PartialResults() { write("cut.y4m", read("D6.y4m").substr(0, read("D6.y4m").size() / 2)); }

    ToolResult run_to_the_end(const std::string &output) const
    {
        return run(pair_of("R6.y4m", "D6.y4m", {"--json", "--gpu", "none", "-o", output}));
    }
    ToolResult run_into_the_cut(const std::string &output, const ToolSetting &setting = {}) const
    {
        return run(pair_of("R6.y4m", "cut.y4m", {"--json", "--gpu", "none", "-o", output}), setting);
    }

    std::size_t frames_in(const std::string &name) const
    {
        return nlohmann::json::parse(read(name), nullptr, false).value("frames", nlohmann::json()).size();
    }
    bool is_link(const std::string &name) const { return std::filesystem::is_symlink(path(name)); }

    /// Files other than the videos and the test's own.
    std::vector<std::string> made() const
    {
        std::vector<std::string> names;
        for (const auto &entry : std::filesystem::directory_iterator(directory())) {
            const std::string name = entry.path().filename();
            if (!name.ends_with(".y4m") && name != ".stdout" && name != ".stderr" && name != "ref" && name != "dis")
                names.push_back(name);
        }
        return names;
    }
};

using Names = std::vector<std::string>;

TEST_F(PartialResults, LinkIsNotFollowedByACompleteRun)
{
    write("victim", "kept");
    for (const char *target : {"victim", "nothing"}) {
        std::filesystem::remove(path("x.json.partial"));
        std::filesystem::create_symlink(target, path("x.json.partial"));
        EXPECT_EQ(run_to_the_end("x.json").exit_code, 0);
        EXPECT_FALSE(is_link("x.json"));
        EXPECT_TRUE(is_link("x.json.partial")) << "no earlier run has made it";
        EXPECT_EQ(frames_in("x.json"), 6U);
    }
    EXPECT_EQ(read("victim"), "kept");
    EXPECT_FALSE(exists("nothing"));
}

TEST_F(PartialResults, LinkIsReplacedByAnIncompleteRun)
{
    write("victim", "kept");
    for (const char *target : {"victim", "nothing"}) {
        std::filesystem::remove(path("x.json.partial"));
        std::filesystem::create_symlink(target, path("x.json.partial"));
        EXPECT_EQ(run_into_the_cut("x.json").exit_code, 234);
        EXPECT_FALSE(is_link("x.json.partial"));
        EXPECT_GT(frames_in("x.json.partial"), 0U);
    }
    EXPECT_EQ(read("victim"), "kept");
    EXPECT_FALSE(exists("nothing"));
}

TEST_F(PartialResults, LinkIsLeftAloneByARunThatFails)
{
    write("victim", "kept");
    std::filesystem::create_symlink("victim", path("x.json.partial"));
    EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"-m", "version=nope", "-o", "x.json"})).exit_code, 255);
    EXPECT_EQ(read("victim"), "kept");
    EXPECT_TRUE(is_link("x.json.partial"));
}

TEST_F(PartialResults, WhatIsNoFileIsRefused)
{
    std::filesystem::create_directory(path("directory.partial"));
    ASSERT_EQ(::mkfifo(path("FIFO.partial").c_str(), 0600), 0);
    const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = path("socket.partial");
    ASSERT_LT(name.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, name.c_str(), name.size());
    ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    for (const std::string kind : {"directory", "FIFO", "socket"}) {
        const ToolResult result = run_to_the_end(kind);
        EXPECT_EQ(result.exit_code, 255) << kind;
        EXPECT_EQ(result.err, "could not open file: " + kind + " (partial results would go to " + kind +
                                  ".partial, which is a " + kind + ")\n");
        EXPECT_FALSE(exists(kind));
    }
    ::close(listener);
}

TEST_F(PartialResults, OutliveRunsThatDoNotStart)
{
    write("x.json", "older scores");
    write("x.json.partial", "older partial scores");
    write("tiny.y4m", y4m_video({16, 16, "420", 8}, 1, false));
    write("empty.yuv", "");
    const Names with_output{"--json", "-o", "x.json"};
    const auto pair = [&](const std::string &ref, const std::string &dis, Names more) {
        more.insert(more.end(), with_output.begin(), with_output.end());
        return pair_of(ref, dis, more);
    };
    Names raw = raw_arguments(small_shape());
    for (const Names &arguments :
         {pair("R.y4m", "D.y4m", {"--unknown"}), pair("R.y4m", "D.y4m", {"stray"}),
          pair("R.y4m", "D.y4m", {"--threads", "x"}), pair("missing", "D.y4m", {}), pair("R.y4m", "missing", {}),
          pair("R.y4m", "tiny.y4m", {}), pair("R.y4m", "D.y4m", {"-m", "version=nope"}),
          pair("R.y4m", "D.y4m", {"-m", "path=nope"}), pair("R.y4m", "D.y4m", {"--feature", "nope"}),
          pair("R.y4m", "D.y4m", {"--feature", "psnr=enable_chroma=maybe"}), pair("R.y4m", "D.y4m", {"--gpu", "99"}),
          pair("tiny.y4m", "tiny.y4m", {"--feature", "float_ms_ssim"}), pair("empty.yuv", "empty.yuv", raw),
          pair("R.y4m", "D.y4m", {"--frame_skip_ref", "9"})}) {
        EXPECT_NE(run(arguments).exit_code, 0) << arguments[4];
        EXPECT_EQ(read("x.json.partial"), "older partial scores") << arguments[4];
        EXPECT_EQ(read("x.json"), "older scores") << arguments[4];
    }
}

TEST_F(PartialResults, OfAnEarlierRunAreReplacedByLaterOnes)
{
    write("x.json.partial", "older");
    EXPECT_EQ(run_into_the_cut("x.json").exit_code, 234);
    EXPECT_GT(frames_in("x.json.partial"), 0U);
    EXPECT_EQ(run_to_the_end("x.json").exit_code, 0);
    EXPECT_EQ(made(), Names{"x.json"});
}

TEST_F(PartialResults, ThatCannotBeWrittenLeaveTheEarlierOnes)
{
    write("x.json.partial", "older");
    ToolSetting limited;
    limited.file_size_limit = 500;
    const ToolResult result = run_into_the_cut("x.json", limited);
    EXPECT_EQ(result.exit_code, 234);
    EXPECT_NE(result.err.find("cannot write x.json.partial (File too large)"), std::string::npos) << result.err;
    EXPECT_EQ(read("x.json.partial"), "older");
    EXPECT_EQ(made(), Names{"x.json.partial"});
}

TEST_F(PartialResults, NothingIsMadeBeforeThereAreScores)
{
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--gpu", "none", "-o", "x.xml"}));
    fifos.begin(2);
    tool.wait_until_idle();
    EXPECT_EQ(made(), Names{});
    tool.send(SIGKILL);
    EXPECT_EQ(tool.wait().signal, SIGKILL);
    EXPECT_EQ(made(), Names{});
}

TEST_F(PartialResults, ASecondSignalLeavesNothingEmpty)
{
    ToolSetting setting;
    setting.stuck_stderr = true; // the tool cannot say that it was interrupted, and does not start to write
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--gpu", "none", "-o", "x.xml"}), setting);
    fifos.begin(12);
    tool.wait_until_idle();
    tool.send(SIGINT);
    tool.wait_until_idle();
    tool.send(SIGINT);
    EXPECT_EQ(tool.wait().exit_code, 130);
    EXPECT_EQ(made(), Names{});
}

TEST_F(PartialResults, TakeScoresThatCannotTakeTheirPlace)
{
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--json", "--gpu", "none", "-o", "x.json"}));
    fifos.begin(3);
    tool.wait_until_idle();
    std::filesystem::create_directory(path("x.json"));
    fifos.close();
    const ToolResult result = tool.wait();
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("cannot write x.json (Is a directory); the scores are in x.json.partial"),
              std::string::npos)
        << result.err;
    EXPECT_EQ(frames_in("x.json.partial"), 3U);
}

} // namespace
} // namespace vmaf::test
