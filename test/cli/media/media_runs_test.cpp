#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "../tool_test.h"
#include "ffmpeg.h"

/// The tool on media files. Scores equal those of the frames that ffmpeg decodes, read as raw
/// video.
namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 6;

class Media : public ::testing::Test {
  protected:
    ToolResult run(const std::vector<std::string> &arguments, const ToolSetting &setting = {}) const
    {
        return run_tool(studio_.directory(), arguments, setting);
    }

    /// Scores of each frame.
    nlohmann::json scores(std::vector<std::string> arguments, const ToolSetting &setting = {}) const
    {
        arguments.insert(arguments.end(), {"--feature", "psnr", "--json", "-o", "scores.json"});
        const ToolResult result = run(arguments, setting);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        if (result.exit_code != 0)
            return {};
        return nlohmann::json::parse(studio_.read("scores.json")).at("frames");
    }

    /// The media file's frames in a raw file.
    void decode(const std::string &media, const std::string &raw, const std::string &pixel_format,
                const std::string &more = "") const
    {
        studio_.ffmpeg("-i " + media + " " + more + " -fps_mode passthrough -f rawvideo -pix_fmt " + pixel_format +
                       " " + raw);
    }

    void expect_error(const std::vector<std::string> &arguments, int exit_code, const std::string &text) const
    {
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, exit_code) << result.err;
        EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    }

    void expect_warning(const std::vector<std::string> &arguments, const std::string &text) const
    {
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_NE(result.err.find("warning: " + text), std::string::npos) << result.err;
        std::vector<std::string> strict = arguments;
        strict.push_back("--strict");
        const ToolResult error = run(strict);
        EXPECT_EQ(error.exit_code, 255) << error.err;
        EXPECT_NE(error.err.find(text), std::string::npos) << error.err;
    }

    /// A line that is no warning, so --strict accepts it.
    void expect_note(std::vector<std::string> arguments, const std::string &text) const
    {
        arguments.push_back("--strict");
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    }

    void make_h264(const std::string &name, const std::string &more = "") const
    {
        studio_.make_source("src.y4m", kFrames);
        studio_.ffmpeg("-i src.y4m -c:v libx264 -preset fast -threads 1 -qp 24 " + more + " " + name);
    }

    std::vector<std::string> raw_pair(const std::string &ref, const std::string &dis, const std::string &layout = "420",
                                      const std::string &depth = "8") const
    {
        return pair_of(ref, dis, {"-w", "160", "-h", "96", "-p", layout, "-b", depth});
    }

    Studio studio_;
};

struct Codec {
    const char *encoder;
    const char *options;
    const char *file;
    const char *pixel_format; ///< decoded and raw
    const char *layout;
    const char *depth;
};

TEST_F(Media, ScoresAreThoseOfTheDecodedFrames)
{
    VMAF_NEED_FFMPEG();
    const Codec codecs[] = {
        {"libx264", "-qp 24 -bf 2", "v.mp4", "yuv420p", "420", "8"},
        {"libx264", "-qp 24 -bf 2", "v.ts", "yuv420p", "420", "8"},
        {"libx265", "-x265-params log-level=none", "v.mkv", "yuv420p10le", "420", "10"},
        {"libvpx-vp9", "-b:v 300k -deadline realtime -cpu-used 8", "v.webm", "yuv420p", "420", "8"},
        {"libaom-av1", "-b:v 300k -cpu-used 8 -usage realtime", "v.mkv", "yuv420p", "420", "8"},
        {"prores_ks", "", "v.mov", "yuv422p10le", "422", "10"},
        {"ffv1", "", "v.mkv", "yuv444p12le", "444", "12"},
        {"mpeg4", "-qscale:v 8", "v.avi", "yuv420p", "420", "8"},
        {"mpeg2video", "-qscale:v 8 -bf 1", "v.mpg", "yuv420p", "420", "8"},
    };
    for (const Codec &codec : codecs) {
        if (!has_encoder(codec.encoder)) {
            std::cout << "no encoder " << codec.encoder << "\n";
            continue;
        }
        SCOPED_TRACE(std::string(codec.encoder) + " " + codec.file);
        studio_.make_source("src.y4m", kFrames, codec.pixel_format);
        studio_.ffmpeg(std::string("-i src.y4m -c:v ") + codec.encoder + " -threads 1 " + codec.options + " " +
                       codec.file);
        decode("src.y4m", "ref.yuv", codec.pixel_format);
        decode(codec.file, "dis.yuv", codec.pixel_format);
        const auto expected = scores(raw_pair("ref.yuv", "dis.yuv", codec.layout, codec.depth));
        EXPECT_EQ(expected.size(), kFrames);
        EXPECT_EQ(scores(pair_of("src.y4m", codec.file)), expected);
    }
}

TEST_F(Media, BothSidesAndStandardInputAndRawReferences)
{
    VMAF_NEED_FFMPEG();
    make_h264("d.mp4");
    make_h264("d.mkv");
    studio_.ffmpeg("-i src.y4m -c:v ffv1 r.mkv");
    decode("src.y4m", "ref.yuv", "yuv420p");
    decode("d.mp4", "dis.yuv", "yuv420p");
    const auto expected = scores(raw_pair("ref.yuv", "dis.yuv"));
    EXPECT_EQ(scores(pair_of("r.mkv", "d.mp4")), expected);
    std::vector<std::string> mixed = raw_pair("ref.yuv", "d.mp4");
    mixed.insert(mixed.end(), {"--dist_format", "media"});
    EXPECT_EQ(scores(mixed), expected);
    ToolSetting from_pipe;
    from_pipe.input = studio_.read("d.mkv");
    EXPECT_EQ(scores(pair_of("r.mkv", "-"), from_pipe), expected);
    from_pipe.input = studio_.read("src.y4m").substr(0, 60000);
    EXPECT_EQ(scores(pair_of("-", "d.mp4", {"--frame_cnt", "2"}), from_pipe).size(), 2U);
    expect_error(pair_of("-", "-"), 1, "only one");
    EXPECT_EQ(run(pair_of("d.mp4", "d.mp4", {"-o", "d.mp4"})).exit_code, 255);
}

