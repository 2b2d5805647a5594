#include <cstdlib>

#include <nlohmann/json.hpp>

#include "../tool_test.h"
#include "ffmpeg.h"

/// One encode on several GPUs (spec device_pictures 5). Segments begin at key frames, and the
/// output equals that of one GPU. Runs on a driver double: software decodes, and features stay on
/// the CPU.
namespace vmaf::test {
namespace {

class MediaSegments : public ::testing::Test {
  protected:
    void SetUp() override
    {
        if (std::getenv("VMAF_TEST_GPU_DOUBLE") == nullptr)
            GTEST_SKIP() << "no devices, not even the double's";
        VMAF_NEED_FFMPEG();
        ::setenv("VMAF_DOUBLE_DEVICES", "3", 1);
        studio_.make_source("r.y4m", kFrames, "yuv420p", "64x48");
        studio_.ffmpeg("-i r.y4m -vf boxblur=1 -strict -1 d.y4m");
    }
    void TearDown() override { ::unsetenv("VMAF_DOUBLE_DEVICES"); }

    void encode(const std::string &how, const std::string &suffix) const
    {
        for (const std::string side : {"r", "d"})
            studio_.ffmpeg("-y -i " + side + ".y4m " + how + " " + side + suffix);
    }

    /// Whether the tool has libavfilter.
    bool has_filters() const
    {
        const ToolResult result = run_tool(
            studio_.directory(), pair_of("r.y4m", "d.y4m", {"--filter_dist", "null", "-n", "--frame_cnt", "1"}));
        return result.err.find("-Dfilters=enabled") == std::string::npos;
    }
    struct Outcome {
        int exit_code;
        std::string scores, err;
    };
    Outcome outcome(const std::vector<std::string> &videos, const std::string &gpus) const
    {
        std::vector<std::string> arguments = videos;
        arguments.insert(arguments.end(),
                         {"-n", "--feature", "psnr=enable_apsnr=true", "--feature", "motion", "--gpumask", "1", "--gpu",
                          gpus, "--precision", "max", "--csv", "-o", "s.csv"});
        for (const char *file : {"s.csv", "s.csv.partial"})
            std::filesystem::remove(studio_.path(file));
        const ToolResult result = run_tool(studio_.directory(), arguments);
        return {result.exit_code, studio_.read(result.exit_code == 0 ? "s.csv" : "s.csv.partial"), result.err};
    }
    /// Runs the tool, which may fail. @return the outcome.
    Outcome expect_equal(const std::vector<std::string> &videos) const
    {
        const Outcome one = outcome(videos, "0"), several = outcome(videos, "0,2,1");
        EXPECT_EQ(several.exit_code, one.exit_code) << several.err;
        EXPECT_EQ(several.scores, one.scores);
        EXPECT_GT(one.scores.size(), kFrames / 2);
        EXPECT_EQ(several.err, one.err);
        return one;
    }
    void expect_scores(const std::vector<std::string> &videos) const { EXPECT_EQ(expect_equal(videos).exit_code, 0); }

    /// A place in the middle of a segment of d.mp4, whose frames have about the same size.
    void damage(double where, std::size_t count, unsigned char change) const
    {
        std::string bytes = studio_.read("d.mp4");
        const std::size_t begin = bytes.find("mdat"), end = bytes.find("moov");
        ASSERT_LT(begin, end);
        const std::size_t first = begin + static_cast<std::size_t>(static_cast<double>(end - begin) * where);
        for (std::size_t i = first; i < first + count; ++i)
            bytes[i] = static_cast<char>(change == 0 ? 0 : bytes[i] ^ change);
        studio_.write("d.mp4", bytes);
    }

