#include <cstdlib>

#include "../tool_test.h"
#include "ffmpeg.h"

/// What decodes by default where a GPU scores. Runs on a driver double, which decodes nothing.
namespace vmaf::test {
namespace {

// A GPU is not even opened for them: software is done before it starts. A longer video, whatever
// the number of cores, is left to software only because this GPU cannot decode it.
TEST(MediaDecoder, OfShortVideosIsSoftware)
{
    if (std::getenv("VMAF_TEST_GPU_DOUBLE") == nullptr)
        GTEST_SKIP() << "no device, not even the double";
    VMAF_NEED_FFMPEG();
    const Studio studio;
    const auto is_refused = [&](const std::string &frames) {
        studio.ffmpeg("-y -f lavfi -i color=s=1920x1080 -frames:v " + frames + " -c:v libx264 -preset ultrafast v.mp4");
        const ToolResult result =
            run_tool(studio.directory(), pair_of("v.mp4", "v.mp4",
                                                 {"-n", "--feature", "psnr", "--gpumask", "1", "--gpu", "0",
                                                  "--frame_cnt", "1", "--align", "off", "-o", "s.json"}));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.err.find("decoded on the CPU") != std::string::npos;
    };
    EXPECT_FALSE(is_refused("10"));
    EXPECT_TRUE(is_refused("400"));
}

} // namespace
} // namespace vmaf::test