TEST_F(Media, SkipsAndCounts)
{
    VMAF_NEED_FFMPEG();
    make_h264("d.mp4", "-bf 2");
    const auto all = scores(pair_of("src.y4m", "d.mp4"));
    const auto some =
        scores(pair_of("src.y4m", "d.mp4", {"--frame_skip_ref", "2", "--frame_skip_dist", "2", "--frame_cnt", "3"}));
    ASSERT_EQ(some.size(), 3U);
    EXPECT_EQ(some[1]["metrics"]["psnr_y"], all[3]["metrics"]["psnr_y"]);
}

TEST_F(Media, OddSizes)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 3, "yuv420p", "161x97");
    studio_.ffmpeg("-i src.y4m -c:v mpeg4 -qscale:v 8 d.mkv");
    decode("src.y4m", "ref.yuv", "yuv420p");
    decode("d.mkv", "dis.yuv", "yuv420p");
    EXPECT_EQ(scores(pair_of("src.y4m", "d.mkv")),
              scores(pair_of("ref.yuv", "dis.yuv", {"-w", "161", "-h", "97", "-p", "420", "-b", "8"})));
}

TEST_F(Media, CroppingAppliesOnEverySide)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("big.y4m", 3, "yuv420p", "192x128");
    studio_.ffmpeg("-i big.y4m -c:v libx264 -threads 1 -qp 24 -bsf:v "
                   "h264_metadata=crop_left=20:crop_right=12:crop_top=10:crop_bottom=22 d.mp4");
    studio_.ffmpeg("-i big.y4m -vf crop=160:96:20:10 src.y4m");
    studio_.ffmpeg("-flags unaligned -i d.mp4 -f rawvideo -pix_fmt yuv420p dis.yuv");
    ASSERT_EQ(studio_.read("dis.yuv").size(), 3 * 160 * 96 * 3 / 2U);
    decode("src.y4m", "ref.yuv", "yuv420p");
    EXPECT_EQ(scores(pair_of("src.y4m", "d.mp4")), scores(raw_pair("ref.yuv", "dis.yuv")));
    // The scaler's vector code needs aligned rows, and cropped rows are not aligned.
    studio_.ffmpeg(
        "-f rawvideo -pix_fmt yuv420p -s 160x96 -i dis.yuv -vf scale=96:64:flags=bicubic -f rawvideo small.yuv");
    studio_.ffmpeg("-i src.y4m -vf scale=96:64:flags=bicubic -f rawvideo small_ref.yuv");
    EXPECT_EQ(scores(pair_of("src.y4m", "d.mp4", {"--scale", "96x64"})),
              scores(pair_of("small_ref.yuv", "small.yuv", {"-w", "96", "-h", "64", "-p", "420", "-b", "8"})));
}

TEST_F(Media, ScalesTheDistortedVideoToTheReference)
{
    VMAF_NEED_FFMPEG();
    make_h264("d.mp4", "-vf scale=96:64:flags=bilinear");
    decode("src.y4m", "ref.yuv", "yuv420p");
    decode("d.mp4", "dis.yuv", "yuv420p", "-vf scale=160:96:flags=bicubic");
    const ToolResult result = run(pair_of("src.y4m", "d.mp4"));
    EXPECT_NE(result.err.find("distorted: 96x64 scaled to 160x96 (bicubic)\n"), std::string::npos) << result.err;
    EXPECT_EQ(scores(pair_of("src.y4m", "d.mp4")), scores(raw_pair("ref.yuv", "dis.yuv")));
    EXPECT_EQ(run(pair_of("src.y4m", "d.mp4", {"--html", "x.html"})).exit_code, 0);
    EXPECT_NE(studio_.read("x.html").find("96x64 scaled to 160x96 (bicubic)"), std::string::npos);
    EXPECT_NE(studio_.read("x.html").find("data:image/png"), std::string::npos);
    expect_error(pair_of("src.y4m", "d.mp4", {"--scale", "none"}), 255,
                 "src.y4m is 160x96, d.mp4 is 96x64: --scale ref");
    expect_error(pair_of("src.y4m", "d.mp4", {"--scale", "0x7"}), 1, "1920x1080");
}

// media_reader_test.cpp compares the scaled samples.
TEST_F(Media, ScalesWithTheLibrarysScalerIfAskedTo)
{
    VMAF_NEED_FFMPEG();
    make_h264("d.mp4", "-vf scale=96:64:flags=bilinear");
    const ToolResult result = run(pair_of("src.y4m", "d.mp4", {"--scaler", "integer"}));
    EXPECT_NE(result.err.find("distorted: 96x64 scaled to 160x96 (bicubic, in integers)\n"), std::string::npos)
        << result.err;
    const nlohmann::json integer = scores(pair_of("src.y4m", "d.mp4", {"--scaler", "integer"}));
    const nlohmann::json swscale = scores(pair_of("src.y4m", "d.mp4", {"--scaler", "swscale"}));
    EXPECT_EQ(swscale, scores(pair_of("src.y4m", "d.mp4"))) << "the default";
    EXPECT_NE(integer, swscale);
    ASSERT_EQ(integer.size(), swscale.size());
    for (std::size_t frame = 0; frame < integer.size(); ++frame)
        EXPECT_NEAR(integer.at(frame).at("metrics").at("psnr_y").get<double>(),
                    swscale.at(frame).at("metrics").at("psnr_y").get<double>(), 0.1);
    EXPECT_EQ(integer,
              scores(pair_of("src.y4m", "d.mp4", {"--scaler", "integer", "--accurate_scale", "--cpumask", "63"})))
        << "on every processor";
    expect_error(pair_of("src.y4m", "d.mp4", {"--scaler", "intger"}), 1, "integer");
}

TEST_F(Media, Y4mSizesAreMatchedOnlyWhenAskedFor)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 2);
    studio_.ffmpeg("-i src.y4m -vf scale=97:61:flags=bilinear small.y4m");
    expect_error(pair_of("src.y4m", "small.y4m"), 255, "src.y4m is 160x96, small.y4m is 97x61: --scale ref");
    decode("src.y4m", "ref.yuv", "yuv420p");
    decode("small.y4m", "dis.yuv", "yuv420p", "-vf scale=160:96:flags=bicubic");
    EXPECT_EQ(scores(pair_of("src.y4m", "small.y4m", {"--scale", "ref"})), scores(raw_pair("ref.yuv", "dis.yuv")));
}

