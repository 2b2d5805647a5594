#include <algorithm>
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "tool_test.h"

/// If an answer would be plausible but wrong, the tool warns and names the cure. With --strict the
/// warning is an error (spec cli 3.5).
namespace vmaf::test {
namespace {

class Doubts : public ToolTest {
  protected:
    /// Expects exit code 0 and the warning. With --strict, expects 255 and no file.
    void expect_doubt(const std::vector<std::string> &arguments, const std::string &doubt) const
    {
        SCOPED_TRACE(doubt);
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_NE(result.err.find("warning: " + doubt), std::string::npos) << result.err;
        expect_error_if_strict(arguments, doubt);
    }

    void expect_error_if_strict(std::vector<std::string> arguments, const std::string &doubt) const
    {
        arguments.insert(arguments.end(), {"--strict", "-o", "strict.xml"});
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 255) << result.err;
        EXPECT_EQ(result.err.find("warning: " + doubt), std::string::npos) << result.err;
        EXPECT_NE(result.err.find(doubt), std::string::npos) << result.err;
        EXPECT_NE(result.err.find("(an error with --strict)"), std::string::npos) << result.err;
        EXPECT_FALSE(exists("strict.xml"));
        EXPECT_FALSE(exists("strict.xml.partial"));
    }

    void expect_no_doubt(std::vector<std::string> arguments) const
    {
        arguments.push_back("--strict");
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err.find("warning"), std::string::npos) << result.err;
    }

    void write_raw_pair(const VideoShape &shape, unsigned frames) const
    {
        write("r.yuv", raw_video(shape, frames, false));
        write("d.yuv", raw_video(shape, frames, true));
    }

    void write_with_rate(const std::string &name, const std::string &rate) const
    {
        std::string bytes = read("R.y4m");
        bytes.replace(bytes.find("F25:1"), 5, rate);
        write(name, bytes);
    }
};

std::vector<std::string> raw_pair(const VideoShape &stated)
{
    return pair_of("r.yuv", "d.yuv", raw_arguments(stated));
}

TEST_F(Doubts, FrameRatesThatDiffer)
{
    write_with_rate("50.y4m", "F50:1");
    expect_doubt(pair_of("R.y4m", "50.y4m"), "frame rates differ: 25 and 50; frames are compared by number");
    write_with_rate("film.y4m", "F24000:1001");
    write_with_rate("24.y4m", "F24:1");
    expect_doubt(pair_of("film.y4m", "24.y4m"), "frame rates differ: 23.976 and 24; ");
}

TEST_F(Doubts, NotFrameRatesThatAreEqualOrUnknown)
{
    write_with_rate("other.y4m", "F25000:1000");
    write_with_rate("almost.y4m", "F25001:1000");
    write_with_rate("unknown.y4m", "F0:0");
    for (const char *name : {"other.y4m", "almost.y4m", "unknown.y4m"})
        expect_no_doubt(pair_of("R.y4m", name));
}

TEST_F(Doubts, UnknownInterlacing)
{
    std::string bytes = read("R.y4m");
    bytes.replace(bytes.find(" Ip"), 3, "");
    write("unknown.y4m", bytes);
    expect_doubt(pair_of("unknown.y4m", "D.y4m"), "unknown.y4m: interlacing is unknown, read as progressive");
}

TEST_F(Doubts, RawFileOfNoWholeNumberOfFrames)
{
    write_raw_pair({80, 64, "420", 8}, 4);
    const ToolResult result = run(raw_pair({80, 48, "420", 8}));
    EXPECT_NE(
        result.err.find("warning: r.yuv: its 30720 bytes are no whole number of frames of 80x48, 420, 8 bits (5760 "
                        "bytes each): check -w -h -p -b\n"),
        std::string::npos)
        << result.err;
    expect_error_if_strict(raw_pair({80, 48, "420", 8}), "r.yuv: its 30720 bytes are no whole number of frames");
}

TEST_F(Doubts, RawFileThatFitsAnotherDepth)
{
    write_raw_pair({80, 64, "420", 8}, 3);
    const ToolResult result = run(raw_pair({80, 64, "420", 10}));
    EXPECT_NE(result.err.find("check -w -h -p -b; -b 8 fits\n"), std::string::npos) << result.err;
}

TEST_F(Doubts, EightBitsReadAsMore)
{
    write_raw_pair({80, 64, "420", 8}, 4);
    for (const unsigned depth : {10U, 12U})
        expect_doubt(raw_pair({80, 64, "420", depth}), "r.yuv: its first frame has samples up to ");
}

TEST_F(Doubts, MoreThanEightBitsReadAsEight)
{
    for (const unsigned depth : {10U, 12U}) {
        write_raw_pair({80, 64, "420", depth}, 2);
        expect_doubt(raw_pair({80, 64, "420", 8}), "r.yuv: every other byte of its first frame is ");
    }
}

