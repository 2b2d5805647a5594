#include <cstdlib>

#include <gtest/gtest.h>

#include "tool_test.h"

/// Runs that ask for a GPU and for none (spec cli 10.6). They run without a GPU, and with
/// VMAF_TEST_GPU_DOUBLE on the driver double. Its kernels do nothing, so scores mean nothing there.
namespace vmaf::test {
namespace {

class Gpu : public ToolTest {
  protected:
    void SetUp() override
    {
        show(usable() ? nullptr : "-1");
        show_vulkan(kNoDriver);
    }
    void TearDown() override
    {
        show(nullptr);
        show_vulkan(kNoDriver);
    }

    static bool usable() { return std::getenv("VMAF_TEST_GPU_DOUBLE") != nullptr; }
    static void show(const char *visible_devices)
    {
        if (visible_devices)
            ::setenv("CUDA_VISIBLE_DEVICES", visible_devices, 1);
        else
            ::unsetenv("CUDA_VISIBLE_DEVICES");
    }
    static constexpr const char *kNoDriver = "/nonexistent.json";
    static void show_vulkan(const char *driver)
    {
        for (const char *name : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"})
            ::setenv(name, driver, 1);
    }
};

TEST_F(Gpu, UnwantedIsNotMentioned)
{
    for (const std::vector<std::string> &none :
         {std::vector<std::string>{"--gpu", "none"}, {"--no_cuda"}, {"--backend", "cpu"}, {"--gpumask", "-1"}}) {
        std::vector<std::string> arguments = none;
        arguments.insert(arguments.end(), {"-o", "x.xml"});
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", arguments));
        EXPECT_EQ(result.exit_code, 0) << none[0];
        EXPECT_EQ(result.err, "") << none[0];
    }
}

TEST_F(Gpu, AutoGoesOnWithTheCpuWithoutAWord)
{
    if (usable())
        GTEST_SKIP() << "there is one";
    const auto expected = scores(pair_of("R6.y4m", "D6.y4m", {"--gpu", "none"}));
    for (const std::vector<std::string> &automatic :
         {std::vector<std::string>{"-q"}, {"--gpu", "auto"}, {"--backend", "auto"}, {"--gpumask", "1"}}) {
        std::vector<std::string> arguments = automatic;
        arguments.insert(arguments.end(), {"--json", "-o", "x.json"});
        const ToolResult result = run(pair_of("R6.y4m", "D6.y4m", arguments));
        EXPECT_EQ(result.exit_code, 0) << automatic[0];
        EXPECT_EQ(result.err, "") << automatic[0];
        EXPECT_EQ(nlohmann::json::parse(read("x.json")).at("frames"), expected.at("frames"));
    }
}

TEST_F(Gpu, DemandedAndNotUsableIs255WithoutAFile)
{
    if (usable())
        GTEST_SKIP() << "there is one";
    for (const std::vector<std::string> &demand : {std::vector<std::string>{"--gpu", "0"}, {"--backend", "cuda"}}) {
        std::vector<std::string> arguments = demand;
        arguments.insert(arguments.end(), {"-o", "x.xml"});
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", arguments));
        EXPECT_EQ(result.exit_code, 255) << demand[0];
        EXPECT_NE(result.err.find("GPU"), std::string::npos) << result.err;
        EXPECT_FALSE(exists("x.xml"));
        EXPECT_FALSE(exists("x.xml.partial"));
    }
}

TEST_F(Gpu, BeyondTheVisibleOnesIs255)
{
    for (const char *visible : {"0", "", "-1", "0,-1,1"}) {
        show(visible);
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--gpu", "2"}));
        EXPECT_EQ(result.exit_code, 255) << visible;
        EXPECT_NE(result.err.find("GPU 2"), std::string::npos) << result.err;
    }
}

TEST_F(Gpu, ListHasIndexNameAndMemoryOrIsEmpty)
{
    const ToolResult result = run({"--list", "gpus"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, usable() ? "0 driver double 81920 MiB\n" : "");
}

TEST_F(Gpu, DemandedVulkanDevicesThatAreMissingAre255)
{
    for (const std::vector<std::string> &demand : {std::vector<std::string>{"--gpu", "vk0"}, {"--backend", "vulkan"}}) {
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", demand));
        EXPECT_EQ(result.exit_code, 255) << demand[0];
        EXPECT_NE(result.err.find("GPU"), std::string::npos) << result.err;
    }
}

TEST_F(Gpu, OneAloneIsTested)
{
    EXPECT_EQ(run({"--self_test", "--gpu", "none"}).exit_code, 1);
    EXPECT_EQ(run({"--self_test", "--gpu", "0,1"}).exit_code, 1);
    if (!usable()) {
        EXPECT_EQ(run({"--self_test"}).exit_code, 255);
        EXPECT_EQ(run({"--self_test", "--gpu", "vk0"}).exit_code, 255);
    }
}

/// Mesa's software driver, if it is installed.
class SoftwareVulkan : public Gpu {
  protected:
    void SetUp() override
    {
        Gpu::SetUp();
#ifdef VMAF_TEST_OF_SANITIZED_CODE
        GTEST_SKIP() << "the drivers have leaks and threads of their own";
#endif
        show_vulkan(VMAF_TEST_LAVAPIPE);
        if (run({"--list", "gpus"}).out.find("vk0 ") == std::string::npos)
            GTEST_SKIP() << "there is no software Vulkan device (Debian: mesa-vulkan-drivers)";
    }
};

TEST_F(SoftwareVulkan, IsListedWithItsType)
{
    const std::string list = run({"--list", "gpus"}).out;
    EXPECT_NE(list.find("(software, llvmpipe"), std::string::npos) << list;
    EXPECT_NE(run({"--list_backends"}).out.find("\"vulkan\""), std::string::npos);
}

TEST_F(SoftwareVulkan, HasTheCpusScoresWhereItIsDemanded)
{
    const auto cpu = scores(pair_of("R6.y4m", "D6.y4m", {"--gpu", "none"}));
    for (const std::vector<std::string> &demand : {std::vector<std::string>{"--gpu", "vk0"}, {"--backend", "vulkan"}}) {
        std::vector<std::string> arguments = demand;
        arguments.insert(arguments.end(), {"--json", "-o", "x.json"});
        const ToolResult result = run(pair_of("R6.y4m", "D6.y4m", arguments));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_NE(result.err.find("Vulkan device"), std::string::npos) << result.err;
        EXPECT_EQ(nlohmann::json::parse(read("x.json")).at("frames"), cpu.at("frames"));
    }
}

TEST_F(SoftwareVulkan, IsTestedByItself)
{
    const ToolResult result = run({"--self_test", "--gpu", "vk0"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(result.out.starts_with("llvmpipe")) << result.out;
    EXPECT_NE(result.out.find("\nvif "), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("0 of "), std::string::npos) << result.out;
}

#ifdef VMAF_TEST_FAULTY_DRIVER
TEST_F(SoftwareVulkan, ThatMiscompilesIsCaught)
{
    ::setenv("LD_LIBRARY_PATH", VMAF_TEST_FAULTY_DRIVER, 1);
    ::setenv("VMAF_TEST_MISCOMPILED", "square_error", 1);
    const ToolResult tested = run({"--self_test", "--gpu", "vk0"});
    const ToolResult scored = run(pair_of("R.y4m", "D.y4m", {"--gpu", "vk0", "--feature", "psnr"}));
    ::unsetenv("LD_LIBRARY_PATH");
    EXPECT_EQ(tested.exit_code, 3) << tested.err;
    EXPECT_NE(tested.out.find("psnr_y of frame 0 is "), std::string::npos) << tested.out;
    EXPECT_NE(tested.out.find("1 of "), std::string::npos) << tested.out;
    EXPECT_EQ(scored.exit_code, 251) << scored.err;
    EXPECT_NE(scored.err.find("computes it wrongly"), std::string::npos) << scored.err;
}
#endif

TEST_F(SoftwareVulkan, IsNeverChosen)
{
    if (usable())
        GTEST_SKIP() << "CUDA's device is";
    const ToolResult result = run(pair_of("R6.y4m", "D6.y4m", {"--gpu", "auto", "--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err.find("Vulkan device"), std::string::npos) << result.err;
}

TEST_F(Gpu, SessionRunsToItsEndAndDiffersFromTheCpu)
{
    if (!usable())
        GTEST_SKIP() << "no device, not even the double";
    write("long_r.y4m", y4m_video(small_shape(), 60, false));
    write("long_d.y4m", y4m_video(small_shape(), 60, true));
    const auto cpu = scores(pair_of("long_r.y4m", "long_d.y4m", {"--gpu", "none"}));
    for (const std::vector<std::string> &gpu :
         {std::vector<std::string>{}, {"--gpu", "0"}, {"--backend", "cuda"}, {"--threads", "2"}}) {
        const auto double_scores = scores(pair_of("long_r.y4m", "long_d.y4m", gpu));
        EXPECT_EQ(frame_numbers(double_scores).size(), 60U);
        EXPECT_NE(double_scores.at("frames"), cpu.at("frames")) << "kernels of the double do nothing";
    }
}

TEST_F(Gpu, ModelsStayOnTheCpuWithAGpuMask)
{
    if (!usable())
        GTEST_SKIP() << "no device, not even the double";
    const auto cpu = scores(pair_of("R6.y4m", "D6.y4m", {"--gpu", "none"}));
    EXPECT_EQ(scores(pair_of("R6.y4m", "D6.y4m", {"--gpumask", "1"})).at("frames"), cpu.at("frames"));
}

TEST_F(Gpu, ReadersAheadOfTheScoringTakeNoMorePicturesThanThereAre)
{
    if (!usable())
        GTEST_SKIP() << "no device, not even the double";
    write("long.y4m", y4m_video(small_shape(), 60, true));
    const ToolResult result = run(pair_of("R4.y4m", "long.y4m", {"--frame_skip_dist", "20"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("ended before"), std::string::npos) << result.err;
}

} // namespace
} // namespace vmaf::test
