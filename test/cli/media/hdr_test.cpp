#include "../tool_test.h"
#include "ffmpeg.h"

/// What a run says about HDR (spec comparison 4), and the options that HDR features get from a
/// file's tags.
namespace vmaf::test {
namespace {

class Hdr : public ::testing::Test {
  protected:
    void SetUp() override
    {
        VMAF_NEED_FFMPEG();
        studio_.make_source("src.y4m", 3);
    }

    /// Every encode has the same samples.
    void make(const std::string &name, const std::string &tags) const
    {
        studio_.ffmpeg("-i src.y4m -c:v libx264 -preset ultrafast -threads 1 -qp 24 -color_range tv " + tags + " " +
                       name);
    }
    void make_pq(const std::string &name) const
    {
        make(name, "-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084");
    }
    void make_hlg(const std::string &name) const
    {
        make(name, "-colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67");
    }
    void make_sdr(const std::string &name) const
    {
        make(name, "-colorspace bt709 -color_primaries bt709 -color_trc bt709");
    }

    ToolResult run(std::vector<std::string> arguments, const std::vector<std::string> &more) const
    {
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_tool(studio_.directory(), arguments);
    }

    std::string first_frame(const std::string &feature, const char *output) const
    {
        const ToolResult result =
            run(pair_of("ref.mp4", "dis.mp4", {"-n", "--gpu", "none", "--json", "-o", "scores.json", "--feature"}),
                {feature});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return nlohmann::json::parse(studio_.read("scores.json"))["frames"][0]["metrics"][output].dump();
    }

    Studio studio_;
};

std::size_t count(const std::string &text, const std::string &of)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(of); at != text.npos; at = text.find(of, at + 1))
        ++found;
    return found;
}

TEST_F(Hdr, OneSideAloneIsOneWarningAndAnErrorWithStrict)
{
    make_pq("pq.mp4");
    make_hlg("hlg.mp4");
    make_sdr("sdr.mp4");
    make("plain.mp4", "");
    const std::string text = "the score means nothing: one video is HDR";
    for (const auto &[ref, dis] : {std::pair{"pq.mp4", "sdr.mp4"}, {"sdr.mp4", "hlg.mp4"}, {"hlg.mp4", "plain.mp4"}}) {
        const ToolResult result = run(pair_of(ref, dis, {"--gpu", "none"}), {});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(count(result.err, "warning: " + text), 1U) << result.err;
        EXPECT_EQ(count(result.err, "primaries differ") + count(result.err, "transfer functions differ"), 0U)
            << result.err;
        EXPECT_EQ(count(result.err, "made for SDR"), 0U) << result.err;
        const ToolResult strict = run(pair_of(ref, dis, {"--gpu", "none", "--strict"}), {});
        EXPECT_EQ(strict.exit_code, 255) << strict.err;
        EXPECT_EQ(count(strict.err, text), 1U) << strict.err;
    }
}

TEST_F(Hdr, WhatIsMadeForSdrIsSaidInOneLine)
{
    make_pq("a.mp4");
    make_pq("b.mp4");
    make_hlg("c.mp4");
    make_hlg("d.mp4");
    for (const auto &[ref, dis] : {std::pair{"a.mp4", "b.mp4"}, {"c.mp4", "d.mp4"}}) {
        const std::vector<std::string> pair = pair_of(ref, dis, {"--gpu", "none", "--strict"});
        const ToolResult model = run(pair, {});
        EXPECT_EQ(model.exit_code, 0) << model.err;
        EXPECT_EQ(count(model.err, "vmaf_v0.6.1: made for SDR; for HDR use cvvdp\n"), 1U) << model.err;
        const ToolResult both = run(pair, {"--feature", "float_ssim", "--feature", "psnr_hvs", "--feature", "psnr"});
        EXPECT_EQ(count(both.err, "vmaf_v0.6.1, float_ssim, psnr_hvs: made for SDR; for HDR use cvvdp\n"), 1U)
            << both.err;
        const ToolResult hdr = run(pair, {"-n", "--feature", "cvvdp", "--feature", "psnr", "--feature", "delta_e_itp"});
        EXPECT_EQ(hdr.exit_code, 0) << hdr.err;
        EXPECT_EQ(count(hdr.err, "made for SDR"), 0U) << hdr.err;
    }
}

// The options that the tool sets from the tags equal those that a user passes.
TEST_F(Hdr, FeaturesFollowTheReferencesTags)
{
    for (const auto &[feature, output] :
         {std::pair{"delta_e_itp", "delta_e_itp"}, {"pu21_psnr", "pu21_psnr_y"}, {"pu21_ssim", "pu21_ssim"}}) {
        make_pq("ref.mp4");
        studio_.ffmpeg("-y -i src.y4m -c:v libx264 -preset ultrafast -qp 40 -color_range tv -colorspace bt2020nc "
                       "-color_primaries bt2020 -color_trc smpte2084 dis.mp4");
        const std::string name = feature;
        const std::string by_tags = first_frame(name, output);
        EXPECT_EQ(by_tags, first_frame(name + "=transfer=pq:primaries=bt2020:yuv_matrix=4", output)) << feature;
        EXPECT_NE(by_tags, first_frame(name + "=transfer=sdr:primaries=bt709:yuv_matrix=0", output)) << feature;
        std::filesystem::remove(studio_.path("ref.mp4"));
    }
}

} // namespace
} // namespace vmaf::test
