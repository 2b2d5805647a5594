#include <gtest/gtest.h>

#include <filesystem>

#include "tool_test.h"

/// Pictures of maps that a run writes (spec cli 10.9).
namespace vmaf::test {
namespace {

class Maps : public ToolTest {
  protected:
    ToolResult score(std::vector<std::string> more) const
    {
        more.insert(more.end(), {"--gpu", "none", "-n"});
        return run(pair_of("R4.y4m", "D4.y4m", more));
    }
    std::vector<std::string> files(const std::string &folder) const
    {
        std::vector<std::string> names;
        for (const auto &entry : std::filesystem::directory_iterator(path(folder)))
            names.push_back(entry.path().filename());
        std::ranges::sort(names);
        return names;
    }
};

TEST_F(Maps, AreFilesOfEachScoredFrameAndFeature)
{
    const ToolResult result = score({"--feature", "psnr,float_ssim=scale=1", "--maps", "new/maps", "--subsample", "2"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(files("new/maps"), (std::vector<std::string>{"float_ssim_000000.png", "float_ssim_000002.png",
                                                           "maps.json", "psnr_000000.png", "psnr_000002.png"}));
    const auto record = nlohmann::json::parse(read("new/maps/maps.json"));
    EXPECT_EQ(record.at("bits"), 8);
    ASSERT_EQ(record.at("maps").size(), 2U);
    const auto &psnr = record.at("maps")[0], &ssim = record.at("maps")[1];
    EXPECT_EQ(psnr.at("feature"), "psnr");
    EXPECT_EQ(psnr.at("files"), "psnr_FRAME.png");
    EXPECT_EQ(psnr.at("width"), 80);
    EXPECT_EQ(psnr.at("height"), 64);
    EXPECT_EQ(psnr.at("dark"), 0);
    EXPECT_NEAR(psnr.at("bright").get<double>(), 104.04, 1e-9);
    EXPECT_EQ(ssim.at("options").at("scale"), "1");
    EXPECT_EQ(ssim.at("width"), 70);
    EXPECT_EQ(ssim.at("dark"), 1);
    EXPECT_EQ(ssim.at("bright"), 0);
    EXPECT_NE(read("new/maps/psnr_000000.png"), read("new/maps/psnr_000002.png"));
}

TEST_F(Maps, OfTheSameFeatureTwiceHaveFilesOfTheirOwn)
{
    const ToolResult result = score({"--feature", "float_ssim=scale=1", "--feature", "float_ssim=scale=2", "--maps",
                                     "maps", "--maps_depth", "16", "--frame_cnt", "1"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(files("maps"),
              (std::vector<std::string>{"float_ssim-2_000000.png", "float_ssim_000000.png", "maps.json"}));
    EXPECT_EQ(nlohmann::json::parse(read("maps/maps.json")).at("bits"), 16);
}

TEST_F(Maps, OfSeveralEncodesHaveFoldersOfTheirOwn)
{
    const ToolResult result = run(
        {"-r", "R4.y4m", "-d", "D4.y4m", "-d", "R6.y4m", "--gpu", "none", "-n", "--feature", "psnr", "--maps", "maps"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(files("maps"), (std::vector<std::string>{"D4", "R6"}));
    EXPECT_EQ(files("maps/D4").size(), 5U);
    EXPECT_EQ(files("maps/R6").size(), 5U);
    EXPECT_NE(read("maps/D4/psnr_000000.png"), read("maps/R6/psnr_000000.png"));
}

TEST_F(Maps, AreOfThePairsThatWereScored)
{
    ASSERT_EQ(score({"--feature", "psnr", "--maps", "all"}).exit_code, 0);
    ASSERT_EQ(
        score({"--feature", "psnr", "--maps", "later", "--frame_skip_ref", "2", "--frame_skip_dist", "2"}).exit_code,
        0);
    EXPECT_EQ(read("later/psnr_000000.png"), read("all/psnr_000002.png"));
    EXPECT_EQ(files("later").size(), 3U);
}

TEST_F(Maps, AreRefusedBeforeAnythingIsScored)
{
    const auto refused = [&](std::vector<std::string> arguments, const std::string &text) {
        const ToolResult result = score(arguments);
        EXPECT_NE(result.exit_code, 0) << text;
        EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
        EXPECT_FALSE(exists("maps")) << text;
    };
    refused({"--maps", "maps"}, "--maps needs a --feature that has a map: ");
    refused({"--maps", "maps", "--feature", "ciede"}, "psnr");
    refused({"--maps_depth", "16", "--feature", "psnr"}, "--maps_depth needs maps: add --maps FOLDER");
    refused({"--maps", "maps", "--maps_depth", "12", "--feature", "psnr"}, "should be 8 or 16");
    refused({"--maps", "R4.y4m/maps", "--feature", "psnr"}, "could not make folder: R4.y4m/maps");
    const ToolResult piped = run({"-r", "-", "-d", "D4.y4m", "--maps", "maps", "--feature", "psnr"});
    EXPECT_NE(piped.err.find("neither can be standard input"), std::string::npos) << piped.err;
    const ToolResult one_without = score({"--maps", "maps", "--feature", "psnr,ciede"});
    EXPECT_EQ(one_without.exit_code, 0);
    EXPECT_NE(one_without.err.find("ciede has no map"), std::string::npos) << one_without.err;
}

} // namespace
} // namespace vmaf::test
