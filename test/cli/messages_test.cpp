#include <algorithm>

#include <gtest/gtest.h>

#include "tool_test.h"

/// What the tool says on stderr.
namespace vmaf::test {
namespace {

class Messages : public ToolTest {
  protected:
    /// No byte that a terminal would obey; `quoted` is how the text from outside is shown.
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
