#include "../tool_test.h"
#include "ffmpeg.h"

/// Crops (spec comparison 7). Scores are those of pictures that ffmpeg's crop filter makes.
namespace vmaf::test {
namespace {

class CropRuns : public ToolTest {
  protected:
    void SetUp() override { VMAF_NEED_FFMPEG(); }

    /// Two sources that differ.
    void make_sources(const std::string &pixel_format, const std::string &size = "160x96", unsigned frames = 2) const
    {
        studio_.make_source("a.nut", frames, pixel_format, size);
        studio_.ffmpeg("-i a.nut -vf avgblur=2 -c:v rawvideo b.nut");
    }
    void make(const std::string &name, const std::string &options) const
    {
        studio_.ffmpeg(options + " -strict -1 " + name);
        std::filesystem::copy_file(studio_.path(name), path(name), std::filesystem::copy_options::overwrite_existing);
    }
    void make(const std::string &name, const std::string &from, const std::string &filter) const
    {
        make(name, "-i " + from + " -vf " + filter + " -fps_mode passthrough");
    }

    /// All scores, as text.
    std::string text(const std::vector<std::string> &arguments) const
    {
        const nlohmann::json scores = this->scores(arguments);
        return scores.at("frames").dump() + scores.at("pooled_metrics").dump();
    }
    static std::vector<std::string> psnr(std::vector<std::string> arguments)
    {
        for (const char *more : {"-n", "--feature", "psnr", "--feature", "vif"})
            arguments.emplace_back(more);
        return arguments;
    }
    /// Runs the tool, which must fail. @return its standard error.
    std::string failure(const std::vector<std::string> &arguments) const
    {
        const ToolResult result = run(arguments);
        EXPECT_NE(result.exit_code, 0) << result.err;
        return result.err;
    }

