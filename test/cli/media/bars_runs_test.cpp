#include "../tool_test.h"
#include "ffmpeg.h"

/// Black bars (spec comparison 7). --crop auto compares the same pictures as ffmpeg's crop filter
/// cuts out.
namespace vmaf::test {
namespace {

class BarsRuns : public ToolTest {
  protected:
    void SetUp() override { VMAF_NEED_FFMPEG(); }

    void make(const std::string &name, const std::string &options) const
    {
        studio_.ffmpeg(options + " " + name);
        std::filesystem::copy_file(studio_.path(name), path(name), std::filesystem::copy_options::overwrite_existing);
    }
    /// Two sources of 160x64, and the same inside bars of 16 and 18 rows.
    void make_sources(unsigned frames, const std::string &more = "") const
    {
        studio_.make_source("a.nut", frames, "yuv420p", "160x64");
        studio_.ffmpeg("-i a.nut -vf avgblur=2 -c:v rawvideo b.nut");
        for (const std::string name : {"a", "b"}) {
            make(name + "_bars.mkv", "-i " + name + ".nut -vf pad=160:98:0:16" + more + " -c:v ffv1 -g 1");
            make(name + ".mkv", "-i " + name + "_bars.mkv -vf crop=160:64:0:16 -c:v ffv1");
        }
    }
    std::string text(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), {"-n", "--feature", "psnr"});
        const nlohmann::json scores = this->scores(arguments);
        return scores.at("frames").dump() + scores.at("pooled_metrics").dump();
    }

    Studio studio_;
};

TEST_F(BarsRuns, AreCutOffEachVideo)
{
    make_sources(30);
    make("b_bars.y4m", "-i b_bars.mkv");
    const std::string expected = text(pair_of("a.mkv", "b.mkv"));
    EXPECT_EQ(text(pair_of("a_bars.mkv", "b_bars.mkv", {"--crop", "auto"})), expected);
    EXPECT_EQ(text(pair_of("a_bars.mkv", "b_bars.y4m", {"--crop", "auto"})), expected);
    EXPECT_EQ(text(pair_of("a_bars.mkv", "b.mkv", {"--crop_ref", "auto"})), expected);
    EXPECT_EQ(text(pair_of("a.mkv", "b_bars.mkv", {"--crop", "auto"})), expected);
    EXPECT_EQ(text(pair_of("a_bars.mkv", "b_bars.mkv", {"--crop", "auto", "--subsample", "5"})),
              text(pair_of("a.mkv", "b.mkv", {"--subsample", "5"})));
}

// Black frames are ignored, wherever they are. A long video is not read as a whole.
TEST_F(BarsRuns, AreFoundInContentAlone)
{
    make_sources(500, ",fade=in:200:100:color=black");
    make("a_bars.y4m", "-i a_bars.mkv");
    make("h264.mp4", "-i a_bars.mkv -c:v libx264 -qp 4 -g 60 -bf 3");
    for (const std::string name : {"a_bars.mkv", "a_bars.y4m", "h264.mp4"}) {
        const ToolResult result = run(pair_of(name, name, {"--crop", "auto", "--compare_only"}));
        EXPECT_EQ(nlohmann::json::parse(result.out).at("reference").at("crop"), nlohmann::json({0, 16, 160, 64}))
            << name << result.err;
    }
}

TEST_F(BarsRuns, OfEachEncodeOfALadder)
{
    make_sources(30);
    const ToolResult result = run({"-r", "a_bars.mkv", "-d", "b_bars.mkv", "-d", "b.mkv", "--crop", "auto", "-n",
                                   "--feature", "psnr", "--json", "-o", "{name}.json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::string expected = text(pair_of("a.mkv", "b.mkv"));
    for (const char *name : {"b_bars.json", "b.json"}) {
        const nlohmann::json scores = nlohmann::json::parse(read(name));
        EXPECT_EQ(scores.at("frames").dump() + scores.at("pooled_metrics").dump(), expected) << name;
    }
}

TEST_F(BarsRuns, ALineSaysWhyNothingIsCropped)
{
    make_sources(19);
    const ToolResult few = run(pair_of("a_bars.mkv", "a.mkv", {"--crop", "auto", "--compare_only"}));
    EXPECT_NE(few.err.find("reference: not cropped: 19 sampled frames are not black, 20 are needed"), std::string::npos)
        << few.err;
    make_sources(20);
    const ToolResult none = run(pair_of("a.mkv", "b.mkv", {"--crop", "auto", "--compare_only"}));
    EXPECT_EQ(none.err, "reference: not cropped: it has no bars\ndistorted: not cropped: it has no bars\n");
    EXPECT_EQ(none.exit_code, 0);
}

TEST_F(BarsRuns, OfOneSideAreWarnedOf)
{
    make_sources(30);
    make("full.mkv", "-i b.nut -vf scale=160:98,setsar=1 -c:v ffv1");
    const std::string warning = "a_bars.mkv has black bars where full.mkv has a picture: --crop_";
    const auto is_said = [&](const std::string &ref, const std::string &dis, const char *side) {
        const ToolResult result = run(pair_of(ref, dis, {"-n", "--feature", "psnr", "--json", "-o", "scores.json"}));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.err.find(warning + side) != std::string::npos;
    };
    EXPECT_TRUE(is_said("a_bars.mkv", "full.mkv", "ref auto"));
    EXPECT_TRUE(is_said("full.mkv", "a_bars.mkv", "dist auto"));
    EXPECT_FALSE(is_said("a_bars.mkv", "b_bars.mkv", ""));
    EXPECT_FALSE(is_said("full.mkv", "full.mkv", ""));
    const ToolResult strict =
        run(pair_of("a_bars.mkv", "full.mkv", {"--strict", "-n", "--feature", "psnr", "--json", "-o", "s.json"}));
    EXPECT_NE(strict.exit_code, 0);
    EXPECT_NE(strict.err.find("--crop_ref auto"), std::string::npos) << strict.err;
}

TEST_F(BarsRuns, OfWhatIsReadOnceAreAnErrorWithACure)
{
    make_sources(20);
    make("a_bars.y4m", "-i a_bars.mkv");
    ToolSetting setting;
    setting.input = read("a_bars.y4m").substr(0, 30000);
    const ToolResult result = run(pair_of("-", "a.mkv", {"--crop", "auto"}), setting);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_NE(result.err.find("--crop_ref W:H:X:Y"), std::string::npos) << result.err;
}

} // namespace
} // namespace vmaf::test
