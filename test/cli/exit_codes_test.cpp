#include <gtest/gtest.h>

#include "shell.h"
#include "tool_test.h"

/// The table of spec cli 9, row by row.
namespace vmaf::test {
namespace {

struct Row {
    std::vector<std::string> arguments;
    int exit_code;
    std::vector<std::string> stderr_gist; ///< each is a part of the output
};

std::string command_line(const Row &row)
{
    std::string text;
    for (const std::string &argument : row.arguments)
        text += "'" + argument + "' ";
    return text;
}

class ExitCodes : public ToolTest {
  protected:
    void check(const Row &row) const
    {
        SCOPED_TRACE(command_line(row));
        const ToolResult result = run(row.arguments);
        EXPECT_EQ(result.exit_code, row.exit_code) << result.err;
        EXPECT_EQ(result.out, "");
        for (const std::string &gist : row.stderr_gist)
            EXPECT_NE(result.err.find(gist), std::string::npos) << gist << " not in:\n" << result.err;
        const std::size_t hint = result.err.find(" (try 'vmaf --help')\n");
        const std::size_t end_of_first_line = result.err.find('\n');
        EXPECT_EQ(hint != std::string::npos, row.exit_code == 1) << result.err;
        EXPECT_TRUE(row.exit_code != 1 || end_of_first_line + 1 == result.err.size()) << result.err;
    }

    /// Arguments after "-r R.y4m -d D.y4m".
    void check_pair(const std::vector<std::string> &more, int exit_code, const std::vector<std::string> &gist) const
    {
        check({pair_of("R.y4m", "D.y4m", more), exit_code, gist});
    }

    std::string damaged_header(const std::string &from, const std::string &to) const
    {
        std::string bytes = read("R.y4m");
        bytes.replace(bytes.find(from), from.size(), to);
        return bytes;
    }
};

// There is no address space for a thread's stack, as in a shell with a small `ulimit -v`.
TEST_F(ExitCodes, ThreadsThatCannotBeStarted)
{
#ifdef VMAF_TEST_OF_SANITIZED_CODE
    GTEST_SKIP() << "sanitizers need the address space themselves";
#endif
#ifndef __GLIBC__
    GTEST_SKIP() << "stacks of threads are not as large as the limit of the process";
#endif
    const std::string text = printed_by(
        directory(), {"sh", "-c",
                      "ulimit -s 4000000 && ulimit -v 3000000 || exit 1; \"$VMAF_TOOL\" -r R.y4m -d D.y4m --gpu none "
                      "-o x.xml; echo exit code $?"});
    if (text.find("ulimit") < text.find('\n') && text.find("vmaf") == text.npos && text.find("exit code") == text.npos)
        GTEST_SKIP() << "limits cannot be set here: " << text;
    for (const char *gist :
         {"cannot start a thread to ", "threads or memory are used up", "use fewer --threads", "exit code 244"})
        EXPECT_NE(text.find(gist), text.npos) << gist << " is not in:\n" << text;
    EXPECT_FALSE(exists("x.xml"));
}

TEST_F(ExitCodes, RequiredOptions)
{
    check({{}, 1, {"reference", "required"}});
    check({{"-r", "R.y4m"}, 1, {"distorted", "required"}});
}

TEST_F(ExitCodes, PlainPairPrintsTheResult)
{
    check_pair({}, 0, {"vmaf_v0.6.1: "});
}

TEST_F(ExitCodes, Version)
{
    for (const char *option : {"--version", "-v"}) {
        const ToolResult result = run({option});
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_EQ(result.err.substr(0, 5), "3.2.0");
        EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
        EXPECT_EQ(result.out, "");
    }
}

TEST_F(ExitCodes, HelpGoesToStdout)
{
    const ToolResult result = run({"--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.out.find("--reference"), std::string::npos);
    EXPECT_EQ(result.err, "");
}

TEST_F(ExitCodes, HelpThatCannotBeWrittenIsAnError)
{
    ToolSetting full, closed;
    full.full_stdout = true;
    closed.closed_stdout = true;
    EXPECT_EQ(run({"--help"}, full).exit_code, 255);
    EXPECT_EQ(run({"--help"}, full).err, "cannot write standard output (No space left on device)\n");
    EXPECT_EQ(run({"--help"}, closed).exit_code, 255);
    EXPECT_EQ(run({"--help"}, closed).err, "cannot write standard output (Broken pipe)\n");
    EXPECT_EQ(run({"--version"}, full).exit_code, 0) << "which is on stderr";
}

TEST_F(ExitCodes, UnknownAmbiguousAndStray)
{
    check_pair({"--foo"}, 1, {"--foo"});
    check_pair({"--frame", "3"}, 1, {"ambiguous"});
    check_pair({"extra"}, 1, {"extra"});
}

TEST_F(ExitCodes, AbbreviationsAttachedValuesAndBundles)
{
    check({{"--ref", "R.y4m", "--dist", "D.y4m"}, 0, {}});
    check({{"-rR.y4m", "-dD.y4m", "-nq", "--feature=psnr"}, 0, {}});
}

TEST_F(ExitCodes, InvalidArguments)
{
    check_pair({"--gpumask", "abc"}, 1, {"abc", "gpumask", "integer"});
    check_pair({"-w", "1x"}, 1, {"1x", "width"});
    check_pair({"-p", "400"}, 1, {"400", "pixel_format", "420"});
    check_pair({"-b", "9"}, 1, {"9", "bitdepth", "16"});
    check_pair({"--frame_cnt", ""}, 1, {"frame_cnt"});
    check_pair({"--threads", "abc"}, 1, {"abc", "threads"});
    check_pair({"--subsample", "abc"}, 1, {"abc", "subsample"});
    check_pair({"--cpumask", "abc"}, 1, {"abc", "cpumask"});
}

TEST_F(ExitCodes, OddNumbersAreAcceptedWithAWarning)
{
    const std::string warning = "warning: --frame_cnt 4294967296 is out of range and read as 0\n";
    EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"--frame_cnt", "4294967296", "--gpu", "none", "-q", "-o", "x"})).err,
              warning);
    check_pair({"--subsample", "0"}, 0, {"warning: --subsample 0 scores every frame"});
    check_pair({"--frame_skip_ref", "-1"}, 234, {"warning: --frame_skip_ref -1 "});
    check_pair({"-w", "-5", "-h", "64", "-p", "420", "-b", "8"}, 255, {"warning: --width -5 ", "too large"});
    check_pair({"--subsample", "0", "--strict"}, 255, {"--subsample 0 scores every frame", "(an error with --strict)"});
}

