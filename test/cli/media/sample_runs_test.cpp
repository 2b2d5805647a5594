#include "../tool_test.h"
#include "ffmpeg.h"

/// --sample of media files. Sampled frames have the scores of a run of all frames, although others
/// are not decoded.
namespace vmaf::test {
namespace {

class SampleRuns : public ToolTest {
  protected:
    void SetUp() override { VMAF_NEED_FFMPEG(); }

    void make(const std::string &name, const std::string &options) const
    {
        studio_.ffmpeg(options + " " + name);
        std::filesystem::copy_file(studio_.path(name), path(name));
    }

    Studio studio_;
};

TEST_F(SampleRuns, FramesHaveTheScoresOfTheWholeClip)
{
    studio_.make_source("r.nut", 100);
    make("r.mkv", "-i r.nut -c:v ffv1");
    make("pyramid.mp4", "-i r.nut -c:v libx264 -crf 35 -bf 7 -b_strategy 0 -x264-params b-pyramid=normal");
    make("open.mkv", "-i r.nut -c:v libx264 -crf 35 -g 12 -bf 3 -x264-params open-gop=1");
    make("mpeg4.mp4", "-i r.nut -c:v mpeg4 -q:v 9 -bf 2");
    std::vector<std::string> names{"pyramid.mp4", "open.mkv", "mpeg4.mp4"};
    if (has_encoder("libx265")) {
        make("hevc.mp4", "-i r.nut -c:v libx265 -crf 35 -x265-params log-level=none");
        names.push_back("hevc.mp4");
    }
    for (const std::string &name : names)
        for (const std::vector<std::string> &more :
             {std::vector<std::string>{}, {"--frame_skip_ref", "2", "--frame_skip_dist", "2"}}) {
            std::vector<std::string> arguments = pair_of("r.mkv", name, more);
            const nlohmann::json all = scores(arguments);
            arguments.insert(arguments.end(), {"--sample", "20%", "--strict"});
            const nlohmann::json sample = scores(arguments);
            EXPECT_EQ(sample.at("frames").size(), 20U) << name;
            for (const auto &row : sample.at("frames"))
                EXPECT_EQ(row, all.at("frames").at(row.at("frameNum").get<unsigned>())) << name;
        }
}

/// Packets do not tell the number of frames if they have no time stamps, or if two have the same
/// one.
TEST_F(SampleRuns, VideosAreDecodedWherePacketsDoNotTellTheirNumber)
{
    studio_.make_source("r.nut", 60);
    make("r.mkv", "-i r.nut -c:v ffv1");
    make("d.264", "-i r.nut -c:v libx264 -crf 35");
    const std::string two_at_once = "-i r.nut -vf setpts='(N-eq(N\\,20))/25/TB' -fps_mode passthrough ";
    make("d.mkv", two_at_once + "-c:v ffv1");
    make("d.mp4", two_at_once + "-c:v libx264 -crf 35 -bf 2");
    for (const std::string name : {"d.264", "d.mkv", "d.mp4"}) {
        SCOPED_TRACE(name);
        std::vector<std::string> arguments = pair_of("r.mkv", name, {});
        const nlohmann::json all = scores(arguments);
        ASSERT_EQ(all.at("frames").size(), 60U);
        arguments.insert(arguments.end(), {"--sample", "50%"});
        const nlohmann::json sample = scores(arguments);
        EXPECT_EQ(sample.at("sample").at("of"), 60);
        for (const auto &row : sample.at("frames"))
            EXPECT_EQ(row, all.at("frames").at(row.at("frameNum").get<unsigned>()));
        arguments.insert(arguments.end(), {"--align", "frames"});
        EXPECT_EQ(scores(arguments).at("sample").at("of"), 60);
    }
}

} // namespace
} // namespace vmaf::test