    Studio studio_;
};

TEST_F(CropRuns, GiveTheScoresOfPicturesThatFfmpegCrops)
{
    for (const auto &[format, crop] : {std::pair("yuv420p", "100:64:20:16"),
                                       {"yuv420p10le", "100:64:20:16"},
                                       {"yuv422p", "100:63:22:15"},
                                       {"yuv444p", "101:63:21:15"},
                                       {"gray", "101:63:21:15"}}) {
        make_sources(format);
        for (const std::string name : {"a", "b"}) {
            make(name + ".y4m", name + ".nut", "null");
            make(name + ".mkv", "-i " + name + ".nut -c:v ffv1");
            make(name + "_cropped.y4m", name + ".nut", "crop=" + std::string(crop) + ":exact=1");
        }
        const std::string expected = text(psnr(pair_of("a_cropped.y4m", "b_cropped.y4m")));
        for (const char *kind : {".y4m", ".mkv"})
            EXPECT_EQ(text(psnr(pair_of(std::string("a") + kind, std::string("b") + kind, {"--crop", crop}))), expected)
                << format << kind;
    }
}

TEST_F(CropRuns, OfOddSizesMayEndWithThePicture)
{
    make_sources("yuv420p", "161x97");
    make("a.y4m", "a.nut", "null");
    make("b.y4m", "b.nut", "null");
    make("a_cropped.y4m", "a.nut", "crop=101:65:60:32:exact=1");
    make("b_cropped.y4m", "b.nut", "crop=101:65:60:32:exact=1");
    EXPECT_EQ(text(psnr(pair_of("a.y4m", "b.y4m", {"--crop", "60,0,32,0"}))),
              text(psnr(pair_of("a_cropped.y4m", "b_cropped.y4m"))));
}

TEST_F(CropRuns, OfEachSideComeBeforeScaling)
{
    make_sources("yuv420p");
    make("a.mkv", "-i a.nut -c:v ffv1");
    make("b.mkv", "-i b.nut -vf scale=80:48 -c:v ffv1");
    make("a_cropped.mkv", "-i a.mkv -vf crop=120:64:20:16 -c:v ffv1");
    make("b_cropped.mkv", "-i b.mkv -vf crop=60:32:10:8 -c:v ffv1");
    for (const char *scaler : {"swscale", "integer"}) {
        const std::vector<std::string> scaling{"--scaler", scaler};
        auto cropped = pair_of("a.mkv", "b.mkv", {"--crop", "none", "--crop_ref", "20,20,16,16"});
        for (const char *more : {"--crop_dist", "60:32:10:8", "--scaler", scaler})
            cropped.emplace_back(more);
        EXPECT_EQ(text(psnr(cropped)), text(psnr(pair_of("a_cropped.mkv", "b_cropped.mkv", scaling)))) << scaler;
    }
}

TEST_F(CropRuns, ComeAfterRotation)
{
    make_sources("yuv420p");
    make("b.mkv", "-i b.nut -vf transpose=clock -c:v ffv1");
    make("flat.mp4", "-i a.nut -c:v libx264 -qp 0");
    make("a.mp4", "-i flat.mp4 -c copy -metadata:s:v rotate=90");
    make("a_cropped.mkv", "-i a.mp4 -vf crop=64:100:16:20 -c:v ffv1");
    make("b_cropped.mkv", "-i b.mkv -vf crop=64:100:16:20 -c:v ffv1");
    EXPECT_EQ(text(psnr(pair_of("a.mp4", "b.mkv", {"--crop", "64:100:16:20"}))),
              text(psnr(pair_of("a_cropped.mkv", "b_cropped.mkv"))));
}

TEST_F(CropRuns, OfRawVideosAndOfEveryEncodeOfALadder)
{
    make_sources("yuv420p");
    make("a.yuv", "-i a.nut -f rawvideo");
    make("b.yuv", "-i b.nut -f rawvideo");
    make("c.yuv", "-i b.nut -vf avgblur=1 -f rawvideo");
    for (const char *name : {"a", "b", "c"})
        make(std::string(name) + "_cropped.yuv", std::string("-f rawvideo -s 160x96 -pix_fmt yuv420p -i ") + name +
                                                     ".yuv -vf crop=120:64:20:16 -f rawvideo");
    const auto raw = [](const char *width, const char *height) {
        return std::vector<std::string>{"-w", width, "-h", height, "-p", "420", "-b", "8"};
    };
    std::vector<std::string> cropped = raw("160", "96");
    cropped.insert(cropped.end(), {"--crop", "120:64:20:16"});
    std::vector<std::string> ladder = psnr(pair_of("a.yuv", "b.yuv", cropped));
    ladder.insert(ladder.end(), {"-d", "c.yuv", "--json", "-o", "{name}.json"});
    ASSERT_EQ(run(ladder).exit_code, 0);
    for (const std::string name : {"b", "c"}) {
        const nlohmann::json scores = nlohmann::json::parse(read(name + ".json"));
        EXPECT_EQ(scores.at("frames").dump() + scores.at("pooled_metrics").dump(),
                  text(psnr(pair_of("a_cropped.yuv", name + "_cropped.yuv", raw("120", "64")))));
        EXPECT_EQ(scores.at("comparison").at("reference").at("crop"), nlohmann::json({20, 16, 120, 64}));
    }
}

TEST_F(CropRuns, AreToldAndRecorded)
{
    make_sources("yuv420p");
    make("a.y4m", "a.nut", "null");
    const ToolResult result = run(pair_of("a.y4m", "a.y4m", {"--crop_dist", "100:64:20:16", "--compare_only"}));
    EXPECT_NE(result.err.find("100:64"), std::string::npos) << result.err;
    const ToolResult both = run(pair_of("a.y4m", "a.y4m", {"--crop", "100:64:20:16", "--compare_only"}));
    ASSERT_EQ(both.exit_code, 0) << both.err;
    EXPECT_EQ(both.err, "reference: 160x96 cropped to 100:64:20:16\ndistorted: 160x96 cropped to 100:64:20:16\n");
    const nlohmann::json record = nlohmann::json::parse(both.out);
    EXPECT_EQ(record.at("distorted").at("size"), nlohmann::json({160, 96}));
    EXPECT_EQ(record.at("distorted").at("crop"), nlohmann::json({20, 16, 100, 64}));
    EXPECT_EQ(record.at("scored").at("size"), nlohmann::json({100, 64}));
}

TEST_F(CropRuns, ThatCannotBeAreErrorsWithACure)
{
    make_sources("yuv420p");
    make("a.y4m", "a.nut", "null");
    const auto error = [&](const char *option, const char *crop) {
        return failure(pair_of("a.y4m", "a.y4m", {option, crop}));
    };
    EXPECT_NE(error("--crop", "100:64:21:16").find("--crop_ref 98:64:22:16"), std::string::npos);
    EXPECT_NE(error("--crop_dist", "100:63:20:16").find("--crop_dist 100:62:20:16"), std::string::npos);
    EXPECT_NE(error("--crop_ref", "100:64:80:16").find("W+X may be 160 at most, H+Y 96"), std::string::npos);
    EXPECT_NE(error("--crop_ref", "80,80,0,0").find("leaves nothing of a picture of 160x96"), std::string::npos);
    EXPECT_NE(error("--crop_ref", "100x64").find("auto, none, W:H:X:Y or L,R,T,B"), std::string::npos);
}

} // namespace
} // namespace vmaf::test
