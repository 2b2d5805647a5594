#include "../tool_test.h"
#include "ffmpeg.h"

/// What score files say about the comparison, and --compare_only (spec comparison 11).
namespace vmaf::test {
namespace {

class ComparisonRecord : public ToolTest {
  protected:
    void SetUp() override { VMAF_NEED_FFMPEG(); }

    void make(const std::string &name, const std::string &options) const
    {
        if (!exists("src.y4m"))
            studio_.make_source("src.y4m", 2);
        studio_.ffmpeg("-i src.y4m " + options + " " + name);
        std::filesystem::copy_file(studio_.path(name), path(name));
    }

    nlohmann::json record(const std::vector<std::string> &arguments) const
    {
        std::vector<std::string> all = arguments;
        all.push_back("--compare_only");
        const ToolResult result = run(all);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return nlohmann::json::parse(result.out);
    }

    Studio studio_;
};

TEST_F(ComparisonRecord, SaysWhatFilesSayAndWhatIsScored)
{
    make("ref.mkv", "-pix_fmt yuv422p10le -colorspace bt709 -color_trc bt709 -c:v ffv1");
    make("dis.mkv", "-vf scale=80:48 -pix_fmt yuvj420p -colorspace bt709 -c:v mjpeg -q:v 2");
    const nlohmann::json record = this->record(pair_of("ref.mkv", "dis.mkv"));
    const nlohmann::json &ref = record.at("reference"), &dis = record.at("distorted"), &scored = record.at("scored");
    EXPECT_EQ(ref.at("path"), "ref.mkv");
    EXPECT_EQ(ref.at("size"), nlohmann::json({160, 96}));
    EXPECT_EQ(ref.at("rotation"), 0);
    EXPECT_EQ(ref.at("crop"), nullptr);
    EXPECT_EQ(ref.at("range"), "limited");
    EXPECT_EQ(ref.at("matrix"), "bt709");
    EXPECT_EQ(ref.at("transfer"), "bt709");
    EXPECT_EQ(ref.at("depth"), 10);
    EXPECT_EQ(ref.at("interlaced"), false);
    EXPECT_EQ(dis.at("path"), "dis.mkv");
    EXPECT_EQ(dis.at("size"), nlohmann::json({80, 48}));
    EXPECT_EQ(dis.at("range"), "full");
    EXPECT_EQ(dis.at("depth"), 8);
    EXPECT_EQ(scored.at("size"), nlohmann::json({160, 96}));
    EXPECT_EQ(scored.at("depth"), 10);
    EXPECT_EQ(scored.at("pixel_format"), "422");
    EXPECT_EQ(scored.at("range"), "limited");
    const std::string conversions = record.at("conversions").dump();
    EXPECT_NE(conversions.find("distorted: 80x48 scaled to 160x96"), std::string::npos) << conversions;
    EXPECT_FALSE(exists("dis.vmaf.json"));
}

TEST_F(ComparisonRecord, StandsInScoreFiles)
{
    make("ref.mkv", "-pix_fmt yuv420p10le -c:v ffv1");
    make("dis.mkv", "-c:v ffv1");
    make("a--b.mkv", "-c:v ffv1");
    const std::vector<std::string> pair = pair_of("ref.mkv", "dis.mkv", {"--feature", "psnr"});
    const nlohmann::json expected = record(pair);
    EXPECT_EQ(scores(pair).at("comparison"), expected);
    ASSERT_EQ(run(pair_of("ref.mkv", "a--b.mkv", {"--xml", "-o", "x.xml"})).exit_code, 0);
    const std::string xml = read("x.xml");
    const std::string begin = "<!-- comparison: ";
    const std::size_t start = xml.find(begin) + begin.size();
    const std::string text = xml.substr(start, xml.find(" -->", start) - start);
    EXPECT_EQ(text.find("--"), std::string::npos) << text;
    EXPECT_EQ(nlohmann::json::parse(text), record(pair_of("ref.mkv", "a--b.mkv")));
    ASSERT_EQ(run(pair_of("ref.mkv", "dis.mkv", {"--csv", "-o", "x.csv"})).exit_code, 0);
    EXPECT_EQ(read("x.csv").find("comparison"), std::string::npos);
}

/// If there was nothing to decide, the score file has no record, and its bytes do not change.
TEST_F(ComparisonRecord, IsNotThereWithoutADecision)
{
    EXPECT_FALSE(scores(pair_of("R.y4m", "D.y4m")).contains("comparison"));
    make("ref.mkv", "-c:v ffv1");
    make("dis.mkv", "-c:v mpeg4 -qscale:v 5");
    EXPECT_FALSE(scores(pair_of("ref.mkv", "dis.mkv")).contains("comparison"));
    ASSERT_EQ(run(pair_of("R.y4m", "D.y4m", {"--xml", "-o", "x.xml"})).exit_code, 0);
    EXPECT_EQ(read("x.xml").find("<!--"), std::string::npos);
    EXPECT_EQ(record(pair_of("R.y4m", "D.y4m")).at("scored").at("size"), nlohmann::json({80, 64}));
}

TEST_F(ComparisonRecord, IsEachEncodes)
{
    make("ref.mkv", "-c:v ffv1");
    make("deep.mkv", "-pix_fmt yuv420p10le -c:v ffv1");
    make("same.mkv", "-c:v mpeg4");
    const std::vector<std::string> ladder{"-r", "ref.mkv", "-d", "deep.mkv", "-d", "same.mkv"};
    const nlohmann::json records = record(ladder);
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].at("scored").at("depth"), 10);
    EXPECT_EQ(records[1].at("scored").at("depth"), 8);
    EXPECT_EQ(run(ladder).exit_code, 0);
    EXPECT_EQ(nlohmann::json::parse(read("deep.vmaf.json")).at("comparison"), records[0]);
    EXPECT_FALSE(nlohmann::json::parse(read("same.vmaf.json")).contains("comparison"));
}

