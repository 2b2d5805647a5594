#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>

#include "tool_test.h"

/// Where scores go, and what the tool prints meanwhile (spec cli 5, 10.2, 10.3).
namespace vmaf::test {
namespace {

class Outputs : public ToolTest {
  protected:
    ToolResult write_as(const char *format, const std::string &output, const ToolSetting &setting = {}) const
    {
        return run(pair_of("R.y4m", "D.y4m", {format, "--gpu", "none", "-o", output}), setting);
    }
};

TEST_F(Outputs, EveryFormatStartsAsItShould)
{
    const std::pair<const char *, const char *> kStarts[] = {{"--xml", "<VMAF version=\""},
                                                             {"--json", "{\n  \"version\": \""},
                                                             {"--csv", "Frame,"},
                                                             {"--sub", "{0}{1}frame: 0|"}};
    for (const auto &[format, start] : kStarts) {
        EXPECT_EQ(write_as(format, "x").exit_code, 0);
        EXPECT_EQ(read("x").substr(0, std::string_view(start).size()), start);
        EXPECT_FALSE(exists("x.partial"));
    }
    EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"-o", "default"})).exit_code, 0);
    EXPECT_EQ(read("default").substr(0, 5), "<VMAF");
}

TEST_F(Outputs, DashIsStandardOutput)
{
    ASSERT_EQ(write_as("--csv", "file.csv").exit_code, 0);
    const std::string expected = read("file.csv");
    for (const auto &arguments :
         {pair_of("R.y4m", "D.y4m", {"--csv", "-o", "-"}), pair_of("R.y4m", "D.y4m", {"--csv", "-"}),
          pair_of("R.y4m", "D.y4m", {"--csv", "-o", "/dev/stdout"})}) {
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.out, expected);
    }
    EXPECT_EQ(write_as("--csv", "./-").exit_code, 0);
    EXPECT_EQ(read("-"), expected);
}

TEST_F(Outputs, ClosedStandardOutputIsAWriteError)
{
    ToolSetting setting;
    setting.closed_stdout = true;
    const ToolResult result = write_as("--json", "-", setting);
    EXPECT_EQ(result.exit_code, 255) << result.err;
    EXPECT_NE(result.err.find("cannot write"), std::string::npos) << result.err;
}

TEST_F(Outputs, WhatCannotBeOpenedIsCalledAsItWasGiven)
{
    std::filesystem::create_symlink("nonexistent/target", path("link"));
    const std::string long_name(300, 'x');
    for (const auto &[name, error] : {std::pair<std::string, int>{"/nonexistent/x", ENOENT},
                                      {"link", ENOENT},
                                      {"R.y4m/x", ENOTDIR},
                                      {".", EISDIR},
                                      {long_name, ENAMETOOLONG},
                                      {std::string(250, 'x'), ENAMETOOLONG}}) {
        const ToolResult result = write_as("--json", name);
        EXPECT_EQ(result.exit_code, 255);
        EXPECT_EQ(result.err, "could not open file: " + name + " (" + std::strerror(error) + ")\n");
    }
}

TEST_F(Outputs, FullDiskIsCalledSo)
{
    const ToolResult device = write_as("--json", "/dev/full");
    EXPECT_EQ(device.exit_code, 255);
    EXPECT_NE(device.err.find("cannot write /dev/full (No space left on device)"), std::string::npos) << device.err;
    ToolSetting full;
    full.full_stdout = true;
    const ToolResult result = write_as("--json", "-", full);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("cannot write standard output (No space left on device)"), std::string::npos)
        << result.err;
}

TEST_F(Outputs, FileThatMayNotGrowLeavesNothing)
{
    ToolSetting limited;
    limited.file_size_limit = 500;
    write("x.json", "older");
    const ToolResult result = write_as("--json", "x.json", limited);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("(File too large)"), std::string::npos) << result.err;
    EXPECT_EQ(read("x.json"), "older");
    EXPECT_FALSE(exists("x.json.partial"));
}

TEST_F(Outputs, FifoGetsTheWholeFile)
{
    ASSERT_EQ(write_as("--csv", "file.csv").exit_code, 0);
    ::mkfifo(path("fifo").c_str(), 0600);
    ToolProcess tool(directory(), pair_of("R.y4m", "D.y4m", {"--csv", "-o", "fifo"}));
    const std::string text = read("fifo");
    EXPECT_EQ(tool.wait().exit_code, 0);
    EXPECT_EQ(text, read("file.csv"));
}