    static constexpr unsigned kFrames = 760;
    Studio studio_;
};

TEST_F(MediaSegments, GiveTheScoresOfOneGpu)
{
    const auto pair = [](const std::string &suffix, std::vector<std::string> more = {}) {
        return pair_of("r" + suffix, "d" + suffix, std::move(more));
    };
    encode("-c:v libx264 -preset ultrafast -g 30 -bf 2", ".mp4");
    expect_scores(pair(".mp4"));
    expect_scores(pair(".mp4", {"--frame_skip_ref", "7", "--frame_skip_dist", "3", "--frame_cnt", "753"}));
    expect_scores(pair(".mp4", {"--scale", "32x24"}));
    const auto coded_on = [&](const char *gpus) {
        const ToolResult result =
            run_tool(studio_.directory(), pair(".mp4", {"-n", "--feature", "psnr", "--gpumask", "1", "--gpu", gpus,
                                                        "--log_details", "-o", "details.json"}));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return nlohmann::json::parse(studio_.read("details.json")).at("details").at("coded_frames");
    };
    EXPECT_EQ(coded_on("all").at("bytes"), coded_on("0").at("bytes"));
    encode("-c:v mpeg4 -g 12 -bf 2", ".mkv");
    expect_scores(pair(".mkv"));
    encode("-c:v libx264 -preset veryfast -g 20 -bf 3 -flags -cgop -x264-params open-gop=1", "_open.mkv");
    expect_scores(pair("_open.mkv"));
    encode("-c:v libx264 -preset veryfast -x264-params "
           "open-gop=1:keyint=20:min-keyint=20:scenecut=0:b-adapt=0:bframes=3:b-pyramid=normal:ref=4",
           "_open.mp4");
    expect_scores(pair("_open.mp4"));
    if (has_encoder("libx265")) {
        encode("-c:v libx265 -preset ultrafast -x265-params "
               "log-level=error:open-gop=1:keyint=20:min-keyint=20:scenecut=0:bframes=3",
               "_hevc.mkv");
        expect_scores(pair("_hevc.mkv"));
    }
    if (has_encoder("libaom-av1")) {
        encode("-c:v libaom-av1 -cpu-used 8 -usage realtime -g 20", "_av1.mkv");
        expect_scores(pair("_av1.mkv"));
    }
    // This clip has a single key frame, so each segment needs all frames before it decoded.
    encode("-c:v libx264 -preset ultrafast -g 1000 -keyint_min 1000 -sc_threshold 0", "_one.mp4");
    expect_scores(pair("_one.mp4"));
}

// Graphs remember frames, so each segment's frames are made from the video's start. If the number
// of frames is unknown, one GPU scores, and a line says so.
TEST_F(MediaSegments, GiveTheScoresOfOneGpuForFilteredVideos)
{
    if (!has_filters())
        GTEST_SKIP() << "built without libavfilter";
    encode("-vf setfield=tff -c:v libx264 -preset ultrafast -x264-params tff=1 -flags +ilme+ildct", "_i.mp4");
    expect_scores(pair_of("r_i.mp4", "d_i.mp4", {"--deinterlace", "--subsample", "3", "--frame_skip_dist", "2"}));
    expect_scores(pair_of("r.y4m", "d_i.mp4", {"--filter_dist", "setpts=2*PTS,fps=25,vflip"}));
    const std::vector<std::string> both =
        pair_of("r.y4m", "d_i.mp4", {"--filter_ref", "null", "--filter_dist", "tmix=3", "--frame_cnt", "600"});
    const Outcome one = outcome(both, "0"), several = outcome(both, "0,2,1");
    EXPECT_EQ(several.scores, one.scores);
    EXPECT_GT(one.scores.size(), kFrames / 2);
}

// Whichever segments meet the damage.
TEST_F(MediaSegments, SayOnceWhatIsDamaged)
{
    encode("-c:v libx264 -preset ultrafast -g 20", ".mp4");
    damage(0.1, 400, 0x55);
    EXPECT_NE(expect_equal(pair_of("r.mp4", "d.mp4")).err.find("in decoding"), std::string::npos);
}

TEST_F(MediaSegments, KeepTheFramesBeforeOneThatCannotBeDecoded)
{
    encode("-c:v libx264 -preset ultrafast -g 20", ".mp4");
    damage(0.75, 3000, 0);
    const Outcome stopped = expect_equal(pair_of("r.mp4", "d.mp4"));
    EXPECT_EQ(stopped.exit_code, 234);
    EXPECT_NE(stopped.err.find("cannot be decoded"), std::string::npos);
}

} // namespace
} // namespace vmaf::test