TEST_F(Media, SizesThatChangeOnTheWay)
{
    VMAF_NEED_FFMPEG();
    make_h264("one.ts", "-vf scale=96:64");
    make_h264("two.ts");
    studio_.write("both.ts", studio_.read("one.ts") + studio_.read("two.ts"));
    studio_.make_source("long.y4m", 2 * kFrames);
    const auto both = scores(pair_of("long.y4m", "both.ts"));
    ASSERT_EQ(both.size(), 2 * kFrames);
    const auto alone = scores(pair_of("src.y4m", "one.ts"));
    for (unsigned frame = 0; frame < kFrames; ++frame)
        EXPECT_EQ(both[frame]["metrics"]["psnr_y"], alone[frame]["metrics"]["psnr_y"]);
    EXPECT_EQ(scores(pair_of("both.ts", "both.ts", {"--scale", "160x96"})).size(), 2 * kFrames);
    const ToolResult result = run(pair_of("both.ts", "long.y4m", {"--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 234) << result.err;
    EXPECT_NE(result.err.find("both.ts: frame 6: the size changes from 96x64 to 160x96"), std::string::npos)
        << result.err;
    EXPECT_EQ(nlohmann::json::parse(studio_.read("x.json.partial"))["frames"].size(), kFrames);
}

TEST_F(Media, FramesAreMatchedByNumberWhateverTheirTimes)
{
    VMAF_NEED_FFMPEG();
    make_h264("d.mkv", "-vf select='not(eq(n\\,2)+eq(n\\,3))' -fps_mode vfr -bf 0");
    decode("d.mkv", "dis.yuv", "yuv420p");
    decode("src.y4m", "ref.yuv", "yuv420p");
    const auto frames = scores(pair_of("src.y4m", "d.mkv"));
    EXPECT_EQ(frames.size(), kFrames - 2);
    EXPECT_EQ(frames, scores(raw_pair("ref.yuv", "dis.yuv")));
}

TEST_F(Media, CoversAndSoundAreNotScored)
{
    VMAF_NEED_FFMPEG();
    make_h264("v.mp4");
    studio_.ffmpeg("-f lavfi -i testsrc2=size=640x480 -frames:v 1 cover.png");
    studio_.ffmpeg("-i cover.png -i v.mp4 -f lavfi -t 0.3 -i sine -map 0 -map 1 -map 2 -c:v copy -c:a aac "
                   "-disposition:v:0 attached_pic -disposition:v:1 0 d.mp4");
    EXPECT_EQ(scores(pair_of("src.y4m", "d.mp4")), scores(pair_of("src.y4m", "v.mp4")));
    EXPECT_EQ(run(pair_of("v.mp4", "d.mp4")).err.find("has 2 videos"), std::string::npos);
    studio_.ffmpeg("-i v.mp4 -vf scale=80:48 -c:v libx264 -threads 1 small.mp4");
    studio_.ffmpeg("-i small.mp4 -i v.mp4 -map 0 -map 1 -c copy both.mp4");
    expect_note(pair_of("v.mp4", "both.mp4"), "both.mp4 has 2 videos, and stream 1 is read (160x96); ");
    studio_.ffmpeg("-f lavfi -t 0.3 -i sine -c:a aac sound.m4a");
    expect_error(pair_of("src.y4m", "sound.m4a"), 255, "there is no video in the file");
}

TEST_F(Media, GrayAndRgbAndFormatsThatAreNotSupported)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 2);
    studio_.ffmpeg("-i src.y4m -vf extractplanes=y -c:v ffv1 -color_range tv gray.mkv");
    const auto gray = scores(pair_of("src.y4m", "gray.mkv"));
    ASSERT_EQ(gray.size(), 2U);
    EXPECT_EQ(gray[0]["metrics"]["psnr_y"], 60.0);
    EXPECT_FALSE(gray[0]["metrics"].contains("psnr_cb"));
    studio_.ffmpeg("-i src.y4m -pix_fmt rgb24 -c:v png rgb.mov");
    expect_warning(pair_of("src.y4m", "rgb.mov"),
                   "distorted: rgb24 is converted to YUV by smpte170m, limited range; src.y4m does not say its matrix "
                   "(--matrix_ref bt601, bt709 or bt2020)");
    expect_note(pair_of("src.y4m", "rgb.mov", {"--matrix_ref", "bt709"}),
                "distorted: rgb24 is converted to YUV by bt709, limited range\n");
    expect_note(pair_of("src.y4m", "rgb.mov", {"--matrix_ref", "bt2020", "--range_ref", "full"}),
                "distorted: rgb24 is converted to YUV by bt2020nc, full range\n");
    expect_note(pair_of("rgb.mov", "rgb.mov"), "reference: rgb24 is converted to YUV by bt709, limited range\n");
    studio_.ffmpeg("-i src.y4m -pix_fmt monow -c:v rawvideo packed.nut");
    expect_error(pair_of("src.y4m", "packed.nut"), 255, "pixel format monow is not supported");
    studio_.ffmpeg("-i src.y4m -pix_fmt nv12 -c:v rawvideo nv12.nut");
    EXPECT_EQ(scores(pair_of("src.y4m", "nv12.nut"))[0]["metrics"]["psnr_cb"], 60.0);
    studio_.ffmpeg("-i src.y4m -pix_fmt yuv411p -strict -1 c411.y4m");
    EXPECT_EQ(scores(pair_of("c411.y4m", "c411.y4m"))[0]["metrics"]["psnr_cb"], 60.0);
}

// Colours under full transparency differ, but nobody sees them.
// Only luma is compared, so only the tool can say what is left out.
TEST_F(Media, AVideoWithoutChromaIsWarnedOfBesideColours)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("colour.y4m", 24);
    studio_.ffmpeg("-i colour.y4m -c:v ffv1 colour.mkv");
    studio_.ffmpeg("-i colour.y4m -pix_fmt yuv444p10le -c:v ffv1 deep.mkv");
    studio_.ffmpeg("-i colour.y4m -vf hue=s=0 -c:v ffv1 neutral.mkv");
    studio_.ffmpeg("-i colour.y4m -vf extractplanes=y -color_range tv -c:v ffv1 gray.mkv");
    const auto said = [&](const std::string &ref, const std::string &dis, std::vector<std::string> more) {
        const bool is_strict = more.back() == "--strict";
        const ToolResult result = run(pair_of(ref, dis, std::move(more)));
        EXPECT_EQ(result.exit_code, is_strict ? 234 : 0) << result.err;
        return result.err;
    };
    const std::string grey = "gray.mkv is grey where ", cure = ", which models v0.6.1 do not see: -m v1 --pix_fmt ";
    for (const auto &features : {std::vector<std::string>{"-m", "vmaf_v0.6.1"}, {"-n", "--feature", "psnr"}}) {
        EXPECT_NE(said("colour.mkv", "gray.mkv", features)
                      .find(grey + "colour.mkv has colours" + cure + "420p10, or --feature ciede --pix_fmt 420p10\n"),
                  std::string::npos);
        for (const auto &[name, format] : {std::pair("colour.y4m", "420p10"), {"deep.mkv", "444p10"}})
            for (const auto &[ref, dis] : {std::pair<std::string, std::string>(name, "gray.mkv"), {"gray.mkv", name}})
                EXPECT_NE(said(ref, dis, features).find(grey + name + " has colours" + cure + format),
                          std::string::npos)
                    << ref;
        EXPECT_EQ(said("neutral.mkv", "gray.mkv", features).find("is grey"), std::string::npos);
        EXPECT_EQ(said("gray.mkv", "gray.mkv", features).find("is grey"), std::string::npos);
    }
    EXPECT_NE(said("colour.mkv", "gray.mkv", {"--align", "frames", "--strict"}).find(grey), std::string::npos);
    expect_note(pair_of("colour.mkv", "gray.mkv", {"--pix_fmt", "mono"}), "reference: chroma 420 is left out\n");
    expect_error(pair_of("deep.mkv", "gray.mkv", {"-m", "v1"}), 255,
                 "--pix_fmt 444p10 compares it with neutral chroma");
    const std::string cured = said("colour.mkv", "gray.mkv", {"-n", "--feature", "ciede", "--pix_fmt", "420p10"});
    EXPECT_NE(cured.find("distorted: chroma 400 is scaled to 420"), std::string::npos) << cured;
}