TEST_F(Outputs, OlderFileIsReplacedAndKeepsItsMode)
{
    write("x.csv", "older");
    ::chmod(path("x.csv").c_str(), 0640);
    EXPECT_EQ(write_as("--csv", "x.csv").exit_code, 0);
    EXPECT_EQ(read("x.csv").substr(0, 6), "Frame,");
    struct stat status {};
    ASSERT_EQ(::stat(path("x.csv").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST_F(Outputs, SymbolicLinkStaysAndItsTargetIsWritten)
{
    std::filesystem::create_directory(path("sub"));
    std::filesystem::create_symlink("sub/target.csv", path("link.csv"));
    EXPECT_EQ(write_as("--csv", "link.csv").exit_code, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.csv")));
    EXPECT_EQ(read("sub/target.csv").substr(0, 6), "Frame,");
}

TEST_F(Outputs, InputsAreNeverOverwritten)
{
    std::filesystem::create_symlink("D.y4m", path("link"));
    std::filesystem::create_hard_link(path("R.y4m"), path("hard.y4m"));
    std::filesystem::create_hard_link(path("R.y4m"), path("x.partial"));
    const std::string ref = read("R.y4m");
    const std::string dis = read("D.y4m");
    for (const char *output : {"R.y4m", "D.y4m", "link", "hard.y4m", "x"}) {
        const ToolResult result = write_as("--json", output);
        EXPECT_EQ(result.exit_code, 255) << output;
        EXPECT_NE(result.err.find("is an input"), std::string::npos) << result.err;
    }
    EXPECT_EQ(read("R.y4m"), ref);
    EXPECT_EQ(read("D.y4m"), dis);
}

TEST_F(Outputs, ModelFileIsNeverOverwritten)
{
    write("model.json", "not even a model");
    EXPECT_NE(run(pair_of("R.y4m", "D.y4m", {"-m", "path=model.json", "-o", "model.json"})).err.find("is an input"),
              std::string::npos);
    EXPECT_EQ(read("model.json"), "not even a model");
}

TEST_F(Outputs, StandardErrorGetsTheFileBehindTheMessages)
{
    for (const char *output : {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}) {
        const ToolResult result = run(pair_of("R6.y4m", "D4.y4m", {"--gpu", "none", "-o", output}));
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_EQ(result.err.find("\n\"D4.y4m\" ended before \"R6.y4m\".\n<VMAF"), 0U) << output;
    }
}

TEST_F(Outputs, DescriptorsThatCannotBeWrittenToAreRefusedAtTheStart)
{
    for (const char *output : {"/dev/fd/0", "/dev/fd/99", "/dev/fd/x", "/dev/fd/"})
        EXPECT_EQ(write_as("--csv", output).err.find("could not open file: " + std::string(output) + " ("), 0U);
}

TEST_F(Outputs, SomebodyElsesLinkInASharedDirectoryIsNotFollowed)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can make a link that is somebody else's";
    std::filesystem::create_directory(path("shared"));
    ::chmod(path("shared").c_str(), 01777);
    write("victim", "kept");
    for (const char *target : {"../victim", "../nothing"}) {
        std::filesystem::remove(path("shared/x"));
        std::filesystem::create_symlink(target, path("shared/x"));
        ASSERT_EQ(::lchown(path("shared/x").c_str(), 65534, 65534), 0);
        EXPECT_EQ(write_as("--csv", "shared/x").exit_code, 255);
        EXPECT_EQ(write_as("--csv", "shared/x").err, "could not open file: shared/x (Permission denied)\n");
    }
    EXPECT_EQ(read("victim"), "kept");
    EXPECT_FALSE(exists("nothing"));
}

TEST_F(Outputs, FailureBeforeScoringLeavesNoFile)
{
    write("x.csv", "older");
    EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"-m", "version=nope", "-o", "x.csv"})).exit_code, 255);
    EXPECT_EQ(read("x.csv"), "older");
    EXPECT_FALSE(exists("x.csv.partial"));
}

