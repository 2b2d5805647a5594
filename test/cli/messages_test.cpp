#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "tool_test.h"

/// Messages of the tool on stderr.
namespace vmaf::test {
namespace {

class Messages : public ToolTest {
  protected:
    /// Expects no byte that a terminal would obey. `quoted` is the form in which text from outside
    /// is shown.
    void expect_harmless(const std::vector<std::string> &arguments, const std::string &quoted) const
    {
        const ToolResult result = run(arguments);
        EXPECT_NE(result.err.find(quoted), std::string::npos) << result.err;
        EXPECT_TRUE(std::ranges::none_of(result.err, [](char c) {
            return c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == '\x7f');
        })) << result.err;
    }

    void write_with_header(const std::string &name, const std::string &from, const std::string &to) const
    {
        std::string bytes = read("R.y4m");
        bytes.replace(bytes.find(from), from.size(), to);
        write(name, bytes);
    }
};

TEST_F(Messages, HeadersAreQuotedEscaped)
{
    for (const auto &[tag, damaged] : {std::pair<std::string, std::string>{"C420", "C\x1b[2J"},
                                       {"W80", "W\x1b[2J"},
                                       {"F25:1", "F\x1b[2J"},
                                       {"Ip", "I\x1b[2J"}}) {
        write_with_header("bad.y4m", tag, damaged);
        expect_harmless(pair_of("bad.y4m", "D.y4m"), damaged.substr(0, 1) + "\\x1b[2J");
    }
    write_with_header("magic.y4m", "YUV4MPEG2", "YUV4MPEG\x1b]0;title\x07");
    expect_harmless(pair_of("magic.y4m", "D.y4m"), "YUV4MPEG\\x1b]0;title\\x07");
}

TEST_F(Messages, FileNamesAreQuotedEscaped)
{
    const std::string name = "x\x1b[2J\nvmaf: 100";
    const std::string shown = "x\\x1b[2J\\x0avmaf: 100";
    expect_harmless(pair_of(name, "D.y4m"), "could not open file: " + shown);
    expect_harmless(pair_of("R.y4m", "D.y4m", {"-o", name + "/x"}), "could not open file: " + shown);
    write(name, read("D4.y4m"));
    expect_harmless(pair_of("R6.y4m", name), "\"" + shown + "\" ended before \"R6.y4m\".");
    write(name, "");
    expect_harmless(pair_of(name, "D.y4m"), "problem with reference file: " + shown);
    write(name, read("D4.y4m").substr(0, 1000));
    expect_harmless(pair_of("R6.y4m", name), shown + ": frame 0: ");
    expect_harmless(pair_of("R.y4m", name, {"-o", name}), shown + " is an input");
}

TEST_F(Messages, OfTheLibraryAreEscapedToo)
{
    expect_harmless(pair_of("R.y4m", "D.y4m", {"--feature", "psnr=\x1b[2J=1"}),
                    "libvmaf WARNING psnr has no option \\x1b[2J: ignored\n");
    expect_harmless(pair_of("R.y4m", "D.y4m", {"-m", "path=x\x1b[2J\nlibvmaf INFO fine"}),
                    "libvmaf ERROR model file x\\x1b[2J\\x0alibvmaf INFO fine: cannot be opened\n");
}

TEST_F(Messages, OfTheLibraryKeepTheirColoursOnATerminal)
{
    if (!VMAF_TOOL_REPLACES_STDERR)
        GTEST_SKIP() << "the library's messages come one by one, without colours, where stderr cannot be assigned to";
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    ToolSetting terminal;
    terminal.terminal = true;
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--feature", "psnr=\x1b[2J=1"}), terminal);
    EXPECT_NE(result.err.find("\x1b[35mlibvmaf\x1b[0m \x1b[33mWARNING\x1b[0m psnr has no option \\x1b[2J: ignored"),
              std::string::npos)
        << result.err;
}

TEST_F(Messages, AMistypedOverloadIsReportedOnce)
{
    for (const char *model : {"vmaf_v0.6.1", "vmaf_b_v0.6.3"}) {
        const std::string mistyped = std::string(model) + ":vif.bogus=1:adm.bogus=2:viff.vif_enhn_gain_limit=1";
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--gpu", "none", "-o", "x.xml", "-m", mistyped}));
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_EQ(result.err, "libvmaf WARNING model vmaf uses no feature viff: the options for it are ignored; "
                              "did you mean vif?\n"
                              "libvmaf WARNING adm has no option bogus: ignored\n"
                              "libvmaf WARNING vif has no option bogus: ignored\n");
    }
}

TEST_F(Messages, NamesThatWereProbablyMeant)
{
    using Arguments = std::vector<std::string>;
    for (const auto &[arguments, exit_code, text] :
         {std::tuple<Arguments, int, std::string>{
              {"--feature", "psrn"}, 255, "problem loading feature extractor: psrn; did you mean psnr?\n"},
          {{"--feature", "psnr_y"}, 255, "problem loading feature extractor: psnr_y; did you mean psnr?\n"},
          {{"--feature", "integer_vif_scale0"}, 255, "; did you mean vif?\n"},
          {{"--feature", "ssim"}, 255, "; did you mean float_ssim?\n"},
          {{"--feature", "MS_SSIM"}, 255, "; did you mean float_ms_ssim?\n"},
          {{"--feature", "PSNR"}, 255, "; did you mean psnr?\n"},
          {{"--feature", "vmaf"}, 255, "; VMAF is a model: -m, vmaf_v0.6.1 by default\n"},
          {{"--feature", "psnr=enable_chroma=maybe"}, 255, "problem loading feature extractor: psnr\n"},
          {{"--feature", "psnr=enable_chrom=true"},
           0,
           "has no option enable_chrom: ignored; did you mean enable_chroma?\n"},
          {{"-m", "SSIM"}, 1, "; SSIM is a feature: --feature float_ssim (try 'vmaf --help')\n"},
          {{"-m", "version=vmaf_v0.61"}, 255, "problem loading model: vmaf_v0.61; did you mean vmaf_v0.6.1?\n"},
          {{"-m", "vmaf_v0.61"}, 1, "; did you mean vmaf_v0.6.1? (try"},
          {{"-m", "path=vmaf_v0.6.1"}, 255, "problem loading model: vmaf_v0.6.1\n"},
          {{"--fail_under", "vamf=90"}, 255, "is scored in this run; did you mean vmaf?\n"},
          {{"--feature", "psnr", "--fail_under", "psnr_x=30"}, 255, "is scored in this run; did you mean psnr_y?\n"},
          {{"-m", "vmaf_v0.6.1:vif.vif_enhn_gain_limt=1"}, 0, "; did you mean vif_enhn_gain_limit?\n"}}) {
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", arguments));
        EXPECT_EQ(result.exit_code, exit_code) << result.err;
        EXPECT_NE(result.err.find(text), std::string::npos) << text << " not in:\n" << result.err;
    }
}

TEST_F(Messages, OptionTextsAreQuotedEscaped)
{
    for (const std::vector<std::string> &arguments : {std::vector<std::string>{"\x1b[2J"},
                                                      {"--\x1b[2J"},
                                                      {"-\x1b[2J"},
                                                      {"--gpu", "\x1b[2J"},
                                                      {"--feature", "a=\x1b[2J"},
                                                      {"--aom_ctc", "\x1b[2J"},
                                                      {"--nflx_ctc", "\x1b[2J"},
                                                      {"-m", "\x1b[2J"},
                                                      {"-m", "name=\x1b[2J"},
                                                      {"-m", "version=a:name=\x1b[2J", "-m", "version=b:name=\x1b[2J"}})
        expect_harmless(pair_of("R.y4m", "D.y4m", arguments), "\\x1b");
}

} // namespace
} // namespace vmaf::test