TEST_F(Media, TransparencyIsWarnedOfAndComposed)
{
    VMAF_NEED_FFMPEG();
    const std::string source = "-f lavfi -i testsrc2=s=160x96 -frames:v 1 -vf ";
    const auto picture = [&](const std::string &hidden, const std::string &name) {
        const auto component = [&](const std::string &letter) {
            return letter + "='if(lt(X,80)," + hidden + "," + letter + "(X,Y))'";
        };
        studio_.ffmpeg(source + "\"format=rgba,geq=" + component("r") + ":" + component("g") + ":" + component("b") +
                       ":a='if(lt(X,80),0,255)'\" " + name);
    };
    picture("10", "r.png");
    picture("200", "d.png");
    studio_.ffmpeg(source + "format=rgb24 opaque.png");
    expect_warning(pair_of("r.png", "d.png"), "both videos have transparency, which is not scored: --background");
    expect_warning(pair_of("opaque.png", "d.png"),
                   "d.png has transparency, which is not scored, and opaque.png has none");
    EXPECT_LT(scores(pair_of("r.png", "d.png"))[0]["metrics"]["psnr_y"], 20.0);
    EXPECT_EQ(scores(pair_of("r.png", "d.png", {"--background", "ff8000", "--strict"}))[0]["metrics"]["psnr_y"], 60.0);
    expect_error(pair_of("r.png", "d.png", {"--background", "orange"}), 1, "a colour like 000000 or ffffff");
}

// The codecs' usual decoders drop transparency and print nothing.
TEST_F(Media, TransparencyBesideThePicturesOfWebmIsWarnedOfAndComposed)
{
    VMAF_NEED_FFMPEG();
    for (const std::string codec : {"libvpx", "libvpx-vp9"}) {
        const auto make = [&](const std::string &filter, const std::string &name) {
            studio_.ffmpeg("-f lavfi -i testsrc2=s=160x96:r=25:d=0.2 -vf " + filter + " -c:v " + codec +
                           " -auto-alt-ref 0 -threads 1 -b:v 1M " + name);
        };
        make("format=yuv420p", "opaque.webm");
        make("format=yuva420p,colorchannelmixer=aa=0", "clear.webm");
        expect_warning(pair_of("opaque.webm", "clear.webm"),
                       "clear.webm has transparency, which is not scored, and opaque.webm has none");
        EXPECT_EQ(run(pair_of("opaque.webm", "opaque.webm", {"--strict"})).exit_code, 0);
        // Only the background is visible.
        studio_.ffmpeg("-f lavfi -i color=gray:s=160x96:r=25:d=0.2 -pix_fmt yuv420p gray.y4m");
        const auto composed = pair_of("gray.y4m", "clear.webm", {"--background", "808080"});
        if (run(composed).err.find("no decoder for the transparency") != std::string::npos)
            GTEST_SKIP() << "these media libraries were built without libvpx";
        for (const auto &frame : scores(composed))
            EXPECT_GT(frame["metrics"]["psnr_y"], 48.0);
    }
}

