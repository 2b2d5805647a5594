#include <cstdlib>
#include <map>
#include <memory>
#include <regex>

#include "../tool_test.h"
#include "ffmpeg.h"

/// Encodes of one reference that need it in different forms (spec comparison 12).
namespace vmaf::test {
namespace {

const std::vector<std::string> kEncodes{"same.mkv",  "deep.mkv",   "wide.mkv", "grey.mkv", "small.mkv",
                                        "short.mkv", "longer.mkv", "full.mkv", "rgb.mkv",  "yuv.y4m"};

class MediaLadder : public ::testing::Test {
  protected:
    static void SetUpTestSuite()
    {
        if (!has_ffmpeg())
            return;
        studio_ = std::make_unique<Studio>();
        studio_->make_source("src.y4m", 6);
        studio_->ffmpeg("-i src.y4m -c:v libx264 -preset fast -threads 1 -qp 20 -bf 2 ref.mp4");
        for (const auto &[name, options] : {std::pair("same.mkv", "-c:v mpeg4 -qscale:v 8"),
                                            {"deep.mkv", "-pix_fmt yuv420p10le -c:v ffv1"},
                                            {"wide.mkv", "-pix_fmt yuv422p -c:v ffv1"},
                                            {"grey.mkv", "-pix_fmt gray -c:v ffv1"},
                                            {"small.mkv", "-vf scale=80:48 -c:v ffv1"},
                                            {"short.mkv", "-frames:v 4 -pix_fmt yuv420p10le -c:v ffv1"},
                                            {"full.mkv", "-pix_fmt yuvj420p -c:v mjpeg -q:v 3"},
                                            {"rgb.mkv", "-pix_fmt gbrp -c:v ffv1"},
                                            {"yuv.y4m", "-vf boxblur=1"}})
            studio_->ffmpeg(std::string("-i src.y4m ") + options + " " + name);
        studio_->make_source("long.y4m", 9);
        studio_->ffmpeg("-i long.y4m -pix_fmt yuv420p12le -c:v ffv1 longer.mkv");
    }
    static void TearDownTestSuite() { studio_.reset(); }
    void SetUp() override { VMAF_NEED_FFMPEG(); }

    ToolResult run(const std::vector<std::string> &arguments, const ToolSetting &setting = {}) const
    {
        return run_tool(studio_->directory(), arguments, setting);
    }

    /// The log without lines that depend on how far readers were ahead, and without devices.
    std::string scores(const std::string &encode) const
    {
        static const std::regex varies(R"(  "fps":.*\n|,"bitrate":[^,}]*|"device":"[^"]*",)");
        return std::regex_replace(studio_->read(encode.substr(0, encode.find('.')) + ".vmaf.json"), varies, "");
    }

    static std::vector<std::string> all(const std::vector<std::string> &words, const std::vector<std::string> &more)
    {
        std::vector<std::string> both = words;
        both.insert(both.end(), more.begin(), more.end());
        return both;
    }

    void expect_alike(const std::vector<std::string> &encodes, const std::vector<std::string> &options)
    {
        expect_alike("ref.mp4", encodes, options);
    }
    void expect_alike(const std::string &reference, const std::vector<std::string> &encodes,
                      std::vector<std::string> options)
    {
        options = all({"--json", "--log_details", "--feature", "psnr,motion"}, options);
        std::map<std::string, std::string> alone;
        for (const std::string &name : encodes) {
            const ToolResult result =
                run(all({"-r", reference, "-d", name, "-o", name.substr(0, name.find('.')) + ".vmaf.json"}, options));
            ASSERT_EQ(result.exit_code, 0) << result.err;
            alone[name] = scores(name);
            std::filesystem::remove(studio_->path(name.substr(0, name.find('.')) + ".vmaf.json"));
        }
        std::vector<std::string> ladder{"-r", reference};
        for (const std::string &name : encodes)
            ladder.insert(ladder.end(), {"-d", name});
        const ToolResult result = run(all(ladder, options));
        ASSERT_EQ(result.exit_code, 0) << result.err;
        for (const std::string &name : encodes)
            EXPECT_TRUE(scores(name) == alone[name]) << "differs: " << name;
    }

    static inline std::unique_ptr<Studio> studio_;
};

TEST_F(MediaLadder, HasEachEncodeInItsOwnForm)
{
    for (const std::vector<std::string> &options : {std::vector<std::string>{},
                                                    {"--threads", "0"},
                                                    {"--scale", "96x64"},
                                                    {"--scaler", "integer"},
                                                    {"--pix_fmt", "422p10"},
                                                    {"--frame_cnt", "3", "--frame_skip_ref", "1"},
                                                    {"--worst", "2", "--html", "x.html"}})
        expect_alike(kEncodes, all({"--gpu", "none"}, options));
    std::vector<std::string> backwards(kEncodes.rbegin(), kEncodes.rend());
    expect_alike(backwards, {"--gpu", "none"});
    expect_alike({"deep.mkv", "same.mkv"}, {"--gpu", "none", "-m", "vmaf_v0.6.1"});
}

/// A reference that can be read only once.
TEST_F(MediaLadder, ReadsTheReferenceOnce)
{
    studio_->ffmpeg("-i ref.mp4 -frames:v 2 two.y4m"); // fits a pipe
    ToolSetting piped;
    piped.input = studio_->read("two.y4m");
    ASSERT_LT(piped.input.size(), 65536U);
    studio_->ffmpeg("-i two.y4m -c:v ffv1 two.mkv");
    expect_alike("two.mkv", {"same.mkv", "deep.mkv", "grey.mkv"}, {"--gpu", "none"});
    const std::string deep = scores("deep.mkv"), grey = scores("grey.mkv");
    const ToolResult result = run({"-r", "-", "-d", "same.mkv", "-d", "deep.mkv", "-d", "grey.mkv", "--gpu", "none",
                                   "--json", "--feature", "psnr,motion"},
                                  piped);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto frames = [](const std::string &text) { return nlohmann::json::parse(text).at("frames"); };
    EXPECT_EQ(frames(studio_->read("deep.vmaf.json")), frames(deep));
    EXPECT_EQ(frames(studio_->read("grey.vmaf.json")), frames(grey));
}

/// The double's kernels do nothing. Features stay on the CPU, and pictures come from pools in
/// pinned memory.
TEST_F(MediaLadder, OnGpusHasEachEncodeInItsOwnForm)
{
    if (std::getenv("VMAF_TEST_GPU_DOUBLE") == nullptr)
        GTEST_SKIP() << "no devices, not even the double's";
    expect_alike(kEncodes, {"--gpu", "0", "--gpumask", "1"});
    expect_alike({"short.mkv", "deep.mkv", "longer.mkv"}, {"--gpu", "0", "--gpumask", "1"});
    ::setenv("VMAF_DOUBLE_DEVICES", "2", 1);
    expect_alike({"short.mkv", "deep.mkv", "same.mkv", "longer.mkv", "grey.mkv"}, {"--gpu", "0,1", "--gpumask", "1"});
    ::unsetenv("VMAF_DOUBLE_DEVICES");
}

} // namespace
} // namespace vmaf::test
