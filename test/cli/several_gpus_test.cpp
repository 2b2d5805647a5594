#include <algorithm>
#include <cstdlib>

#include "tool_test.h"

/// --gpu 0,1 and --gpu all (spec device_pictures 5), on a driver double that shows several devices. Its kernels do nothing: with
/// --gpumask 1 features stay on the CPU, and scores are real.
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

    /// Without its rate.
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

} // namespace
} // namespace vmaf::test