// Alpha in Y4M and in media files goes through the same code.
TEST_F(Media, TransparencyOfY4mIsWarnedOfAndComposed)
{
    VMAF_NEED_FFMPEG();
    const auto picture = [&](const std::string &hidden, const std::string &name) {
        studio_.ffmpeg("-f lavfi -i testsrc2=s=160x96 -frames:v 2 -vf \"format=yuva444p,geq=lum='if(lt(X,80)," +
                       hidden + ",lum(X,Y))':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(X,80),0,255)'\" -strict -1 " + name);
    };
    picture("40", "r.y4m");
    picture("200", "d.y4m");
    studio_.ffmpeg("-i d.y4m -c:v ffv1 d.mkv");
    studio_.ffmpeg("-f lavfi -i testsrc2=s=160x96 -frames:v 2 -pix_fmt yuv444p -strict -1 opaque.y4m");
    ASSERT_NE(studio_.read("r.y4m").substr(0, 200).find("C444alpha"), std::string::npos);
    expect_warning(pair_of("r.y4m", "d.y4m"), "both videos have transparency, which is not scored: --background");
    expect_warning(pair_of("opaque.y4m", "d.y4m"),
                   "d.y4m has transparency, which is not scored, and opaque.y4m has none");
    expect_warning(pair_of("r.y4m", "d.y4m", {"--ref_format", "y4m"}), "r.y4m: transparency is not scored");
    EXPECT_LT(scores(pair_of("r.y4m", "d.y4m"))[0]["metrics"]["psnr_y"], 20.0);
    const std::vector<std::string> composed = {"--background", "ff8000", "--strict"};
    for (const std::string distorted : {"d.y4m", "d.mkv"})
        EXPECT_EQ(scores(pair_of("r.y4m", distorted, composed))[0]["metrics"]["psnr_y"], 60.0) << distorted;
    expect_error(pair_of("r.y4m", "d.y4m", {"--background", "ff8000", "--ref_format", "y4m"}), 255, "--ref_format");
}

// A grey ramp of every code, in image formats without a range tag. It is compared with the same
// ramp in limited range: (v - 16) * 255 / 219.
TEST_F(Media, GreyImagesAreOfFullRange)
{
    VMAF_NEED_FFMPEG();
    std::string ramp;
    for (unsigned i = 0; i < 256U * 64; ++i)
        ramp += static_cast<char>(i % 256);
    studio_.write("ramp.gray", ramp);
    std::string limited;
    for (unsigned i = 0; i < 256U * 64; ++i)
        limited += static_cast<char>(16 + ((i % 256) * 219 * 2 + 255) / 510);
    studio_.write("limited.gray", limited);
    const std::string raw = "-f rawvideo -pix_fmt gray -s 256x64 -i ";
    studio_.ffmpeg(raw + "limited.gray -color_range tv -c:v ffv1 limited.mkv");
    for (const std::string kind : {"png", "tiff", "bmp", "pgm", "tga", "sgi", "jp2", "jls", "pcx", "ras", "xwd"}) {
        SCOPED_TRACE(kind);
        const std::string name = "r." + kind;
        studio_.ffmpeg(raw + "ramp.gray -pix_fmt gray " + (kind == "jp2" ? "-pred 1 " : "") + name);
        const auto metrics = scores(pair_of(name, "limited.mkv"))[0]["metrics"];
        EXPECT_GT(metrics["psnr_y"], 50.0);
    }
}

TEST_F(Media, AReferenceThatLooksLikeTheEncodeIsWarnedOf)
{
    VMAF_NEED_FFMPEG();
    studio_.ffmpeg("-f lavfi -i testsrc2=s=320x180:r=25:d=0.8 -vf noise=alls=12:allf=t -pix_fmt yuv420p -c:v ffv1 "
                   "source.mkv");
    studio_.ffmpeg("-i source.mkv -c:v libx264 -preset veryfast -threads 1 -crf 34 encode.mp4");
    studio_.ffmpeg("-i source.mkv source.y4m");
    studio_.ffmpeg("-i encode.mp4 encode.y4m");
    const auto said = [&](const std::string &ref, const std::string &dis) {
        std::vector<std::string> arguments = pair_of(ref, dis, {"-n", "--feature", "psnr"});
        return run(arguments).err;
    };
    const std::string warning = "warning: encode.mp4 looks like the encode, with ";
    const std::string exchanged = said("encode.mp4", "source.mkv");
    EXPECT_NE(exchanged.find(warning + "fewer bits and "), std::string::npos) << exchanged;
    EXPECT_NE(exchanged.find(" less detail than source.mkv: exchange -r and -d"), std::string::npos) << exchanged;
    EXPECT_NE(said("encode.mp4", "source.y4m").find(warning + "lossy compression and "), std::string::npos);
    for (const auto &[ref, dis] : {std::pair("source.mkv", "encode.mp4"),
                                   {"source.y4m", "encode.mp4"},
                                   {"encode.mp4", "encode.y4m"},
                                   {"encode.mp4", "encode.mp4"},
                                   {"source.mkv", "source.y4m"}})
        EXPECT_EQ(said(ref, dis).find("exchange -r and -d"), std::string::npos) << ref << " " << dis;
    // Noise that was added on purpose does not need more bits.
    studio_.ffmpeg("-f lavfi -i testsrc2=s=320x180:r=25:d=0.8 -pix_fmt yuv420p -c:v rawvideo clean.avi");
    EXPECT_EQ(said("clean.avi", "source.mkv").find("exchange -r and -d"), std::string::npos);
    EXPECT_NE(run(pair_of("encode.mp4", "source.mkv", {"--strict"})).exit_code, 0);
}

TEST_F(Media, CommonDepthAndLayout)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 2);
    studio_.ffmpeg("-i src.y4m -pix_fmt yuv420p10le -strict -1 -c:v ffv1 deep.mkv");
    EXPECT_EQ(scores(pair_of("src.y4m", "deep.mkv"))[0]["metrics"]["psnr_y"], 60.0 + 12);
    EXPECT_EQ(scores(pair_of("deep.mkv", "src.y4m", {"--pix_fmt", "422"}))[0]["metrics"]["psnr_y"], 60.0);
    expect_error(pair_of("src.y4m", "deep.mkv", {"--pix_fmt", "none"}), 255, "bitdepths do not match: 8, 10");
    expect_error(pair_of("src.y4m", "deep.mkv", {"--pix_fmt", "420p9"}), 1, "422p10");
}

