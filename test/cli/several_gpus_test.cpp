#include <algorithm>
#include <csignal>
#include <cstdlib>

#include <unistd.h>

#include "tool_test.h"

/// --gpu 0,1 and --gpu all (spec device_pictures 5), on a driver double that shows several devices.
/// The double's kernels do nothing. With --gpumask 1 features stay on the CPU, and scores are real.
namespace vmaf::test {
namespace {

class SeveralGpus : public ToolTest {
  protected:
    void SetUp() override
    {
        if (std::getenv("VMAF_TEST_GPU_DOUBLE") == nullptr)
            GTEST_SKIP() << "no devices, not even the double's";
        show("2");
    }
    void TearDown() override { ::unsetenv("VMAF_DOUBLE_DEVICES"); }

    static void show(const char *devices) { ::setenv("VMAF_DOUBLE_DEVICES", devices, 1); }

    /// The score file without the rate.
    std::string file(const std::string &name) const
    {
        const std::string text = read(name);
        const std::size_t rate = text.find("  \"fps\":");
        return text.substr(0, rate) + text.substr(std::min(text.find('\n', rate), text.size()));
    }
};

TEST_F(SeveralGpus, ScoreTheEncodesOfALadderAsOneDoes)
{
    const std::vector<std::string> ladder{"-r",          "R6.y4m", "-d",        "D6.y4m",
                                          "-d",          "R6.y4m", "-d",        "D4.y4m",
                                          "--gpumask",   "1",      "--feature", "psnr=enable_apsnr=true",
                                          "--precision", "max",    "--json"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), ladder.begin(), ladder.end());
        return more;
    };
    const ToolResult one = run(with({"--gpu", "0"}));
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const std::string d6 = file("D6.vmaf.json"), r6 = file("R6.vmaf.json"), d4 = file("D4.vmaf.json");
    ASSERT_NE(d6, r6);
    for (const std::vector<std::string> &gpus : {std::vector<std::string>{"--gpu", "0,1"},
                                                 {"--gpu", "1,0"},
                                                 {"--gpu", "all"},
                                                 {"--gpu", "all", "--threads", "2"}}) {
        for (const char *name : {"D6.vmaf.json", "R6.vmaf.json", "D4.vmaf.json"})
            std::filesystem::remove(path(name));
        const ToolResult several = run(with(gpus));
        ASSERT_EQ(several.exit_code, 0) << several.err;
        EXPECT_EQ(file("D6.vmaf.json"), d6) << gpus[1];
        EXPECT_EQ(file("R6.vmaf.json"), r6) << gpus[1];
        EXPECT_EQ(file("D4.vmaf.json"), d4) << gpus[1];
        EXPECT_EQ(several.err, one.err) << gpus[1];
    }
}

