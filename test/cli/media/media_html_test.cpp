#include <filesystem>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ffmpeg.h"
#include "tool_process.h"

/// Reports (spec cli 10.7) of media files.
namespace vmaf::test {
namespace {

TEST(MediaHtml, GivesSizeAndBitrateOfTheVideo)
{
    VMAF_NEED_FFMPEG();
    const Studio studio;
    constexpr unsigned kFrames = 12;
    studio.make_source("ref.y4m", kFrames);
    studio.ffmpeg("-i ref.y4m -f lavfi -i sine=d=1 -shortest -c:v mjpeg -q:v 20 -c:a pcm_s16le dis.mkv");
    // Pictures one after the other, and nothing else: its size is theirs.
    studio.ffmpeg("-i dis.mkv -c:v copy -an -f mjpeg packets");
    const ToolResult result =
        run_tool(studio.directory(), {"-r", "ref.y4m", "-d", "dis.mkv", "--html", "report.html", "--gpu", "none"});
    ASSERT_EQ(result.exit_code, 0) << result.err;

    const std::string html = studio.read("report.html");
    const std::string begin = "<script type=\"application/json\" id=\"vmaf-data\">";
    const std::size_t start = html.find(begin) + begin.size();
    const nlohmann::json data = nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
    const nlohmann::json &video = data.at("distorted");
    EXPECT_EQ(video.at("codec"), "mjpeg");
    EXPECT_FALSE(data.at("reference").contains("codec"));
    EXPECT_EQ(video.at("bytes"), std::filesystem::file_size(studio.path("dis.mkv")));
    const double seconds = kFrames / video.at("fps").get<double>();
    const auto packet_bytes = static_cast<double>(std::filesystem::file_size(studio.path("packets")));
    EXPECT_NEAR(video.at("bitrate").get<double>(), 8 * packet_bytes / seconds, 1e-6 * packet_bytes);
    EXPECT_FALSE(data.at("reference").contains("bitrate")) << "of raw frames there is none";
    // Decoded once more for its pictures.
    if (html.find("built without zlib") == html.npos) {
        EXPECT_NE(html.find("<img alt=\"distorted, frame "), html.npos);
    }
}

} // namespace
} // namespace vmaf::test