/// The record of a PQ pair names the models that are made for SDR. The record of an SDR encode does
/// not.
TEST_F(ComparisonRecord, NamesWhatIsMadeForSdr)
{
    const std::string pq = "-pix_fmt yuv420p10le -colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084";
    make("ref.mkv", pq + " -c:v ffv1");
    make("pq.mkv", pq + " -c:v ffv1 -vf noise=alls=20:all_seed=1");
    make("sdr.mkv", "-pix_fmt yuv420p10le -colorspace bt709 -color_primaries bt709 -color_trc bt709 -c:v ffv1");
    const nlohmann::json expected = {"vmaf_v0.6.1: made for SDR; for HDR use cvvdp"};
    const nlohmann::json records = record({"-r", "ref.mkv", "-d", "pq.mkv", "-d", "sdr.mkv"});
    EXPECT_EQ(records[0].at("conversions"), expected);
    EXPECT_EQ(records[0].at("warnings"), nlohmann::json::array());
    EXPECT_EQ(records[1].dump().find("made for SDR"), std::string::npos) << records[1];
    EXPECT_NE(records[1].at("warnings").dump().find("the score means nothing"), std::string::npos) << records[1];
    EXPECT_EQ(scores(pair_of("ref.mkv", "pq.mkv")).at("comparison"), records[0]);
    EXPECT_FALSE(scores(pair_of("ref.mkv", "pq.mkv", {"-n", "--feature", "psnr"})).contains("comparison"));
    const std::vector<std::string> v0 = {"-m", "v0", "--display", "4k", "--frame_cnt", "1"};
    const std::string shown = record(pair_of("ref.mkv", "pq.mkv", v0)).at("conversions").dump();
    EXPECT_NE(shown.find("vmaf_4k_v0.6.1: made for SDR"), std::string::npos) << shown;
}

} // namespace
} // namespace vmaf::test
