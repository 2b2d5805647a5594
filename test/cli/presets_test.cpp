#include <gtest/gtest.h>

#include <algorithm>

#include "tool_test.h"

/// Runs with --aom_ctc and --nflx_ctc (spec cli 4.3).
namespace vmaf::test {
namespace {

using Names = std::vector<std::string>;

/// Large enough for every feature. float_ssim halves these pictures unless told otherwise.
VideoShape preset_shape()
{
    return {400, 384, "420", 8};
}

class Presets : public ToolTest {
  protected:
    Presets()
    {
        write("ref.y4m", y4m_video(preset_shape(), 2, false));
        write("dis.y4m", y4m_video(preset_shape(), 2, true));
    }

    nlohmann::json preset_scores(const std::string &preset, const std::string &version) const
    {
        return scores(pair_of("ref.y4m", "dis.y4m", {preset, version}));
    }
    double first_score(const Names &arguments, const std::string &name) const
    {
        return scores(pair_of("ref.y4m", "dis.y4m", arguments))["frames"][0]["metrics"].at(name);
    }

    /// Columns of the last run from psnr_y on, in their order.
    Names columns_from_psnr() const
    {
        Names names;
        const auto file = nlohmann::ordered_json::parse(read("scores.json"));
        for (const auto &[name, value] : file["frames"][0]["metrics"].items())
            names.push_back(name);
        names.erase(names.begin(), std::ranges::find(names, "psnr_y"));
        return names;
    }
};

const Names kAom1{"psnr_y",          "psnr_cb",         "psnr_cr",     "ciede2000",   "float_ssim",
                  "float_ms_ssim",   "psnr_hvs_y",      "psnr_hvs_cb", "psnr_hvs_cr", "psnr_hvs",
                  "integer_motion2", "integer_motion3", "vmaf",        "vmaf_neg"};
const Names kAom3{"psnr_y",        "psnr_cb",         "psnr_cr",         "ciede2000",   "float_ssim",
                  "float_ms_ssim", "psnr_hvs_y",      "psnr_hvs_cb",     "psnr_hvs_cr", "psnr_hvs",
                  "cambi",         "integer_motion2", "integer_motion3", "vmaf",        "vmaf_neg"};
const Names kNflx{"psnr_y",          "psnr_cb",         "psnr_cr", "float_ssim", "cambi",
                  "integer_motion2", "integer_motion3", "vmaf",    "vmaf_neg"};

TEST_F(Presets, EveryAomVersionHasItsColumns)
{
    for (const char *version : {"v1.0", "v2.0", "v3.0", "v4.0", "v5.0", "v6.0", "v7.0"}) {
        const auto file = preset_scores("--aom_ctc", version);
        EXPECT_EQ(columns_from_psnr(), std::string(version) < "v3.0" ? kAom1 : kAom3) << version;
        EXPECT_TRUE(file["frames"][0]["metrics"].contains("integer_adm2_egl_1")) << version;
        for (const char *name : {"apsnr_y", "apsnr_cb", "apsnr_cr"})
            EXPECT_TRUE(file["aggregate_metrics"].contains(name)) << version << " " << name;
    }
}

TEST_F(Presets, NflxHasItsColumns)
{
    const auto file = preset_scores("--nflx_ctc", "v1.0");
    EXPECT_EQ(columns_from_psnr(), kNflx);
    EXPECT_TRUE(file["aggregate_metrics"].contains("apsnr_y"));
}

TEST_F(Presets, Aom7MeasuresSsimUnreduced)
{
    const auto ssim = [this](const std::string &feature) { return first_score({"--feature", feature}, "float_ssim"); };
    const double reduced = ssim("float_ssim=enable_db=true:clip_db=true");
    const double unreduced = ssim("float_ssim=scale=1:enable_db=true:clip_db=true");
    ASSERT_NE(reduced, unreduced);
    EXPECT_EQ(first_score({"--aom_ctc", "v6.0"}, "float_ssim"), reduced);
    EXPECT_EQ(first_score({"--aom_ctc", "v7.0"}, "float_ssim"), unreduced);
}

TEST_F(Presets, Aom6BringsBothVideosToTheLargerDepth)
{
    VideoShape deep = preset_shape();
    deep.depth = 10;
    write("deep.y4m", y4m_video(deep, 2, true));
    std::string ref, dis;
    for (unsigned frame = 0; frame < 2; ++frame) {
        ref += frame_bytes(deep, make_frame(preset_shape(), frame, false), 2);
        dis += frame_bytes(deep, make_frame(deep, frame, true));
    }
    write("ref.yuv", ref);
    write("dis.yuv", dis);
    const auto mixed = scores(pair_of("ref.y4m", "deep.y4m", {"--aom_ctc", "v6.0"}));
    Names raw = raw_arguments(deep);
    raw.insert(raw.end(), {"--aom_ctc", "v6.0"});
    EXPECT_EQ(mixed.at("frames"), scores(pair_of("ref.yuv", "dis.yuv", raw)).at("frames"));
    EXPECT_NE(run(pair_of("ref.y4m", "deep.y4m", {"--aom_ctc", "v5.0"})).exit_code, 0);
}

TEST_F(Presets, SmallPicturesAreRefusedByTheFeatureThatCannotScoreThem)
{
    write("small.y4m", y4m_video({320, 160, "420", 8}, 1, false));
    const ToolResult result = run(pair_of("small.y4m", "small.y4m", {"--aom_ctc", "v1.0", "--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("float_ms_ssim: picture is 320x160, smallest size is 176x176"), std::string::npos)
        << result.err;
    EXPECT_FALSE(exists("x.json"));
}

} // namespace
} // namespace vmaf::test