TEST_F(Media, WarnsOfRangesRatesInterlacingAndTags)
{
    VMAF_NEED_FFMPEG();
    make_h264("r.mp4", "-color_range tv -colorspace bt709");
    make_h264("full.mp4", "-pix_fmt yuvj420p");
    expect_note(pair_of("r.mp4", "full.mp4"), "distorted: full range is converted to the reference's limited range");
    make_h264("tag.mp4", "-colorspace smpte170m");
    expect_note(pair_of("r.mp4", "tag.mp4"), "distorted: matrix smpte170m is converted to the reference's bt709");
    make_h264("odd.mp4", "-colorspace ycgco");
    expect_warning(pair_of("r.mp4", "odd.mp4"), "matrices differ: bt709 and ycgco; nothing is converted");
    make_h264("field.mp4", "-flags +ildct+ilme -x264opts tff=1");
    expect_warning(pair_of("r.mp4", "field.mp4"), "field.mp4: interlaced video, scored as stored");
    studio_.ffmpeg("-r 30 -i src.y4m -c:v libx264 -threads 1 fast.mp4");
    expect_error(pair_of("r.mp4", "fast.mp4"), 255,
                 "frame rates differ: 25 and 30; convert one first: ffmpeg -i fast.mp4 -vf fps=25 -c:v ffv1 "
                 "fast_25fps.mkv; to compare frame by frame all the same: --allow_fps_mismatch");
    studio_.ffmpeg("-i fast.mp4 -vf fps=25 -c:v ffv1 fast_25fps.mkv");
    EXPECT_EQ(run(pair_of("r.mp4", "fast_25fps.mkv")).exit_code, 0) << "the command does it";
    expect_warning(pair_of("r.mp4", "fast.mp4", {"--allow_fps_mismatch"}), "frame rates differ: 25 and 30");
}

/// Flips a bit in the middle of each of the later packets.
std::string damaged(std::string bytes)
{
    for (std::size_t i = bytes.size() / 2; i + 50 < bytes.size(); i += bytes.size() / 9)
        bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
    return bytes;
}

// Broadcasts mix both kinds, so the first frame says nothing about the others.
TEST_F(Media, InterlacedFramesBehindProgressiveOnesAreWarnedOf)
{
    VMAF_NEED_FFMPEG();
    studio_.ffmpeg("-f lavfi -i testsrc2=s=160x96:r=25:d=0.4 -c:v mpeg2video -q:v 2 -bf 0 progressive.ts");
    studio_.ffmpeg(
        "-f lavfi -i testsrc2=s=160x96:r=25:d=0.4 -vf setfield=tff -c:v mpeg2video -flags +ilme+ildct -q:v 2 "
        "-bf 0 interlaced.ts");
    studio_.write("list.txt", "file progressive.ts\nfile interlaced.ts\n");
    studio_.ffmpeg("-f concat -i list.txt -c copy mixed.ts");
    studio_.ffmpeg("-i mixed.ts -vf setfield=prog -c:v ffv1 ref.mkv");
    const std::string filter = "bwdif=mode=send_frame";
    const std::string doubt = "mixed.ts: some frames are interlaced, scored as stored (--filter_dist " + filter;
    const auto said = [&](const std::string &dis, const std::vector<std::string> &more) {
        return run(pair_of("ref.mkv", dis, more)).err;
    };
    EXPECT_NE(said("mixed.ts", {}).find("warning: " + doubt), std::string::npos);
    EXPECT_NE(said("mixed.ts", {"--strict"}).find(doubt), std::string::npos);
    EXPECT_EQ(said("progressive.ts", {}).find("interlaced"), std::string::npos);
    EXPECT_EQ(said("interlaced.ts", {}).find("some frames"), std::string::npos) << "it is told at once";
    EXPECT_EQ(said("mixed.ts", {"--filter_dist", filter}).find("scored as stored"), std::string::npos);
}