TEST_F(Outputs, ResultLinesWithoutTerminalOnlyWithoutFile)
{
    EXPECT_NE(run(pair_of("R.y4m", "D.y4m", {"-q"})).err.find("vmaf_v0.6.1: "), std::string::npos);
    EXPECT_EQ(write_as("--csv", "x.csv").err, "");
    EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"-n", "--feature", "psnr", "--gpu", "none"})).err, "");
}

TEST_F(Outputs, ResultLineIsTheMeanOfTheFile)
{
    const ToolResult result =
        run(pair_of("R.y4m", "D.y4m", {"-m", "version=vmaf_v0.6.1:name=column", "--gpu", "none"}));
    const auto file = scores(pair_of("R.y4m", "D.y4m"));
    char line[64];
    std::snprintf(line, sizeof line, "vmaf_v0.6.1: %.6f\n", file["pooled_metrics"]["vmaf"]["mean"].get<double>());
    EXPECT_EQ(result.err, line);
}

TEST_F(Outputs, TerminalSeesBannerProgressAndResult)
{
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    ToolSetting terminal;
    terminal.terminal = true;
    const ToolResult result = write_as("--csv", "x.csv", terminal);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err.substr(0, 13), "VMAF version ");
    EXPECT_NE(result.err.find("3/3 100%"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("finishing"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("\nvmaf_v0.6.1: "), std::string::npos) << result.err;
}

TEST_F(Outputs, BarEndsAtItsFinalState)
{
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    ToolSetting terminal;
    terminal.terminal = true;
    const auto last_bar = [&](const std::string &dis, const std::vector<std::string> &more) {
        const std::string err = run(pair_of("R6.y4m", dis, more), terminal).err;
        const std::size_t start = err.rfind("\r  ");
        return start == err.npos ? err : err.substr(start, err.find('\n', start) - start);
    };
    write("cut.y4m", read("D6.y4m").substr(0, read("D6.y4m").size() / 2));
    const std::string complete = last_bar("D6.y4m", {});
    EXPECT_EQ(complete.find("\r  6/6 100% [==================] "), 0U) << complete;
    EXPECT_NE(complete.find(" fps  ETA 0:00:00"), std::string::npos) << complete;
    const std::string cut = last_bar("cut.y4m", {});
    EXPECT_NE(cut.find(" fps"), std::string::npos) << cut;
}

TEST_F(Outputs, BarEndsAt100PercentWhateverTheSizePromised)
{
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    ToolSetting terminal;
    terminal.terminal = true;
    constexpr unsigned kFrames = 12;
    std::string promising = y4m_video({16, 16, "420", 8}, kFrames, false);
    for (std::size_t at = 0; (at = promising.find("FRAME\n", at)) != promising.npos; at += 70)
        promising.insert(at + 5, " " + std::string(64, 'X')); // all headers together have the bytes of two frames
    write("promising.y4m", promising);
    const std::string err = run(pair_of("promising.y4m", "promising.y4m", {"-n", "--feature", "psnr"}), terminal).err;
    const std::string last = err.substr(std::min(err.rfind("\r  "), err.size()));
    EXPECT_EQ(last.find("\r  12/12 100% [==================] "), 0U) << err;
}

TEST_F(Outputs, QuietTerminalSeesOnlyTheResultIfThereIsNoFile)
{
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    ToolSetting terminal;
    terminal.terminal = true;
    EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"-q", "--gpu", "none", "-o", "x.xml"}), terminal).err, "");
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"-q", "--gpu", "none"}), terminal);
    EXPECT_EQ(result.err.substr(0, 13), "vmaf_v0.6.1: ");
}

TEST_F(Outputs, ProgressCanBeTurnedOffOnATerminal)
{
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    ToolSetting terminal;
    terminal.terminal = true;
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--progress", "none"}), terminal);
    EXPECT_EQ(result.err.find("finishing"), std::string::npos) << result.err;
}

TEST_F(Outputs, BarIsNotDrawnOutsideATerminal)
{
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--progress", "bar"}));
    EXPECT_EQ(result.err.find('\r'), std::string::npos);
    EXPECT_EQ(result.err.find('\x1b'), std::string::npos);
}

} // namespace
} // namespace vmaf::test
