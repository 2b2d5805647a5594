#include <sys/stat.h>

#include <thread>

#include <gtest/gtest.h>

#include "support/clips.h"
#include "tool_test.h"

/// Input formats of the tool. Equal samples must have equal scores in every format.
namespace vmaf::test {
namespace {

class Inputs : public ToolTest {
  protected:
    /// Scores of raw videos with this shape, 2 frames.
    nlohmann::json raw_scores(const VideoShape &shape) const
    {
        write("r.yuv", raw_video(shape, 2, false));
        write("d.yuv", raw_video(shape, 2, true));
        return scores(pair_of("r.yuv", "d.yuv", with_psnr(raw_arguments(shape))));
    }

    nlohmann::json y4m_scores(const std::string &ref, const std::string &dis) const
    {
        write("r.y4m", ref);
        write("d.y4m", dis);
        return scores(pair_of("r.y4m", "d.y4m", with_psnr({})));
    }

    static std::vector<std::string> with_psnr(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.end(), {"--feature", "psnr"});
        return arguments;
    }
};

/// A Y4M video. Its tag and the ends of its frames need not fit the samples.
std::string dressed_up(const VideoShape &shape, bool distorted, const std::string &tag, const std::string &tail)
{
    std::string bytes = y4m_header(shape, tag);
    for (unsigned frame = 0; frame < 2; ++frame)
        bytes += "FRAME\n" + frame_bytes(shape, make_frame(shape, frame, distorted)) + tail;
    return bytes;
}

std::string clip_as_y4m(const Clip &clip, Side side)
{
    const ClipSpec &spec = clip.spec();
    std::string bytes = y4m_header({spec.width, spec.height, "420", 8}, "420jpeg");
    for (unsigned frame = 0; frame < spec.frames; ++frame) {
        const auto planes = clip.file_frame(side, frame);
        bytes += "FRAME\n" + std::string(planes.begin(), planes.end());
    }
    return bytes;
}

/// The table of spec cli 9, rounded as score files round (spec abi 6).
void expect_odd_size_scores(const nlohmann::json &scores)
{
    constexpr double kExpected[4][4] = {
        {80.057403953698042, 32.725760965809783, 32.679638813862404, 32.612408383077749},
        {91.422110601164391, 32.73612697257817, 32.617162438654731, 32.56558955431283},
        {92.009901555928948, 32.735096096908755, 32.702301880865456, 32.645079388903362},
        {91.347519084708125, 32.741813398476609, 32.426557306945412, 32.415659948472694},
    };
    constexpr const char *kNames[] = {"vmaf", "psnr_y", "psnr_cb", "psnr_cr"};
    ASSERT_EQ(scores.at("frames").size(), 4U);
    for (unsigned frame = 0; frame < 4; ++frame)
        for (unsigned i = 0; i < 4; ++i)
            EXPECT_NEAR(scores["frames"][frame]["metrics"].at(kNames[i]).get<double>(), kExpected[frame][i],
                        0.5000001e-6)
                << kNames[i] << " of frame " << frame;
}

TEST_F(Inputs, OddSizedY4mGivesTheSpecifiedScores)
{
    const Clip &clip = Clip::get("tiles_177x145_8");
    write("r.y4m", clip_as_y4m(clip, Side::ref));
    write("d.y4m", clip_as_y4m(clip, Side::dis));
    expect_odd_size_scores(scores(pair_of("r.y4m", "d.y4m", {"-m", "version=vmaf_v0.6.1", "--feature", "psnr"})));
}

TEST_F(Inputs, OddSizedRawGivesTheSpecifiedScores)
{
    const Clip &clip = Clip::get("tiles_177x145_8");
    for (const auto &[name, side] : {std::pair{"r.yuv", Side::ref}, std::pair{"d.yuv", Side::dis}}) {
        std::string bytes;
        for (unsigned frame = 0; frame < clip.spec().frames; ++frame) {
            const auto planes = clip.file_frame(side, frame);
            bytes.append(planes.begin(), planes.end());
        }
        write(name, bytes);
    }
    expect_odd_size_scores(
        scores(pair_of("r.yuv", "d.yuv", {"-w", "177", "-h", "145", "-p", "420", "-b", "8", "--feature", "psnr"})));
}

TEST_F(Inputs, Y4mEqualsRawInEveryLayoutAndDepth)
{
    for (const char *layout : {"420", "422", "444"})
        for (const unsigned depth : {8U, 10U, 12U, 16U}) {
            SCOPED_TRACE(std::string(layout) + " " + std::to_string(depth));
            const VideoShape shape{67, 49, layout, depth};
            EXPECT_EQ(y4m_scores(y4m_video(shape, 2, false), y4m_video(shape, 2, true)).at("frames"),
                      raw_scores(shape).at("frames"));
        }
}

TEST_F(Inputs, Other8BitTagsAreReadAsStored)
{
    const VideoShape shape{67, 49, "420", 8};
    const auto expected = raw_scores(shape).at("frames");
    for (const char *tag : {"420jpeg", "420mpeg2", "420paldv"})
        EXPECT_EQ(y4m_scores(dressed_up(shape, false, tag, ""), dressed_up(shape, true, tag, "")).at("frames"),
                  expected)
            << tag;
}

TEST_F(Inputs, AlphaPlaneIsDropped)
{
    const VideoShape shape{67, 49, "444", 8};
    const std::string alpha(67 * 49, '\x55');
    EXPECT_EQ(y4m_scores(dressed_up(shape, false, "444alpha", alpha), dressed_up(shape, true, "444alpha", alpha))
                  .at("frames"),
              raw_scores(shape).at("frames"));
}

TEST_F(Inputs, MonochromeHasTheLumaScores)
{
    for (const unsigned depth : {8U, 10U}) {
        const VideoShape mono{66, 50, "mono", depth};
        const auto gray = y4m_scores(y4m_video(mono, 2, false), y4m_video(mono, 2, true));
        const auto color = raw_scores({66, 50, "420", depth});
        for (unsigned frame = 0; frame < 2; ++frame) {
            const auto &metrics = gray["frames"][frame]["metrics"];
            EXPECT_FALSE(metrics.contains("psnr_cb"));
            for (const char *name : {"psnr_y", "vmaf"})
                EXPECT_EQ(metrics.at(name), color["frames"][frame]["metrics"].at(name)) << name;
        }
    }
}

TEST_F(Inputs, OddDepthsAreReadOneOrTwoBitsDeeper)
{
    for (const auto &[depth, deeper] : {std::pair{9U, 10U}, std::pair{14U, 16U}}) {
        const VideoShape shape{67, 49, "420", depth};
        const auto odd = y4m_scores(y4m_video(shape, 2, false), y4m_video(shape, 2, true));
        for (const bool distorted : {false, true}) {
            std::string bytes;
            for (unsigned frame = 0; frame < 2; ++frame)
                bytes += frame_bytes(shape, make_frame(shape, frame, distorted), deeper - depth);
            write(distorted ? "d.yuv" : "r.yuv", bytes);
        }
        const auto even = scores(pair_of("r.yuv", "d.yuv", with_psnr(raw_arguments({67, 49, "420", deeper}))));
        EXPECT_EQ(odd.at("frames"), even.at("frames")) << depth;
    }
}

/// A shape with so much chroma that readers skip it in the file if no feature reads it.
VideoShape shape_with_much_chroma()
{
    return {401, 399, "420", 8};
}

/// A video with the distorted frames' luma, and with chroma of other frames.
std::string with_other_chroma(const VideoShape &shape, unsigned frames)
{
    std::string bytes = y4m_header(shape, "420");
    for (unsigned frame = 0; frame < frames; ++frame) {
        Planes planes = make_frame(shape, frame, true);
        for (unsigned plane : {1U, 2U})
            planes[plane] = make_frame(shape, frame + 7, false)[3 - plane];
        bytes += "FRAME\n" + frame_bytes(shape, planes);
    }
    return bytes;
}

TEST_F(Inputs, ChromaReachesEverybodyWhoReadsIt)
{
    constexpr unsigned kFrames = 2;
    const VideoShape shape = shape_with_much_chroma();
    write("r.y4m", y4m_video(shape, kFrames, false));
    write("d.y4m", y4m_video(shape, kFrames, true));
    write("other.y4m", with_other_chroma(shape, kFrames));
    using Arguments = std::vector<std::string>;
    const auto differs = [&](const Arguments &what) {
        return without_speed(scores(pair_of("r.y4m", "d.y4m", what))) !=
               without_speed(scores(pair_of("r.y4m", "other.y4m", what)));
    };
    for (const char *feature : {"psnr", "psnr_hvs", "ciede", "speed_chroma", "ssimulacra2"})
        EXPECT_TRUE(differs({"-n", "--feature", feature})) << feature;
    EXPECT_TRUE(differs({"-m", "version=vmaf_v1.0.16_3d0h"}));
    EXPECT_TRUE(differs({"--feature", "psnr"}));
    EXPECT_FALSE(differs({}));
    EXPECT_FALSE(differs({"-n", "--feature", "cambi"}));
}

TEST_F(Inputs, FifosGiveTheScoresOfFiles)
{
    constexpr unsigned kFrames = 3;
    const VideoShape shape = shape_with_much_chroma();
    for (const char *name : {"r", "d"}) {
        write(std::string(name) + ".y4m", y4m_video(shape, kFrames, name == std::string("d")));
        ASSERT_EQ(::mkfifo((path(name)).c_str(), 0600), 0);
    }
    for (const std::vector<std::string> &what : {std::vector<std::string>{}, {"--feature", "psnr"}}) {
        const auto write_fifo = [this](const std::string &name) { write(name, read(name + ".y4m")); };
        std::jthread ref(write_fifo, "r"), dis(write_fifo, "d");
        const auto piped = without_speed(scores(pair_of("r", "d", what)));
        EXPECT_EQ(piped.at("frames").size(), kFrames);
        EXPECT_EQ(piped, without_speed(scores(pair_of("r.y4m", "d.y4m", what))));
    }
}

TEST_F(Inputs, FrameParametersAndStrayBytesAreIgnored)
{
    const VideoShape shape = small_shape();
    std::string bytes = y4m_header(shape, "420");
    for (unsigned frame = 0; frame < 3; ++frame)
        bytes += "FRAME" + std::string(frame == 1 ? 79 : 0, ' ') + "\n" +
                 frame_bytes(shape, make_frame(shape, frame, false));
    write("params.y4m", bytes + "abc");
    const auto plain = scores(pair_of("R.y4m", "D.y4m"));
    EXPECT_EQ(scores(pair_of("params.y4m", "D.y4m")).at("frames"), plain.at("frames"));
}

// spec xpsnr 2
TEST_F(Inputs, FeaturesThatAskForTheFrameRateGetTheReferences)
{
    const VideoShape shape = small_shape();
    const auto at = [&](const std::string &rate, bool distorted) {
        std::string bytes = y4m_video(shape, 3, distorted);
        return bytes.replace(bytes.find("F25:1"), 5, rate);
    };
    const auto frames = [&](const std::string &ref, const std::string &dis, const std::string &feature) {
        return scores(pair_of(ref, dis, {"--allow_fps_mismatch", "-n", "--feature", feature})).at("frames");
    };
    write("R60.y4m", at("F60000:1001", false));
    write("D60.y4m", at("F60000:1001", true));
    write("unknown.y4m", at("F0:0", false));
    const auto slow = frames("R.y4m", "D.y4m", "xpsnr=fps=25"), fast = frames("R.y4m", "D.y4m", "xpsnr=fps=60");
    ASSERT_NE(slow, fast);
    EXPECT_EQ(frames("R60.y4m", "D60.y4m", "xpsnr"), fast);
    EXPECT_EQ(frames("R60.y4m", "D.y4m", "xpsnr"), fast);
    EXPECT_EQ(frames("R.y4m", "D60.y4m", "xpsnr"), slow);
    EXPECT_EQ(frames("R60.y4m", "D60.y4m", "xpsnr=fps=0"), slow);
    EXPECT_EQ(frames("unknown.y4m", "D60.y4m", "xpsnr"), slow);

    const auto slow_jod = frames("R.y4m", "D.y4m", "cvvdp=fps=25"),
               fast_jod = frames("R.y4m", "D.y4m", "cvvdp=fps=59.94005994005994");
    ASSERT_NE(slow_jod, fast_jod);
    EXPECT_EQ(frames("R60.y4m", "D60.y4m", "cvvdp"), fast_jod);
    write("R250.y4m", at("F250:1", false));
    for (const char *ref : {"R250.y4m", "unknown.y4m"}) {
        EXPECT_EQ(frames(ref, "D60.y4m", "cvvdp"), slow_jod);
        const std::string said = run(pair_of(ref, "D60.y4m", {"--allow_fps_mismatch", "-n", "--feature", "cvvdp"})).err;
        EXPECT_NE(said.find("cvvdp takes the video for one of 25 frames/s"), std::string::npos) << said;
    }
}

TEST_F(Inputs, FrameHeaderWithoutEndLosesFraming)
{
    const VideoShape shape = small_shape();
    write("long.y4m", y4m_header(shape, "420") + "FRAME" + std::string(80, ' ') + "\n" +
                          frame_bytes(shape, make_frame(shape, 0, false)));
    const ToolResult result = run(pair_of("long.y4m", "D.y4m"));
    EXPECT_EQ(result.exit_code, 234);
    EXPECT_NE(result.err.find("framing"), std::string::npos) << result.err;
}

} // namespace
} // namespace vmaf::test