TEST_F(Doubts, DeepSamplesOfFewerBits)
{
    for (const auto &[depth, stated] : {std::pair{10U, 12U}, {10U, 16U}, {12U, 16U}}) {
        write_raw_pair({80, 64, "420", depth}, 2);
        expect_doubt(raw_pair({80, 64, "420", stated}), "r.yuv: its first frame has samples only up to ");
    }
}

TEST_F(Doubts, NotRawFilesThatAreWhatIsSaid)
{
    for (const char *layout : {"420", "422", "444"})
        for (const unsigned depth : {8U, 10U, 12U, 16U}) {
            write_raw_pair({80, 64, layout, depth}, 2);
            expect_no_doubt(raw_pair({80, 64, layout, depth}));
        }
}

/// Black, and colours at the ends of the limited range.
TEST_F(Doubts, NotRawFilesOfOneColour)
{
    const VideoShape shape{80, 64, "420", 10};
    for (const std::array<std::uint16_t, 3> &colour :
         {std::array<std::uint16_t, 3>{16, 128, 128}, {145, 54, 34}, {41, 240, 110}, {235, 128, 128}})
        for (const unsigned shift : {0U, 2U, 4U}) {
            Planes planes = make_frame(shape, 0, false);
            for (unsigned plane = 0; plane < 3; ++plane)
                planes[plane].assign(planes[plane].size(), colour[plane]);
            const VideoShape stored{80, 64, "420", 8 + shift};
            write("r.yuv", frame_bytes(stored, planes, shift));
            write("d.yuv", frame_bytes(stored, planes, shift));
            expect_no_doubt(raw_pair(stored));
        }
}

TEST_F(Doubts, TheFirstFrameThatIsScoredTells)
{
    write_raw_pair({80, 64, "420", 8}, 4);
    auto arguments = raw_pair({80, 64, "420", 10});
    arguments.insert(arguments.end(), {"--frame_skip_ref", "1", "--frame_skip_dist", "1"});
    expect_doubt(arguments, "r.yuv: its first frame has samples up to ");
}

TEST_F(Doubts, Y4mReadAsRaw)
{
    const std::string doubt =
        "R.y4m: it is a Y4M file and is read as raw video, its header as samples: leave -w -h -p -b out";
    const auto arguments = pair_of("R.y4m", "D.y4m", raw_arguments(small_shape()));
    EXPECT_NE(run(arguments).err.find("warning: " + doubt), std::string::npos);
    expect_error_if_strict(arguments, doubt);
}

TEST_F(Doubts, MediaReadAsRaw)
{
    for (const auto &[start, name] :
         {std::pair<std::string, std::string>{std::string(3, '\0') + " ftypisom", "an MP4 file"},
          {"\x1a\x45\xdf\xa3", "a Matroska or WebM file"},
          {"RIFF", "an AVI file"}}) {
        std::string bytes = raw_video(small_shape(), 2, false);
        write("r.yuv", bytes.replace(0, start.size(), start));
        write("d.yuv", bytes);
        expect_doubt(raw_pair(small_shape()), "r.yuv: it is " + name + " and is read as raw video");
    }
}

TEST_F(Doubts, Y4mReadAsRawFromAPipe)
{
    ToolSetting piped;
    piped.input = read("R.y4m");
    auto arguments = pair_of("/dev/stdin", "D.y4m", raw_arguments(small_shape()));
    arguments.insert(arguments.end(), {"--frame_skip_ref", "1", "--frame_skip_dist", "1"});
    const ToolResult result = run(arguments, piped);
    EXPECT_NE(result.err.find("warning: /dev/stdin: it is a Y4M file"), std::string::npos) << result.err;
}

TEST_F(Doubts, LargeVideosWithAModelFor1080p)
{
    write("r.y4m", y4m_video({64, 1442, "420", 8}, 1, false));
    for (const char *model : {"vmaf_v0.6.1", "vmaf_v0.6.1neg", "vmaf_b_v0.6.3", "version=vmaf_float_v0.6.1"})
        expect_doubt(pair_of("r.y4m", "r.y4m", {"-m", model}),
                     std::string("model ") + (model + std::string_view(model).find("vmaf")) +
                         " is made for 1080p and the videos have 1442 lines: -m auto takes the model for the height");
    expect_doubt(pair_of("r.y4m", "r.y4m"), "model vmaf_v0.6.1 is made for 1080p");
    for (const char *model : {"auto", "vmaf_4k_v0.6.1", "vmaf_float_4k_v0.6.1"})
        expect_no_doubt(pair_of("r.y4m", "r.y4m", {"-m", model}));
    expect_no_doubt(pair_of("r.y4m", "r.y4m", {"--no_prediction"}));
}