TEST_F(ExitCodes, RawOptionsComeTogether)
{
    check_pair({"-w", "320"}, 1, {"--width", "--height", "--pixel_format", "--bitdepth"});
    check_pair({"-w", "0", "-h", "64", "-p", "420", "-b", "8"}, 1, {"--width"});
}

TEST_F(ExitCodes, MissingInputs)
{
    check({pair_of("nope", "D.y4m"), 255, {"could not open file: nope"}});
    check({pair_of("R.y4m", "nope"), 255, {"could not open file: nope"}});
    check({pair_of("R.y4m", "/tmp"), 255, {"could not open file: /tmp"}});
}

TEST_F(ExitCodes, UnreadableHeaders)
{
    write("raw.yuv", raw_video(small_shape(), 3, false));
    write("magic.y4m", damaged_header("YUV4MPEG", "YUV5MPEG"));
    write("interlaced.y4m", damaged_header("Ip", "It"));
    write("no_w.y4m", damaged_header("W80", "X80"));
    write("no_h.y4m", damaged_header("H64", "X64"));
    write("no_f.y4m", damaged_header("F25:1", "X25:1"));
    write("chroma.y4m", damaged_header("C420", "C421"));
    write("empty.y4m", "");
    write("endless.y4m", "YUV4MPEG2 " + std::string(5000, 'X'));
    for (const std::string name : {"raw.yuv", "magic.y4m", "interlaced.y4m", "no_w.y4m", "no_h.y4m", "no_f.y4m",
                                   "chroma.y4m", "empty.y4m", "endless.y4m"}) {
        check({pair_of(name, "D.y4m"), 255, {"problem with reference file: " + name}});
        check({pair_of("R.y4m", name), 255, {"problem with distorted file: " + name}});
    }
}

TEST_F(ExitCodes, HeaderOf4096BytesIsRead)
{
    std::string bytes = read("R.y4m");
    const std::size_t end = bytes.find('\n');
    bytes.insert(end, " X" + std::string(4096 - end - 3, 'y'));
    ASSERT_EQ(bytes.find('\n'), 4095U);
    write("long.y4m", bytes);
    check({pair_of("long.y4m", "D.y4m"), 0, {}});
}

TEST_F(ExitCodes, IncompatibleVideos)
{
    write("wide.y4m", y4m_video({192, 144, "420", 8}, 1, false));
    write("deep.y4m", y4m_video({176, 144, "444", 10}, 1, false));
    write("deep420.y4m", y4m_video({80, 64, "420", 10}, 1, false));
    write("sixteen.y4m", y4m_video({70, 60, "420", 8}, 1, false));
    check({pair_of("R.y4m", "deep420.y4m"), 255, {"bitdepths do not match: 8, 10", "incompatible, 1 problem."}});
    check({pair_of("wide.y4m", "deep.y4m"),
           255,
           {"192x144, 176x144", "pixel formats do not match: 420, 444", "bitdepths do not match: 8, 10",
            "videos are incompatible, 3 problems."}});
    check({pair_of("R.y4m", "sixteen.y4m"), 255, {"80x64, 70x60"}});
}

TEST_F(ExitCodes, TooLargeRawIsRefused)
{
    check({pair_of("R.y4m", "D.y4m", {"-w", "70000", "-h", "70000", "-p", "420", "-b", "8"}), 255, {"too large"}});
}