TEST_F(SeveralGpus, AreInTheReport)
{
    const std::vector<std::string> ladder{"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "--log_details"};
    for (const auto &[gpus, device] :
         {std::pair{"0,1", "2 GPUs (driver double 81920 MiB)"}, std::pair{"all", "2 GPUs (driver double 81920 MiB)"},
          std::pair{"1", "GPU (driver double 81920 MiB)"}}) {
        std::vector<std::string> arguments = ladder;
        arguments.insert(arguments.end(), {"--gpu", gpus});
        ASSERT_EQ(run(arguments).exit_code, 0);
        EXPECT_EQ(nlohmann::json::parse(read("D.vmaf.json")).at("details").at("device"), device);
    }
}

TEST_F(SeveralGpus, OfALadderTakeMoreFramesThanAnyPoolHas)
{
    write("long_r.y4m", y4m_video(small_shape(), 60, false));
    write("long_d.y4m", y4m_video(small_shape(), 60, true));
    const ToolResult result = run({"-r", "long_r.y4m", "-d", "long_d.y4m", "-d", "long_r.y4m", "--gpu", "0,1"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (const char *name : {"long_d.vmaf.json", "long_r.vmaf.json"})
        EXPECT_EQ(frame_numbers(nlohmann::json::parse(read(name))).size(), 60U);
}

TEST_F(SeveralGpus, ThatWereNamedMustAllBeThere)
{
    for (const char *gpus : {"0,2", "7,0", "0,1,2,3"}) {
        const ToolResult result = run({"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "--gpu", gpus});
        EXPECT_EQ(result.exit_code, 255) << gpus;
        EXPECT_NE(result.err.find("there is no GPU "), std::string::npos) << result.err;
        EXPECT_FALSE(exists("D.vmaf.json"));
    }
}

TEST_F(SeveralGpus, AllOfOneIsThatOneAndOfNoneIs255)
{
    show("1");
    EXPECT_EQ(run({"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "--gpu", "all"}).exit_code, 0);
    show("0");
    const ToolResult none = run({"-r", "R.y4m", "-d", "D.y4m", "--gpu", "all"});
    EXPECT_EQ(none.exit_code, 255);
    EXPECT_NE(none.err.find("the GPU cannot be used"), std::string::npos) << none.err;
}

TEST_F(SeveralGpus, AreListed)
{
    EXPECT_EQ(run({"--list", "gpus"}).out, "0 driver double 81920 MiB\n1 driver double 81920 MiB\n");
}

/// Numbers of GPUs. The second one in PCI order is the fastest, which CUDA counts first (spec cli
/// 10.6).
class NumbersOfGpus : public SeveralGpus {
  protected:
    void SetUp() override
    {
        SeveralGpus::SetUp();
        ::setenv("VMAF_DOUBLE_FASTEST", "1", 1);
    }
    void TearDown() override
    {
        for (const char *name : {"VMAF_DOUBLE_FASTEST", "CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES"})
            ::unsetenv(name);
        SeveralGpus::TearDown();
    }

    /// Memory of the GPU that scores, in MiB.
    std::string scored_on(const std::string &gpu) const
    {
        EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"--gpu", gpu, "--json", "--log_details", "-o", "x.json"})).exit_code,
                  0);
        const std::string device = nlohmann::json::parse(read("x.json")).at("details").at("device");
        const std::string before = "GPU (driver double ";
        return device.substr(before.size(), device.find(" MiB") - before.size());
    }
    void expect(const std::string &first, const std::string &second) const
    {
        EXPECT_EQ(run({"--list", "gpus"}).out,
                  "0 driver double " + first + " MiB\n1 driver double " + second + " MiB\n");
        EXPECT_EQ(scored_on("0"), first);
        EXPECT_EQ(scored_on("1"), second);
        EXPECT_EQ(scored_on("auto"), first);
    }
};

TEST_F(NumbersOfGpus, AreThoseOfPciOrderUnlessTheEnvironmentSetsAnother)
{
    const std::string plain = "81920", fastest = "144384";
    expect(plain, fastest);
    ::setenv("CUDA_DEVICE_ORDER", "FASTEST_FIRST", 1);
    expect(fastest, plain);
    ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
    expect(plain, fastest);
    ::setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
    expect(fastest, plain);
    ::unsetenv("CUDA_DEVICE_ORDER");
    expect(plain, fastest);
}

/// One encode, whose frames are cut into segments.
class Segments : public SeveralGpus {
  protected:
    void SetUp() override
    {
        SeveralGpus::SetUp();
        if (!IsSkipped())
            show("3");
    }

    /// The score file and stderr of a run on these GPUs.
    struct Outcome {
        int exit_code;
        std::string file, err;
    };
    Outcome outcome(const std::vector<std::string> &arguments, const std::string &gpus) const
    {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {"--gpu", gpus, "--gpumask", "1", "--precision", "max", "--json", "-o", "s.json"});
        for (const char *name : {"s.json", "s.json.partial"})
            std::filesystem::remove(path(name));
        const ToolResult result = run(all);
        return {result.exit_code, exists("s.json") ? file("s.json") : file("s.json.partial"), result.err};
    }
    /// Expects the same on one GPU and on several. @return the result on one.
    Outcome expect_equal(const std::vector<std::string> &arguments, const std::vector<std::string> &gpus) const
    {
        const Outcome one = outcome(arguments, "0");
        for (const std::string &several : gpus) {
            const Outcome cut = outcome(arguments, several);
            EXPECT_EQ(cut.exit_code, one.exit_code) << several << cut.err;
            EXPECT_TRUE(cut.file == one.file) << several << ": the files differ, one of " << one.file.size();
            EXPECT_EQ(cut.err, one.err) << several;
        }
        return one;
    }

    /// A video of 4x4 pixels whose file size promises more frames than there are.
    std::string promising(unsigned frames, unsigned promised, bool distorted) const
    {
        const VideoShape shape{4, 4, "420", 8};
        const std::string plain = y4m_video(shape, frames, distorted);
        constexpr std::size_t kFrame = 6 + 24;
        const std::size_t header = plain.size() - frames * kFrame;
        std::string text = plain.substr(0, header);
        std::size_t more = (promised - frames) * kFrame; // bytes of parameters in frames' headers
        for (unsigned frame = 0; frame < frames; ++frame) {
            const std::size_t here = std::min<std::size_t>(more, 70);
            const std::string bytes = plain.substr(header + frame * kFrame, kFrame);
            text += "FRAME" + (here > 0 ? " " + std::string(here - 1, 'X') : "") + bytes.substr(5);
            more -= here;
        }
        EXPECT_EQ(more, 0U);
        return text;
    }
};

TEST_F(Segments, GiveTheScoreFileOfOneGpu)
{
    write("r.y4m", y4m_video(small_shape(), 760, false));
    write("d.y4m", y4m_video(small_shape(), 761, true));
    for (const std::vector<std::string> &more :
         {std::vector<std::string>{"--feature", "psnr=enable_apsnr=true", "--feature", "float_motion"},
          {"-m", "version=vmaf_b_v0.6.3", "--feature",
           "motion=motion_five_frame_window=true:motion_moving_average=true"},
          {"--subsample", "7", "--feature", "psnr=enable_apsnr=true"},
          {"--subsample", "300"},
          {"--frame_cnt", "753", "--frame_skip_ref", "3", "--frame_skip_dist", "5", "--threads", "2"},
          {"-n"}}) {
        const Outcome one = expect_equal(pair_of("r.y4m", "d.y4m", more), {"0,1", "2,0,1", "all"});
        EXPECT_EQ(one.exit_code, 0) << one.err;
    }
}

TEST_F(Segments, EndWhereTheVideoDoesWhateverItsSizePromised)
{
    constexpr unsigned kFrames = 260;
    const std::vector<std::string> features{"-n", "--feature", "motion=motion_five_frame_window=true", "--feature",
                                            "psnr=enable_apsnr=true"};
    write("r.y4m", promising(kFrames + 300, 2 * (kFrames + 300), false));
    for (unsigned border = kFrames - 4; border <= kFrames + 4; ++border) {
        SCOPED_TRACE("the second segment begins at frame " + std::to_string(border));
        write("d.y4m", promising(kFrames, 2 * border, true));
        const Outcome one = expect_equal(pair_of("r.y4m", "d.y4m", features), {"0,1"});
        EXPECT_EQ(one.exit_code, 0);
        EXPECT_EQ(frame_numbers(nlohmann::json::parse(one.file)).size(), kFrames);
        EXPECT_NE(one.err.find("\"d.y4m\" ended before \"r.y4m\""), std::string::npos) << one.err;
        write("e.y4m", promising(kFrames, 2 * border, false));
        expect_equal(pair_of("d.y4m", "e.y4m", features), {"0,1"}); // both end there
    }
    write("d.y4m", promising(kFrames, 3 * kFrames, true)); // the second begins far behind the end, or does not begin
    expect_equal(pair_of("r.y4m", "d.y4m", features), {"0,1", "0,1,2"});
}

TEST_F(Segments, KeepTheFramesBeforeACut)
{
    const std::string whole = y4m_video(small_shape(), 760, true);
    const std::size_t frame = (whole.size() - whole.find('\n') - 1) / 760;
    write("r.y4m", y4m_video(small_shape(), 760, false));
    for (const unsigned damaged : {3U, 253U, 254U, 500U, 759U}) {
        SCOPED_TRACE(damaged);
        std::string lost = whole;
        lost[whole.find('\n') + 1 + damaged * frame] = 'x'; // no FRAME
        write("d.y4m", lost);
        const Outcome one = expect_equal(pair_of("r.y4m", "d.y4m"), {"0,1,2"});
        EXPECT_EQ(one.exit_code, 234);
        EXPECT_EQ(frame_numbers(nlohmann::json::parse(one.file)).size(), damaged);
    }
}

TEST_F(Segments, KeepTheFramesBeforeOneThatWasLost)
{
    const VideoShape shape{216, 16, "420", 10};
    constexpr unsigned kFrames = 520;
    const std::string whole = raw_video(shape, kFrames, true);
    std::vector<std::string> arguments =
        pair_of("r.yuv", "d.yuv", {"-n", "--feature", "cambi", "--feature", "motion", "--threads", "2"});
    const std::vector<std::string> raw = raw_arguments(shape);
    arguments.insert(arguments.end(), raw.begin(), raw.end());
    write("r.yuv", raw_video(shape, kFrames, false));
    for (const unsigned lost : {131U, 300U, 518U}) {
        SCOPED_TRACE(lost);
        std::string dis = whole;
        dis[dis.size() / kFrames * lost + 1] = '\x7f'; // a sample that has no place in 10 bits
        write("d.yuv", dis);
        const Outcome one = outcome(arguments, "0"), cut = outcome(arguments, "0,1");
        ASSERT_EQ(one.exit_code, 234) << one.err;
        EXPECT_EQ(cut.exit_code, 234) << cut.err;
        const auto whole_frames = nlohmann::json::parse(one.file).at("frames");
        const auto frames = nlohmann::json::parse(cut.file).at("frames");
        // The frame before the lost one lacks its motion2. motion's segments end before a frame
        // that lacks a score.
        EXPECT_EQ(frames.size(), lost - 2) << "no scored row is dropped";
        for (std::size_t i = 0; i < frames.size(); ++i)
            EXPECT_EQ(frames[i], whole_frames[i]) << i;
        EXPECT_EQ(nlohmann::json::parse(cut.file).at("incomplete").at("frames"), frames.size());
    }
}

TEST_F(Segments, RefuseWhatOneSessionRefuses)
{
    const VideoShape shape{8, 8, "420", 8};
    write("r.y4m", y4m_video(shape, 600, false));
    const Outcome one = expect_equal(pair_of("r.y4m", "r.y4m"), {"0,1"});
    EXPECT_EQ(one.exit_code, 255) << "too small for the model";
    EXPECT_FALSE(exists("s.json.partial"));
}

// Whenever the signal comes, the frames that are kept start with the first.
TEST_F(Segments, KeepTheFirstFramesWhenInterrupted)
{
    write("r.y4m", y4m_video(small_shape(), 2000, false));
    write("d.y4m", y4m_video(small_shape(), 2000, true));
    ToolProcess tool(
        directory(),
        pair_of("r.y4m", "d.y4m", {"--gpu", "0,1", "--gpumask", "1", "--threads", "0", "--json", "-o", "s.json"}));
    for (unsigned tries = 0; tries < 10000 && !exists("s.json.partial") && !exists("s.json"); ++tries)
        ::usleep(1000);
    tool.send(SIGINT);
    const ToolResult result = tool.wait();
    if (result.exit_code == 0 || !exists("s.json.partial"))
        return; // it was faster, or nothing was read
    EXPECT_EQ(result.exit_code, 130) << result.err;
    const auto scores = nlohmann::json::parse(read("s.json.partial"));
    const std::vector<unsigned> numbers = frame_numbers(scores);
    for (unsigned i = 0; i < numbers.size(); ++i)
        ASSERT_EQ(numbers[i], i);
    EXPECT_EQ(scores.at("incomplete").at("frames"), numbers.size());
}

TEST_F(Segments, AreOneWhereTheClipCannotBeCut)
{
    write("r.y4m", y4m_video(small_shape(), 510, false));
    write("d.y4m", y4m_video(small_shape(), 510, true));
    ToolSetting piped;
    piped.input = y4m_video(small_shape(), 3, true);
    const auto expect_note = [&](const std::vector<std::string> &arguments, const std::string &note,
                                 const ToolSetting &setting = {}) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {"--gpu", "0,1,2", "-q", "-o", "s.json", "--json", "--log_details"});
        const ToolResult result = run(all, setting);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_NE(result.err.find("note: " + note + "\n"), std::string::npos) << result.err;
        return std::string(nlohmann::json::parse(read("s.json")).at("details").at("device"));
    };
    const std::string name = " (driver double 81920 MiB)";
    EXPECT_EQ(expect_note(pair_of("r.y4m", "d.y4m"), "2 of 3 GPUs are used: each should have 250 frames"),
              "2 GPUs" + name);
    EXPECT_EQ(expect_note(pair_of("R.y4m", "D.y4m"), "1 of 3 GPUs is used: each should have 250 frames"), "GPU" + name);
    EXPECT_EQ(expect_note(pair_of("r.y4m", "-"),
                          "1 of 3 GPUs is used: standard input is no regular file and can be read only once", piped),
              "GPU" + name);
}

TEST_F(Segments, CountAllFramesAsProgress)
{
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "no terminals here";
    write("r.y4m", y4m_video(small_shape(), 760, false));
    ToolSetting terminal;
    terminal.terminal = true;
    const ToolResult result = run(pair_of("r.y4m", "r.y4m", {"--gpu", "all", "-o", "s.xml"}), terminal);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("760/760 100%"), std::string::npos) << result.err;
}

} // namespace
} // namespace vmaf::test