TEST_F(Doubts, SmallVideosWithAModelFor2160p)
{
    expect_doubt(pair_of("R.y4m", "D.y4m", {"-m", "vmaf_4k_v0.6.1neg"}),
                 "model vmaf_4k_v0.6.1neg is made for 2160p and the videos have 64 lines: -m auto");
    write("r.y4m", y4m_video({480, 360, "420", 8}, 1, false));
    expect_doubt(pair_of("r.y4m", "r.y4m", {"-m", "vmaf_v1.0.16_3d0h_2160"}),
                 "model vmaf_v1.0.16_3d0h_2160 is made for 2160p and the videos have 360 lines: its models for 1080p");
    expect_no_doubt(pair_of("r.y4m", "r.y4m", {"-m", "vmaf_v1.0.16_3d0h"}));
    expect_no_doubt(pair_of("r.y4m", "r.y4m", {"--nflx_ctc", "v1.0"})); // the preset chooses the model
}

TEST_F(Doubts, OptionsThatNobodyHas)
{
    using Arguments = std::vector<std::string>;
    for (const auto &[arguments, doubt] :
         {std::pair<Arguments, std::string>{{"--feature", "psnr=bogus=1"}, "psnr has no option bogus: ignored"},
          {{"-m", "vmaf_v0.6.1:vif.bogus=1"}, "vif has no option bogus: ignored"},
          {{"-m", "vmaf_b_v0.6.3:vif.bogus=1"}, "vif has no option bogus: ignored"},
          {{"-m", "vmaf_v0.6.1:viff.vif_enhn_gain_limit=1"},
           "model vmaf uses no feature viff: the options for it are ignored; did you mean vif?"},
          {{"--feature", "adm=debug=true"}, "adm is registered already: its other options are dropped"}}) {
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", arguments));
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_NE(result.err.find("libvmaf WARNING " + doubt + '\n'), std::string::npos) << result.err;
        expect_error_if_strict(pair_of("R.y4m", "D.y4m", arguments), doubt + " (an error with --strict)\n");
    }
    expect_no_doubt(pair_of("R.y4m", "D.y4m", {"--feature", "psnr=enable_chroma=false"}));
}

TEST_F(Doubts, GreyWhereTheOtherVideoHasColours)
{
    const VideoShape shape{64, 48, "420", 8};
    const auto write_with_chroma = [&](const std::string &name, bool distorted, std::uint16_t code) {
        std::string bytes = y4m_header(shape, "420");
        for (unsigned frame = 0; frame < 24; ++frame) {
            Planes planes = make_frame(shape, frame, distorted);
            std::ranges::fill(planes[1], code);
            std::ranges::fill(planes[2], code);
            bytes += "FRAME\n" + frame_bytes(shape, planes);
        }
        write(name, bytes);
    };
    write_with_chroma("colour.y4m", false, 160);
    write_with_chroma("pale.y4m", true, 140);
    write_with_chroma("grey.y4m", true, 128);
    const auto said = [&](const std::string &ref, const std::string &dis, const std::vector<std::string> &more) {
        const ToolResult result = run(pair_of(ref, dis, more));
        EXPECT_EQ(result.exit_code, more.back() == "--strict" ? 234 : 0) << result.err;
        return result.err;
    };
    const std::string doubt = " is grey where ", cure = ", which models v0.6.1 do not see: -m v1, or --feature ciede";
    // Models v0.6.1 read luma only.
    for (const auto &features : {std::vector<std::string>{"-m", "vmaf_v0.6.1"}, {"-n", "--feature", "psnr"}}) {
        EXPECT_NE(said("colour.y4m", "grey.y4m", features).find("grey.y4m is grey where colour.y4m has colours" + cure),
                  std::string::npos);
        EXPECT_NE(said("grey.y4m", "colour.y4m", features).find("grey.y4m is grey where colour.y4m has colours" + cure),
                  std::string::npos);
        EXPECT_EQ(said("colour.y4m", "pale.y4m", features).find(doubt), std::string::npos);
        EXPECT_EQ(said("grey.y4m", "grey.y4m", features).find(doubt), std::string::npos);
    }
    EXPECT_NE(said("colour.y4m", "grey.y4m", {"--strict"}).find(doubt), std::string::npos);
}

TEST_F(Doubts, StrictKeepsTheFramesBeforeAnEarlyEnd)
{
    const ToolResult result = run(pair_of("R6.y4m", "D4.y4m", {"--strict", "--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 234);
    EXPECT_NE(result.err.find("\"D4.y4m\" ended before \"R6.y4m\" (an error with --strict)\n"), std::string::npos)
        << result.err;
    EXPECT_FALSE(exists("x.json"));
    EXPECT_EQ(nlohmann::json::parse(read("x.json.partial")).at("frames").size(), 4U);
    expect_no_doubt(pair_of("R6.y4m", "D4.y4m", {"--frame_cnt", "4"}));
}

} // namespace
} // namespace vmaf::test
