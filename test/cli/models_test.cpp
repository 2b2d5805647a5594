#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "tool_test.h"
#include "unit/model_json_text.h"

/// Model files (spec cli 4.1).
namespace vmaf::test {
namespace {

class ModelFiles : public ToolTest {
  protected:
    ModelFiles()
    {
        write("model.json", single_text(small_model()));
        const std::string member = single_text(with(small_model(), "model_type", "\"BOOTSTRAP_LIBSVMNUSVR\""));
        write("collection.json", object_text({{"0", member}, {"1", member}, {"2", member}}));
    }

    ToolResult score_with(const std::string &model, const ToolSetting &setting = {}) const
    {
        return run(pair_of("R.y4m", "D.y4m", {"--gpu", "none", "-m", "path=" + model}), setting);
    }

    /// Result lines for a file with another name.
    static std::string with_name(std::string lines, const std::string &from, const std::string &to)
    {
        for (std::size_t at = 0; (at = lines.find(from, at)) != lines.npos; at += to.size())
            lines.replace(at, from.size(), to);
        return lines;
    }
};

TEST_F(ModelFiles, MayBeNamedWithoutAKey)
{
    write("no_suffix", read("model.json"));
    for (const std::string file : {"model.json", "collection.json", "./model.json", "no_suffix"}) {
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--gpu", "none", "-m", file + ":name=mine"}));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, score_with(file).err);
    }
    const ToolResult missing = run(pair_of("R.y4m", "D.y4m", {"-m", "missing.json"}));
    EXPECT_EQ(missing.exit_code, 255);
    EXPECT_NE(missing.err.find("problem loading model: missing.json\n"), std::string::npos) << missing.err;
    EXPECT_NE(run(pair_of("R.y4m", "D.y4m", {"-m", "model.json", "-o", "model.json"})).err.find("is an input"),
              std::string::npos);
}

TEST_F(ModelFiles, MayBeFifos)
{
    for (const std::string file : {"model.json", "collection.json"}) {
        const std::string expected = score_with(file).err;
        const std::string name = "fifo_" + file;
        ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
        ToolProcess tool(directory(), pair_of("R.y4m", "D.y4m", {"--gpu", "none", "-m", "path=" + name}));
        write(name, read(file));
        const ToolResult result = tool.wait();
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(with_name(result.err, name, file), expected);
    }
}

TEST_F(ModelFiles, MayBeDescriptors)
{
    for (const std::string file : {"model.json", "collection.json"})
        for (const std::string name : {"/dev/stdin", "/dev/fd/0"}) {
            ToolSetting piped;
            piped.input = read(file);
            const ToolResult result = score_with(name, piped);
            EXPECT_EQ(result.exit_code, 0) << result.err;
            EXPECT_EQ(with_name(result.err, name, file), score_with(file).err);
        }
}

TEST_F(ModelFiles, AFifoIsReadOnceForAllModels)
{
    ToolSetting piped;
    piped.input = read("model.json");
    const ToolResult result =
        run(pair_of("R.y4m", "D.y4m",
                    {"--gpu", "none", "-m", "path=/dev/stdin:name=a", "-m", "path=/dev/stdin:name=b:disable_clip"}),
            piped);
    EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(ModelFiles, AFifoIsReadOnceForAllEncodes)
{
    ToolSetting piped;
    piped.input = read("model.json");
    const ToolResult result =
        run({"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "--gpu", "none", "-m", "path=/dev/stdin"}, piped);
    EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(ModelFiles, AFifoIsNamedAsGivenInErrors)
{
    ToolSetting piped;
    piped.input = "no model";
    const ToolResult result = score_with("/dev/fd/0", piped);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("model file /dev/fd/0: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("\nproblem loading model: /dev/fd/0\n"), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("/proc/"), std::string::npos) << result.err;
}

TEST_F(ModelFiles, AnEndlessDeviceIsTooLarge)
{
    const ToolResult result = score_with("/dev/zero");
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("model file /dev/zero: larger than 64 MiB"), std::string::npos) << result.err;
}

TEST_F(ModelFiles, ACollectionIsNotCalledABadModel)
{
    const ToolResult result = score_with("collection.json");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err.find("collection.json: "), 0U) << result.err;
    EXPECT_NE(result.err.find("\ncollection.json: "), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("libvmaf"), std::string::npos) << result.err;
}

TEST_F(ModelFiles, WhatIsNeitherIsReportedWithBothReasons)
{
    write("one.json", object_text({{"0", single_text(small_model())}}));
    const ToolResult result = score_with("one.json");
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 3) << result.err;
    EXPECT_NE(result.err.find("\nproblem loading model: one.json\n"), std::string::npos) << result.err;
}

using ModelNames = ToolTest;

TEST_F(ModelNames, AutoIsThe4kModelAbove1440Lines)
{
    for (const auto &[height, model] : {std::pair{1440U, "vmaf_v0.6.1: "}, {1442U, "vmaf_4k_v0.6.1: "}}) {
        const VideoShape shape{64, height, "420", 8};
        write("r.yuv", raw_video(shape, 1, false));
        write("d.yuv", raw_video(shape, 1, true));
        std::vector<std::string> arguments = pair_of("r.yuv", "d.yuv", raw_arguments(shape));
        arguments.insert(arguments.end(), {"--gpu", "none", "-m", "auto"});
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_TRUE(result.err.starts_with(model)) << height << ' ' << result.err;
    }
}

TEST_F(ModelNames, BareNameTakesTheItemsThatFollow)
{
    const auto file =
        scores(pair_of("R.y4m", "D.y4m", {"-m", "vmaf_v0.6.1:name=bare:vif.vif_enhn_gain_limit=1.0", "-m", "auto"}));
    EXPECT_TRUE(file.at("pooled_metrics").contains("bare"));
    EXPECT_TRUE(file.at("pooled_metrics").contains("vmaf"));
    EXPECT_TRUE(file.at("pooled_metrics").contains("integer_vif_scale0_egl_1"));
}

} // namespace
} // namespace vmaf::test
