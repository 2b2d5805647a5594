#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ffmpeg.h"
#include "tool_process.h"

/// Reports of media files (spec cli 10.7).
namespace vmaf::test {
namespace {

nlohmann::json data_of(const std::string &html)
{
    const std::string begin = "<script type=\"application/json\" id=\"vmaf-data\">";
    const std::size_t start = html.find(begin) + begin.size();
    return nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
}

/// What ffprobe says about a video's frames, in the order in which they are shown.
struct ProbedFrames {
    std::vector<unsigned> bytes;
    std::string types;
};

ProbedFrames probed(const Studio &studio, const std::string &name)
{
    studio.shell("ffprobe -v error -select_streams v -show_entries frame=key_frame,pkt_size,pict_type -of "
                 "default=noprint_wrappers=1 " +
                 name + " > probed.txt");
    std::istringstream lines(studio.read("probed.txt"));
    ProbedFrames frames;
    bool is_key = false;
    for (std::string line; std::getline(lines, line);) {
        const std::string value = line.substr(line.find('=') + 1);
        if (line.starts_with("key_frame="))
            is_key = value == "1";
        else if (line.starts_with("pkt_size="))
            frames.bytes.push_back(static_cast<unsigned>(std::stoul(value)));
        else if (line.starts_with("pict_type="))
            frames.types += is_key ? 'K' : value.front();
    }
    return frames;
}

/// Sizes and types of frames are in the order of the scores, whatever the order in the file.
TEST(MediaHtml, GivesSizesAndTypesOfFrames)
{
    VMAF_NEED_FFMPEG();
    const Studio studio;
    studio.make_source("ref.y4m", 60);
    studio.ffmpeg("-i ref.y4m -c:v libx264 -preset veryfast -g 25 -bf 3 -x264-params "
                  "scenecut=0:b-adapt=0:open-gop=1 dis.mp4");
    const ProbedFrames expected = probed(studio, "dis.mp4");
    ASSERT_EQ(expected.bytes.size(), 60U);
    ASSERT_NE(expected.types.find('B'), std::string::npos);
    ASSERT_NE(expected.types.find('P'), std::string::npos);

    const std::vector<std::string> pair{"-r", "ref.y4m", "-d", "dis.mp4", "--gpu", "none", "--feature", "psnr"};
    const auto report_with = [&](const std::vector<std::string> &more) {
        std::vector<std::string> arguments = pair;
        arguments.insert(arguments.end(), more.begin(), more.end());
        arguments.insert(arguments.end(), {"--html", "report.html"});
        const ToolResult result = run_tool(studio.directory(), arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return data_of(studio.read("report.html"));
    };
    const auto whole = report_with({"-o", "scores.json", "--log_details"}).at("coded_frames");
    EXPECT_EQ(whole.at("bytes"), nlohmann::json(expected.bytes));
    EXPECT_EQ(whole.at("types"), expected.types);

    const auto part = report_with({"--frame_skip_ref", "7", "--frame_skip_dist", "7", "--frame_cnt", "20"});
    EXPECT_EQ(part.at("coded_frames").at("types"), expected.types.substr(7, 20));
    EXPECT_EQ(part.at("coded_frames").at("bytes").at(0), expected.bytes.at(7));

    // Only packets tell about frames that are not read, up to the last one that is read.
    const auto sampled = report_with({"--sample", "50%"}).at("coded_frames");
    std::string keys = expected.types;
    std::ranges::replace_if(
        keys, [](char type) { return type != 'K'; }, '?');
    const auto count = static_cast<std::ptrdiff_t>(sampled.at("bytes").size());
    ASSERT_GT(count, 30);
    EXPECT_EQ(sampled.at("bytes"), nlohmann::json(std::vector(expected.bytes.begin(), expected.bytes.begin() + count)));
    EXPECT_EQ(sampled.at("types"), keys.substr(0, static_cast<std::size_t>(count)));

    ASSERT_EQ(run_tool(studio.directory(), {"--report", "scores.json", "--html", "saved.html"}).exit_code, 0);
    EXPECT_EQ(data_of(studio.read("saved.html")).at("coded_frames"), whole) << "saved scores have them too";

    const ToolResult raw =
        run_tool(studio.directory(), {"-r", "ref.y4m", "-d", "ref.y4m", "--gpu", "none", "--html", "report.html"});
    ASSERT_EQ(raw.exit_code, 0) << raw.err;
    EXPECT_FALSE(data_of(studio.read("report.html")).contains("coded_frames")) << "frames of Y4M have equal sizes";
}

/// A third of a second each of bars, of noise and of a test picture.
TEST(MediaHtml, GivesSceneCuts)
{
    VMAF_NEED_FFMPEG();
    const Studio studio;
    studio.ffmpeg("-f lavfi -i smptebars=s=160x96:r=25:d=0.4 -f lavfi -i mandelbrot=s=160x96:r=25 -f lavfi -i "
                  "testsrc=s=160x96:r=25 -filter_complex "
                  "'[1]trim=end_frame=13[m];[2]trim=end_frame=9[t];[0][m][t]concat=n=3,format=yuv420p' ref.y4m");
    studio.ffmpeg("-i ref.y4m -c:v mpeg4 -qscale:v 5 dis.mp4");
    const ToolResult result =
        run_tool(studio.directory(), {"-r", "ref.y4m", "-d", "dis.mp4", "--gpu", "none", "--html", "report.html"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(data_of(studio.read("report.html")).at("scene_cuts"), nlohmann::json({10, 23}));
}

TEST(MediaHtml, GivesSizeAndBitrateOfTheVideo)
{
    VMAF_NEED_FFMPEG();
    const Studio studio;
    constexpr unsigned kFrames = 12;
    studio.make_source("ref.y4m", kFrames);
    studio.ffmpeg("-i ref.y4m -f lavfi -i sine=d=1 -shortest -c:v mjpeg -q:v 20 -c:a pcm_s16le dis.mkv");
    // The file contains only pictures, one after another, so their sizes add up to its size.
    studio.ffmpeg("-i dis.mkv -c:v copy -an -f mjpeg packets");
    const ToolResult result =
        run_tool(studio.directory(), {"-r", "ref.y4m", "-d", "dis.mkv", "--html", "report.html", "--gpu", "none"});
    ASSERT_EQ(result.exit_code, 0) << result.err;

    const std::string html = studio.read("report.html");
    const nlohmann::json data = data_of(html);
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
