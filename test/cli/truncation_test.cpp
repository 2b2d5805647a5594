#include <gtest/gtest.h>

#include "tool_test.h"

/// Damaged inputs. The frames before the damage are kept (spec cli 3.4, 10.4).
namespace vmaf::test {
namespace {

class Truncation : public ToolTest {
  protected:
    /// Cuts a Y4M file inside frame `frame`.
    void cut(const std::string &from, const std::string &to, unsigned frame) const
    {
        const std::size_t header = y4m_header(small_shape(), "420").size();
        const std::size_t frame_size = 6 + frame_bytes(small_shape(), make_frame(small_shape(), 0, false)).size();
        write(to, read(from).substr(0, header + frame * frame_size + 100));
    }

    void expect_two_frames(const std::string &ref, const std::string &dis, const std::string &culprit) const
    {
        const ToolResult result = run(pair_of(ref, dis, {"--json", "-o", "x.json"}));
        EXPECT_EQ(result.exit_code, 234) << result.err;
        EXPECT_FALSE(exists("x.json"));
        EXPECT_NE(result.err.find(culprit + ": frame 2"), std::string::npos) << result.err;
        EXPECT_NE(result.err.find("stopped after 2 frames (truncated input); partial results in "), std::string::npos)
            << result.err;
        const auto partial = nlohmann::json::parse(read("x.json.partial"));
        EXPECT_EQ(frame_numbers(partial), (std::vector<unsigned>{0, 1}));
        EXPECT_EQ(partial.at("incomplete"), (nlohmann::json{{"reason", "truncated input"}, {"frames", 2}}));
        EXPECT_TRUE(partial["frames"][1]["metrics"].contains("vmaf"));
    }
};

TEST_F(Truncation, KeepsTheFramesBeforeIt)
{
    cut("R6.y4m", "rcut.y4m", 2);
    cut("D6.y4m", "dcut.y4m", 2);
    expect_two_frames("R6.y4m", "dcut.y4m", "dcut.y4m");
    expect_two_frames("rcut.y4m", "D6.y4m", "rcut.y4m");
    expect_two_frames("rcut.y4m", "dcut.y4m", "rcut.y4m");
}

TEST_F(Truncation, XmlIsMarkedToo)
{
    cut("D6.y4m", "dcut.y4m", 2);
    EXPECT_EQ(run(pair_of("R6.y4m", "dcut.y4m", {"-o", "x.xml"})).exit_code, 234);
    const std::string text = read("x.xml.partial");
    const std::size_t comment = text.find("<!-- incomplete: reason=\"truncated input\" frames=\"2\" -->\n</VMAF>\n");
    EXPECT_NE(comment, std::string::npos) << text;
}

TEST_F(Truncation, IsNotSeenBehindTheFrameCount)
{
    cut("D6.y4m", "dcut.y4m", 2);
    EXPECT_EQ(scores(pair_of("R6.y4m", "dcut.y4m", {"--frame_cnt", "2"})).at("frames").size(), 2U);
}

TEST_F(Truncation, InTheFirstFrameLeavesNoFile)
{
    cut("D6.y4m", "dcut.y4m", 0);
    EXPECT_EQ(run(pair_of("R6.y4m", "dcut.y4m", {"-o", "x.xml"})).exit_code, 234);
    EXPECT_FALSE(exists("x.xml"));
    EXPECT_FALSE(exists("x.xml.partial"));
}

TEST_F(Truncation, InChromaThatNobodyReadsIsNoticedAllTheSame)
{
    const VideoShape shape{401, 399, "420", 8}; // enough chroma to seek over
    write("r.y4m", y4m_video(shape, 3, false));
    const std::string whole = y4m_video(shape, 3, true);
    write("d.y4m", whole.substr(0, whole.size() - 1));
    std::vector<std::string> complaints;
    for (const std::vector<std::string> &chroma : {std::vector<std::string>{}, {"--feature", "psnr"}}) {
        std::vector<std::string> more{"--json", "-o", "x.json"};
        more.insert(more.end(), chroma.begin(), chroma.end());
        const ToolResult result = run(pair_of("r.y4m", "d.y4m", more));
        EXPECT_EQ(result.exit_code, 234) << result.err;
        EXPECT_NE(result.err.find("d.y4m: frame 2: the file ends within the frame"), std::string::npos) << result.err;
        EXPECT_EQ(frame_numbers(nlohmann::json::parse(read("x.json.partial"))), (std::vector<unsigned>{0, 1}));
        complaints.push_back(result.err);
    }
    EXPECT_EQ(complaints[0], complaints[1]);
}

TEST_F(Truncation, LostFramingIsADecodeError)
{
    std::string bytes = read("D6.y4m");
    bytes.replace(bytes.rfind("FRAME\n"), 5, "FRANE");
    write("lost.y4m", bytes);
    const ToolResult result = run(pair_of("R6.y4m", "lost.y4m", {"--csv", "-o", "x.csv"}));
    EXPECT_EQ(result.exit_code, 234);
    EXPECT_NE(result.err.find("lost.y4m: frame 5: loss of framing"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("stopped after 5 frames (decode error)"), std::string::npos) << result.err;
    EXPECT_TRUE(exists("x.csv.partial"));
}

TEST_F(Truncation, Y4mReadAsRawIsTruncatedRaw)
{
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", raw_arguments(small_shape())));
    EXPECT_EQ(result.exit_code, 234);
    EXPECT_NE(result.err.find("R.y4m: frame 3"), std::string::npos) << result.err;
}

} // namespace
} // namespace vmaf::test