TEST_F(Media, DamagedFramesAreScoredAndCounted)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 12);
    studio_.ffmpeg("-i src.y4m -c:v mpeg2video -qscale:v 4 -bf 0 -g 4 v.nut");
    studio_.write("d.nut", damaged(studio_.read("v.nut")));
    const ToolResult result = run(pair_of("src.y4m", "d.nut", {"--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("warning: d.nut: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("in decoding, such as: "), std::string::npos) << result.err;
    EXPECT_EQ(nlohmann::json::parse(studio_.read("x.json"))["frames"].size(), 12U);
    const ToolResult strict = run(pair_of("src.y4m", "d.nut", {"--strict", "--json", "-o", "y.json"}));
    EXPECT_EQ(strict.exit_code, 234) << strict.err;
    EXPECT_EQ(nlohmann::json::parse(studio_.read("y.json.partial"))["incomplete"]["reason"], "decode error");
}

TEST_F(Media, PacketsThatCannotBeDecodedEndTheRun)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 12);
    studio_.ffmpeg("-i src.y4m -c:v png -compression_level 1 v.nut");
    std::string bytes = studio_.read("v.nut");
    bytes.replace(bytes.rfind("IHDR") - 8, 24, 24, 'x');
    studio_.write("d.nut", bytes);
    const ToolResult result = run(pair_of("src.y4m", "d.nut", {"--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 234) << result.err;
    EXPECT_NE(result.err.find("d.nut: frame 11: cannot be decoded"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("stopped after 11 frames (decode error)"), std::string::npos) << result.err;
    EXPECT_EQ(nlohmann::json::parse(studio_.read("x.json.partial"))["frames"].size(), 11U);
}

TEST_F(Media, TruncatedFilesKeepTheFramesBefore)
{
    VMAF_NEED_FFMPEG();
    for (const std::string name : {"v.mp4", "v.mkv", "v.avi"}) {
        SCOPED_TRACE(name);
        make_h264(name, "-g 1 " + std::string(name == "v.mp4" ? "-movflags +faststart" : ""));
        const std::string bytes = studio_.read(name);
        studio_.write("cut_" + name, bytes.substr(0, bytes.size() * 3 / 5));
        const ToolResult result = run(pair_of("src.y4m", "cut_" + name, {"--json", "-o", "x.json"}));
        EXPECT_EQ(result.exit_code, 234) << result.err;
        EXPECT_NE(result.err.find("the file ends before the video does"), std::string::npos) << result.err;
        EXPECT_NE(result.err.find("(truncated input); partial results in "), std::string::npos) << result.err;
        EXPECT_FALSE(std::filesystem::exists(studio_.path("x.json")));
        EXPECT_GT(nlohmann::json::parse(studio_.read("x.json.partial"))["frames"].size(), 1U);
        expect_error(pair_of("src.y4m", "cut_" + name, {"--frame_cnt", "1"}), 0, "");
    }
}

TEST_F(Media, WhatIsNoVideoIsToldSo)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 2);
    studio_.write("text.bin", std::string(3000, 'x'));
    studio_.write("empty.mp4", "");
    expect_error(pair_of("src.y4m", "text.bin"), 255,
                 "text.bin: neither a Y4M file nor a media file that can be read (");
    expect_error(pair_of("src.y4m", "text.bin"), 255,
                 "for raw video give -w -h -p -b\nproblem with distorted file: text.bin");
    expect_error(pair_of("empty.mp4", "src.y4m"), 255, "problem with reference file: empty.mp4");
    expect_error(pair_of("src.y4m", "text.bin", {"--dist_format", "y4m"}), 255, "not a Y4M file");
    expect_error(pair_of("src.y4m", "text.bin", {"--dist_format", "raw"}), 1, "-w/--width");
    expect_error(
        pair_of("src.y4m", "src.y4m",
                {"-w", "8", "-h", "8", "-p", "420", "-b", "8", "--ref_format", "y4m", "--dist_format", "media"}),
        1, "neither --ref_format nor --dist_format is raw");
}

TEST_F(Media, NothingIsFetchedFromTheNetwork)
{
    VMAF_NEED_FFMPEG();
    make_h264("v.ts");
    const std::string head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n";
    studio_.write("local.m3u8", head + "v.ts\n#EXT-X-ENDLIST\n");
    studio_.write("remote.m3u8", head + "http://127.0.0.1:9/v.ts\n#EXT-X-ENDLIST\n");
    EXPECT_EQ(scores(pair_of("src.y4m", "local.m3u8")).size(), kFrames);
    EXPECT_EQ(run(pair_of("src.y4m", "remote.m3u8")).exit_code, 255);
    expect_error(pair_of("src.y4m", "remote.m3u8"), 255, "it refers to http://127.0.0.1:9/v.ts: give --allow_network");
    expect_error(pair_of("src.y4m", "http://127.0.0.1:9/v.ts"), 255,
                 "http://127.0.0.1:9/v.ts: a URL is read only with --allow_network");
    expect_error(pair_of("src.y4m", "http://127.0.0.1:9/v.ts", {"--allow_network"}), 255,
                 "problem with distorted file");
}

TEST_F(Media, PackedSamplesAreThoseOfPlanarOnes)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.mkv", 2, "yuv422p -c:v ffv1");
    for (const std::string format : {"yuyv422", "uyvy422", "yvyu422"})
        for (const std::string name : {"v.nut", "v.avi"}) {
            if (name == "v.avi" && format == "yvyu422")
                continue; // it has no code there
            SCOPED_TRACE(format + " " + name);
            studio_.ffmpeg("-i src.mkv -c:v rawvideo -pix_fmt " + format + " " + name);
            const auto frames = scores(pair_of("src.mkv", name));
            for (const char *score : {"psnr_y", "psnr_cb", "psnr_cr"})
                EXPECT_EQ(frames.at(1).at("metrics").at(score), 60.0) << score;
        }
}

TEST_F(Media, NumberedImagesAreAVideo)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.mkv", 5, "gray -c:v ffv1");
    studio_.ffmpeg("-i src.mkv -start_number 117 frame_%04d.png");
    const auto frames = scores(pair_of("src.mkv", "frame_%04d.png", {"--fps", "25"}));
    ASSERT_EQ(frames.size(), 5U);
    EXPECT_EQ(frames.at(4).at("metrics").at("psnr_y"), 60.0);
    EXPECT_EQ(scores(pair_of("frame_%04d.png", "frame_%04d.png")).size(), 5U) << "without a rate";
    expect_error(pair_of("src.mkv", "frame_%04d.png", {"--fps", "30000/1001"}), 255,
                 "frame rates differ: 25 and 29.97");
    expect_error(pair_of("src.mkv", "other_%04d.png"), 255, "problem with distorted file: other_%04d.png");
    expect_error(pair_of("src.mkv", "src.mkv", {"--fps", "0"}), 1, "such as 25, 23.976 or 24000/1001");
    EXPECT_EQ(run(pair_of("src.mkv", "frame_%04d.png", {"--html", "x.html"})).exit_code, 0);
    EXPECT_NE(studio_.read("x.html").find("data:image/png"), std::string::npos) << "it can be read again";
    // One image has no rate that could differ. A name with % is the file of that name if it exists.
    std::filesystem::copy_file(studio_.path("frame_0117.png"), studio_.path("%02d.png"));
    const auto one = scores(pair_of("src.mkv", "%02d.png", {"--fps", "30"}));
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one.at(0).at("metrics").at("psnr_y"), 60.0);
}

TEST_F(Media, PlaylistsWithoutAnEndAreReadAsTheyStand)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 100, "yuv420p", "64x48");
    studio_.ffmpeg("-i src.y4m -c:v libx264 -qp 20 -preset ultrafast -g 10 v.mp4");
    studio_.ffmpeg("-i v.mp4 -c copy -f hls -hls_time 0.4 -hls_list_size 0 done.m3u8");
    std::string text = studio_.read("done.m3u8");
    text.erase(text.find("#EXT-X-ENDLIST"));
    studio_.write("live.m3u8", text);
    studio_.write("master.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nlive.m3u8\n");
    for (const std::string name : {"live.m3u8", "master.m3u8"}) {
        EXPECT_EQ(scores(pair_of("v.mp4", name)), scores(pair_of("v.mp4", "v.mp4"))) << name;
        EXPECT_NE(run(pair_of("v.mp4", name)).err.find(name + ": live playlist without an end"), std::string::npos);
    }
    EXPECT_EQ(run(pair_of("v.mp4", "done.m3u8")).err.find("live"), std::string::npos);
}