TEST_F(ExitCodes, NothingToScore)
{
    write("empty.yuv", "");
    write("one_byte.yuv", "x");
    const std::vector<std::string> raw = raw_arguments(small_shape());
    check({pair_of("empty.yuv", "empty.yuv", raw), 234, {"no frame pair"}});
    check({pair_of("one_byte.yuv", "one_byte.yuv", raw), 234, {"one_byte.yuv", "frame 0"}});
    check_pair({"--frame_skip_ref", "3", "--frame_skip_dist", "9"}, 234, {"no frame pair"});
    check_pair({"--frame_skip_ref", "-1", "-o", "x.xml"}, 234, {"no frame pair"});
    EXPECT_FALSE(exists("x.xml"));
    EXPECT_FALSE(exists("x.xml.partial"));
}

TEST_F(ExitCodes, Models)
{
    write("x.pkl", "");
    check_pair({"-m", "version=nope"}, 255, {"problem loading model: nope"});
    check_pair({"-m", "path=/nope.json"}, 255, {"problem loading model: /nope.json"});
    check_pair({"-m", "path=x.pkl"}, 255, {"problem loading model: x.pkl", "JSON"});
    check_pair({"-m", "vmaf_v0.6.1"}, 0, {"vmaf_v0.6.1: "});
    check_pair({"-m", "auto"}, 0, {"vmaf_v0.6.1: "});
    check_pair({"-m", ""}, 1, {"bad option string"});
    check_pair({"-m", "version=vmaf_v0.6.1:"}, 1, {"problem parsing model"});
    check_pair({"-m", "version=vmaf_v0.6.1:foo=bar"}, 1, {"problem parsing model", "foo=bar"});
    check_pair({"-m", "nope"}, 1, {"problem parsing model"});
    check_pair({"-m", "version=vmaf_v0.6.1", "-m", "version=vmaf_v0.6.1neg"}, 1, {"uniquely named"});
    check_pair({"-m", "version=vmaf_v0.6.1:vif.vif_enhn_gain_limit=0.5"}, 255,
               {"problem loading feature extractors from model"});
}

TEST_F(ExitCodes, CollectionPrintsPlainLineThenInterval)
{
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"-m", "vmaf_b_v0.6.3", "-m", "vmaf_v0.6.1:name=second"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::size_t plain = result.err.find("vmaf_b_v0.6.3: ");
    const std::size_t second = result.err.find("vmaf_v0.6.1: ");
    const std::size_t interval = result.err.find("vmaf_b_v0.6.3: ", plain + 1);
    ASSERT_NE(interval, std::string::npos) << result.err;
    EXPECT_LT(plain, second);
    EXPECT_LT(second, interval);
    EXPECT_NE(result.err.find(", ci.p95: [", interval), std::string::npos);
    EXPECT_NE(result.err.find("], stddev: ", interval), std::string::npos);
}

TEST_F(ExitCodes, Features)
{
    check_pair({"--feature", "nope"}, 255, {"problem loading feature extractor: nope"});
    check_pair({"--feature", "psnr=enable_chroma=maybe"}, 255, {"problem loading feature extractor: psnr"});
    check_pair({"--feature", "name=psnr"}, 0, {});
    check_pair({"--feature", "psnr,ciede,vif=debug=true"}, 0, {});
    check_pair({"--feature", "psnr="}, 1, {"bad option string"});
    check_pair({"--feature", "psnr=enable_chroma"}, 1, {"bad option string"});
    check_pair({"--feature", "psnr:enable_chroma=false"}, 1, {"bad option string"});
    std::vector<std::string> many;
    for (int i = 0; i < 33; ++i)
        many.insert(many.end(), {"--feature", "psnr"});
    check_pair(many, 1, {"a maximum of 32 features"});
}

TEST_F(ExitCodes, Presets)
{
    check_pair({"--aom_ctc", "v8.0"}, 1, {"v8.0"});
    check_pair({"--aom_ctc", "proposed"}, 1, {"deprecated"});
    check_pair({"--nflx_ctc", "v2.0"}, 1, {"v2.0"});
    check_pair({"--aom_ctc", "v1.0", "--aom_ctc", "v7.0"}, 1, {"uniquely named"});
}

TEST_F(ExitCodes, UnwritableOutputs)
{
    check_pair({"-o", "/nonexistent/x"}, 255, {"could not open file: /nonexistent/x"});
    check_pair({"-o", "/tmp"}, 255, {"could not open file: /tmp"});
    check_pair({"-o", ""}, 255, {"could not open file"});
    check_pair({"-o", "/dev/full"}, 255, {"cannot write /dev/full"});
}

TEST_F(ExitCodes, FirstFrameThatAFeatureRefusesIsASetupError)
{
    write("tiny.yuv", std::string(6, 'x'));
    check({pair_of("tiny.yuv", "tiny.yuv", {"-w", "2", "-h", "2", "-p", "420", "-b", "8", "-o", "x.xml"}), 255, {}});
    EXPECT_FALSE(exists("x.xml"));
    EXPECT_FALSE(exists("x.xml.partial"));
}

TEST_F(ExitCodes, MasksAreAccepted)
{
    check_pair({"--gpumask", "-1", "--cpumask", "-1"}, 0, {});
    check_pair({"-c", "0x3f", "--threads", "0"}, 0, {});
}

} // namespace
} // namespace vmaf::test