TEST_F(Media, SaysWhatIsWrongWithAnIncompleteMp4)
{
    VMAF_NEED_FFMPEG();
    make_h264("v.mp4");
    studio_.write("cut.mp4", studio_.read("v.mp4").substr(0, 900));
    for (const std::vector<std::string> &how : {std::vector<std::string>{}, {"--dist_format", "media"}}) {
        const ToolResult result = run(pair_of("v.mp4", "cut.mp4", how));
        EXPECT_EQ(result.exit_code, 255);
        EXPECT_NE(result.err.find("incomplete mp4 (no moov)"), std::string::npos) << result.err;
        EXPECT_EQ(result.err.find("raw video"), std::string::npos) << result.err;
    }
}

// Matroska files without a declared rate: an estimate from the first time stamps, in milliseconds,
// is no rate.
TEST_F(Media, RatesThatNobodyDeclaredAreNotGuessed)
{
    VMAF_NEED_FFMPEG();
    for (const std::string rate : {"24000/1001", "30000/1001", "60000/1001", "25", "50"}) {
        SCOPED_TRACE(rate);
        studio_.ffmpeg("-f lavfi -i testsrc2=s=64x48:r=" + rate +
                       " -frames:v 60 -pix_fmt yuv420p -c:v libx264 -qp 0 -preset ultrafast r.mp4");
        studio_.ffmpeg("-i r.mp4 -c copy d.mkv");
        std::string bytes = studio_.read("d.mkv");
        const std::size_t duration = bytes.find("\x23\xe3\x83");
        ASSERT_NE(duration, bytes.npos);
        const auto length = static_cast<char>(2 + (bytes[duration + 3] & 0x7f));
        bytes[duration] = '\xec'; // void
        bytes[duration + 1] = static_cast<char>(0x80 | length);
        studio_.write("d.mkv", bytes);
        EXPECT_EQ(run(pair_of("r.mp4", "d.mkv")).exit_code, 0) << run(pair_of("r.mp4", "d.mkv")).err;
    }
}

TEST_F(Media, VariableRatesAreNamed)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 30, "yuv420p", "64x48");
    studio_.ffmpeg("-i src.y4m -c:v libx264 -qp 20 r.mp4");
    studio_.ffmpeg("-i src.y4m -vf select='mod(n\\,3)' -fps_mode vfr -c:v libx264 -qp 20 d.mp4");
    expect_error(pair_of("r.mp4", "d.mp4"), 255,
                 "(variable frame rate); convert one first: ffmpeg -i d.mp4 -vf fps=25 ");
    studio_.ffmpeg("-r 30 -i src.y4m -c:v libx264 -qp 20 c.mkv");
    EXPECT_EQ(run(pair_of("r.mp4", "c.mkv")).err.find("variable"), std::string::npos)
        << "milliseconds are no variation";
}

TEST_F(Media, ALostFrameIsFoundByTimeStamps)
{
    VMAF_NEED_FFMPEG();
    studio_.ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 2400 -pix_fmt yuv420p -c:v libx264 -preset ultrafast r.mp4");
    for (const std::string name : {"d.mp4", "d.mkv"}) {
        studio_.ffmpeg("-i r.mp4 -vf select='not(eq(n\\,1000))' -fps_mode vfr -c:v libx264 -preset ultrafast " + name);
        const std::string text = "by their time stamps frames are out of step from number 1000 on (40.00 s in r.mp4, "
                                 "40.04 s in " +
                                 name + "): " + name + " lost a frame";
        const auto pair = pair_of("r.mp4", name, {"-n", "--feature", "psnr"});
        EXPECT_NE(run(pair).err.find("warning: " + text), std::string::npos) << run(pair).err;
        expect_error(pair_of("r.mp4", name, {"-n", "--feature", "psnr", "--frame_cnt", "2000", "--strict"}), 234, text);
        EXPECT_EQ(run(pair_of("r.mp4", name, {"-n", "--feature", "psnr", "--frame_cnt", "1000"})).err.find("step"),
                  std::string::npos);
        EXPECT_NE(run(pair_of(name, "r.mp4",
                              {"-n", "--feature", "psnr", "--frame_skip_ref", "900", "--frame_skip_dist", "900"}))
                      .err.find("from number 100 on"),
                  std::string::npos);
    }
    studio_.ffmpeg("-i d.mp4 -vf fps=25 -c:v ffv1 d_25fps.mkv");
    EXPECT_EQ(run(pair_of("r.mp4", "d_25fps.mkv", {"-n", "--feature", "psnr"})).err.find("step"), std::string::npos)
        << "the command that is named fills the gap";
}

TEST_F(Media, OtherAnglesAreErrors)
{
    VMAF_NEED_FFMPEG();
    make_h264("v.mkv");
    studio_.ffmpeg("-i v.mkv -c copy -bsf:v h264_metadata=display_orientation=insert:rotate=45 d.mkv");
    expect_error(pair_of("src.y4m", "d.mkv"), 255, "rotated by 315 degrees");
    EXPECT_EQ(scores(pair_of("src.y4m", "d.mkv", {"--no_autorotate"})), scores(pair_of("src.y4m", "v.mkv")));
}

TEST_F(Media, AnInterruptionEndsAReadThatWaits)
{
    VMAF_NEED_FFMPEG();
    studio_.make_source("src.y4m", 40, "yuv444p");
    studio_.ffmpeg("-i src.y4m -c:v ffv1 v.mkv");
    ASSERT_EQ(::mkfifo(studio_.path("fifo").c_str(), 0600), 0);
    ToolProcess process(studio_.directory(), pair_of("src.y4m", "fifo", {"--json", "-o", "x.json"}));
    const int fifo = ::open(studio_.path("fifo").c_str(), O_WRONLY);
    const std::string bytes = studio_.read("v.mkv");
    std::thread writer([&] {
        const std::string_view most = std::string_view(bytes).substr(0, bytes.size() * 3 / 4);
        EXPECT_EQ(::write(fifo, most.data(), most.size()), static_cast<ssize_t>(most.size()));
    });
    writer.join();
    process.wait_until_idle();
    process.send(SIGINT);
    const ToolResult result = process.wait();
    ::close(fifo);
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_TRUE(std::filesystem::exists(studio_.path("x.json.partial"))) << result.err;
}

} // namespace
} // namespace vmaf::test
