#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "shell.h"
#include "tool_test.h"

/// Pairs frames by what they show (spec comparison 6), and compares the scores with those of files
/// that contain the pairs.
namespace vmaf::test {
namespace {

using Json = nlohmann::json;

constexpr VideoShape kShape{160, 96, "420", 8};
constexpr unsigned kFrames = 80;

const std::vector<std::string> kPsnr{"-n", "--feature", "psnr,motion"};

class Align : public ToolTest {
  protected:
    Align()
    {
        write_video("ref.y4m", numbers(0, kFrames), false);
        write_video("dis.y4m", numbers(0, kFrames), true);
    }

    static std::vector<unsigned> numbers(unsigned first, unsigned end)
    {
        std::vector<unsigned> all;
        for (unsigned number = first; number < end; ++number)
            all.push_back(number);
        return all;
    }

    /// Frames of a film: a moving texture, with noise in the distorted one.
    void write_video(const std::string &name, const std::vector<unsigned> &frames, bool distorted) const
    {
        std::string bytes = y4m_header(kShape, "420");
        for (const unsigned frame : frames)
            bytes += "FRAME\n" + frame_bytes(kShape, film_frame(frame, distorted));
        write(name, bytes);
    }
    static Planes film_frame(unsigned frame, bool distorted)
    {
        static const std::vector<unsigned> texture = [] {
            std::mt19937 random(3);
            std::vector<unsigned> blocks(64 * 64);
            std::ranges::generate(blocks, [&] { return 40 + random() % 160; });
            return blocks;
        }();
        Planes planes = make_frame(kShape, 0, false);
        for (unsigned y = 0; y < kShape.height; ++y)
            for (unsigned x = 0; x < kShape.width; ++x) {
                const unsigned block = (y + frame) / 8 % 64 * 64 + (x + 3 * frame) / 8 % 64;
                const unsigned noise = distorted ? (x * 7 + y * 13 + frame * 5) % 9 : 4;
                planes[0][y * kShape.width + x] = static_cast<std::uint16_t>(texture[block] + noise);
            }
        return planes;
    }

    Json aligned(const std::string &dis, const std::string &how) const
    {
        std::vector<std::string> arguments = pair_of("ref.y4m", dis, kPsnr);
        arguments.insert(arguments.end(), {"--align", how});
        return scores(arguments);
    }
    /// Metrics of each frame, from plain files that contain these frames.
    Json expected(const std::vector<unsigned> &ref, const std::vector<unsigned> &dis) const
    {
        write_video("r.y4m", ref, false);
        write_video("d.y4m", dis, true);
        return metrics(scores(pair_of("r.y4m", "d.y4m", kPsnr)));
    }
    static Json metrics(const Json &file)
    {
        Json all = Json::array();
        for (const Json &frame : file.at("frames"))
            all.push_back(frame.at("metrics"));
        return all;
    }
    static std::vector<int> column(const Json &file, const char *name)
    {
        std::vector<int> all;
        for (const Json &frame : file.at("frames"))
            all.push_back(frame.at(name));
        return all;
    }
};

TEST_F(Align, OffsetIsFoundAndApplied)
{
    write_video("late.y4m", numbers(3, kFrames), true);
    const Json late = aligned("late.y4m", "offset");
    EXPECT_EQ(late["comparison"]["time"]["method"], "offset");
    EXPECT_EQ(late["comparison"]["time"]["offset"], -3);
    EXPECT_EQ(late["comparison"]["time"]["evidence_db"].size(), 2U);
    EXPECT_EQ(metrics(late), expected(numbers(3, kFrames), numbers(3, kFrames)));
    const Json plain = aligned("dis.y4m", "offset");
    EXPECT_EQ(plain["comparison"]["time"]["offset"], 0);
    EXPECT_EQ(metrics(plain), expected(numbers(0, kFrames), numbers(0, kFrames)));
}

TEST_F(Align, OffsetOfEachEncodeIsItsOwn)
{
    write_video("early.y4m", numbers(5, kFrames), true);
    write_video("earlier.y4m", numbers(9, 70), true);
    write_video("late.y4m", numbers(0, kFrames), true);
    const std::vector<std::string> encodes{"early.y4m", "earlier.y4m", "dis.y4m"};
    std::vector<std::string> arguments{"-r", "ref.y4m", "--align", "offset"};
    for (const std::string &encode : encodes)
        arguments.insert(arguments.end(), {"-d", encode});
    arguments.insert(arguments.end(), kPsnr.begin(), kPsnr.end());
    const ToolResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const std::string &encode : encodes) {
        const Json ladder = Json::parse(read(encode.substr(0, encode.find('.')) + ".vmaf.json"));
        const Json alone = aligned(encode, "offset");
        EXPECT_EQ(ladder.at("frames"), alone.at("frames")) << encode;
        EXPECT_EQ(ladder.at("comparison").at("time"), alone.at("comparison").at("time")) << encode;
    }
}

TEST_F(Align, FramesAreComparedWithWhatTheyShow)
{
    // 20 is dropped, 34 is shown three times.
    std::vector<unsigned> shown = numbers(4, kFrames);
    shown.erase(std::ranges::find(shown, 20U));
    shown.insert(std::ranges::find(shown, 34U), 2, 34U);
    write_video("edited.y4m", shown, true);
    const Json file = aligned("edited.y4m", "frames");
    EXPECT_EQ(column(file, "ref_frame"), std::vector<int>(shown.begin(), shown.end()));
    const std::vector<unsigned> in_order = numbers(0, static_cast<unsigned>(shown.size()));
    EXPECT_EQ(column(file, "frameNum"), std::vector<int>(in_order.begin(), in_order.end()));
    EXPECT_EQ(metrics(file), expected(shown, shown));
    const Json &time = file["comparison"]["time"];
    EXPECT_EQ(time["method"], "frames");
    EXPECT_EQ(time["offset"], -4);
    EXPECT_EQ(time["dropped"], Json({20}));
    EXPECT_EQ(time["repeated"], Json({30, 31}));

    const auto written = [&](const char *option) {
        std::vector<std::string> arguments = pair_of("ref.y4m", "edited.y4m", kPsnr);
        arguments.insert(arguments.end(), {"--align", "frames", option, "-o", "file"});
        EXPECT_EQ(run(arguments).exit_code, 0);
        return read("file");
    };
    const std::string csv = written("--csv");
    EXPECT_TRUE(csv.starts_with("Frame,ref_frame,")) << csv.substr(0, 60);
    EXPECT_NE(csv.find("\n31,34,"), std::string::npos);
    EXPECT_NE(written("--xml").find("<frame frameNum=\"31\" ref_frame=\"34\" "), std::string::npos);
    EXPECT_NE(written("--sub").find("{31}{32}frame: 31|ref_frame: 34|"), std::string::npos);
}

TEST_F(Align, ReportShowsTheLag)
{
    std::vector<unsigned> shown = numbers(4, kFrames);
    shown.erase(std::ranges::find(shown, 40U));
    write_video("edited.y4m", shown, true);
    write_video("late.y4m", numbers(3, kFrames), true);
    const auto report = [&](const std::string &dis, const char *how) {
        std::vector<std::string> arguments = pair_of("ref.y4m", dis, kPsnr);
        arguments.insert(arguments.end(), {"--align", how, "--html", "report.html"});
        EXPECT_EQ(run(arguments).exit_code, 0);
        return read("report.html");
    };
    const std::string frames = report("edited.y4m", "frames"), check = report("edited.y4m", "check");
    for (const std::string &html : {frames, check}) {
        EXPECT_NE(html.find("dropped before frame 36: 4 frames early, then 5 frames early"), std::string::npos);
    }
    // Both runs compare 75 frames. Only --align frames looks at reference frames beyond those.
    EXPECT_NE(check.find("<th scope=\"row\">36 to 69</th><td>5 frames early</td>"), std::string::npos);
    EXPECT_NE(frames.find("<th scope=\"row\">36 to 74</th><td>5 frames early</td>"), std::string::npos);
    EXPECT_NE(frames.find("Each frame was compared with the reference frame that it shows."), std::string::npos);
    EXPECT_NE(check.find("Frames were compared by number."), std::string::npos);
    EXPECT_NE(report("late.y4m", "offset").find("The lag was applied to all frames."), std::string::npos);
    for (const char *how : {"frames", "offset", "check"})
        EXPECT_EQ(report("dis.y4m", how).find("id=\"lag\""), std::string::npos) << how;
}

TEST_F(Align, CheckWarnsAndChangesNothing)
{
    write_video("late.y4m", numbers(2, kFrames), true);
    const auto checked = [&](const std::string &dis, const char *how) {
        std::vector<std::string> arguments = pair_of("ref.y4m", dis, kPsnr);
        arguments.insert(arguments.end(), {"--align", how, "--csv", "-o", how});
        return run(arguments);
    };
    EXPECT_EQ(checked("late.y4m", "off").err.find("--align"), std::string::npos);
    const ToolResult result = checked("late.y4m", "check");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.err.find("warning: late.y4m is 2 frames early"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("--align offset"), std::string::npos) << result.err;
    EXPECT_EQ(read("check"), read("off"));
    EXPECT_EQ(checked("dis.y4m", "check").err.find("--align"), std::string::npos);
    std::vector<std::string> strict = pair_of("ref.y4m", "late.y4m", {"--strict"});
    EXPECT_EQ(run(strict).exit_code, 234);
    strict.insert(strict.end(), {"--align", "off"});
    EXPECT_NE(run(strict).err.find("vmaf_v0.6.1: "), std::string::npos);
}

TEST_F(Align, RefusesRatherThanGuesses)
{
    write_video("still.y4m", std::vector<unsigned>(kFrames, 7), true);
    write_video("ref_still.y4m", std::vector<unsigned>(kFrames, 7), false);
    for (const char *how : {"offset", "frames"}) {
        std::vector<std::string> arguments = pair_of("ref_still.y4m", "still.y4m", kPsnr);
        arguments.insert(arguments.end(), {"--align", how});
        const Json refused = scores(arguments);
        EXPECT_EQ(refused["frames"].size(), kFrames);
        EXPECT_EQ(refused["comparison"]["time"]["offset"], nullptr);
        arguments.push_back("--strict");
        const ToolResult strict = run(arguments);
        EXPECT_EQ(strict.exit_code, 255) << strict.err;
        EXPECT_NE(strict.err.find("frames are compared by number, unless --offset N says more"), std::string::npos)
            << strict.err;
    }
}

TEST_F(Align, CheckOfPicturesThatRepeatThemselvesIsALateErrorIfStrict)
{
    std::vector<unsigned> loop, late(3, 40);
    for (unsigned i = 0; i < kFrames; ++i)
        loop.push_back(i % 12);
    late.insert(late.end(), loop.begin(), loop.end() - 3);
    write_video("ref_loop.y4m", loop, false);
    write_video("late_loop.y4m", late, true);
    std::vector<std::string> arguments = pair_of("ref_loop.y4m", "late_loop.y4m", kPsnr);
    arguments.insert(arguments.end(), {"--json", "-o", "x.json"});
    const ToolResult warned = run(arguments);
    EXPECT_EQ(warned.exit_code, 0);
    EXPECT_NE(warned.err.find("warning: several lags between"), std::string::npos) << warned.err;
    arguments.push_back("--strict");
    const ToolResult strict = run(arguments);
    EXPECT_EQ(strict.exit_code, 234);
    EXPECT_NE(strict.err.find("several lags between"), std::string::npos) << strict.err;
    EXPECT_EQ(Json::parse(read("x.json.partial"))["frames"].size(), kFrames);
}

TEST_F(Align, FramesOfASampleHaveTheScoresOfAllPairs)
{
    std::vector<unsigned> shown = numbers(0, kFrames);
    shown.insert(shown.begin() + 50, {49, 49});
    shown.erase(shown.begin() + 20, shown.begin() + 23);
    write_video("edited.y4m", shown, true);
    std::vector<std::string> arguments = pair_of("ref.y4m", "edited.y4m", kPsnr);
    arguments.insert(arguments.end(), {"--align", "frames"});
    const Json file = scores(arguments);
    std::map<unsigned, Json> all;
    for (const Json &frame : file.at("frames"))
        all[frame.at("frameNum")] = frame;
    ASSERT_EQ(all.at(48).at("ref_frame"), 49);
    for (const char *share : {"50%", "99%"}) {
        arguments.insert(arguments.end(), {"--sample", share});
        const Json sample = scores(arguments);
        arguments.resize(arguments.size() - 2);
        EXPECT_EQ(sample.at("sample").at("of"), all.size());
        EXPECT_GE(sample.at("frames").size(), kFrames / 2 - 2);
        for (const Json &frame : sample.at("frames"))
            EXPECT_EQ(frame, all.at(frame.at("frameNum")));
    }
}

TEST_F(Align, OffsetNamesTheCureOfFramesThatAreMissing)
{
    std::vector<unsigned> shown = numbers(0, kFrames);
    shown.erase(std::ranges::find(shown, 26U));
    shown.erase(std::ranges::find(shown, 53U));
    write_video("edited.y4m", shown, true);
    std::vector<std::string> arguments = pair_of("ref.y4m", "edited.y4m", kPsnr);
    arguments.insert(arguments.end(), {"--align", "offset", "--strict"});
    const ToolResult refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 255);
    EXPECT_NE(refused.err.find("edited.y4m lacks 2 frames of ref.y4m (the first is 26), so no lag fits all frames, and "
                               "they are compared by number: --align frames"),
              std::string::npos)
        << refused.err;
}

TEST_F(Align, NotesVideosThatAreIdenticalOnceTheyAreAligned)
{
    write_video("late.y4m", numbers(3, kFrames), false);
    const auto said = [&](const std::string &dis, const char *how) {
        std::vector<std::string> arguments = pair_of("ref.y4m", dis, kPsnr);
        arguments.insert(arguments.end(), {"--align", how, "--strict"});
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.err;
    };
    for (const char *how : {"offset", "frames"}) {
        EXPECT_NE(said("late.y4m", how).find("identical videos? late.y4m looks like ref.y4m"), std::string::npos);
        EXPECT_EQ(said("dis.y4m", how).find("identical"), std::string::npos) << how;
    }
}

TEST_F(Align, ShortPipesAreDecodedOnce)
{
    std::vector<unsigned> shown = numbers(2, kFrames);
    shown.erase(std::ranges::find(shown, 40U));
    write_video("edited.y4m", shown, true);
    const Json file = aligned("edited.y4m", "frames");
    const auto quoted = [](const std::string &word) { return "'" + word + "'"; };
    const std::string command =
        "cat edited.y4m | " + quoted(std::getenv("VMAF_TOOL")) +
        " -r ref.y4m -d - -n --feature psnr,motion --align frames --gpu none --json -o piped.json";
    const std::string said = printed_by(directory(), {"sh", "-c", command});
    ASSERT_TRUE(std::filesystem::exists(path("piped.json"))) << said;
    EXPECT_EQ(Json::parse(read("piped.json")).at("frames"), file.at("frames"));
}

TEST_F(Align, IsNotAskedForBesideAnOffset)
{
    for (const char *how : {"offset", "frames"})
        EXPECT_EQ(run(pair_of("ref.y4m", "dis.y4m", {"--align", how, "--offset", "1"})).exit_code, 1);
    for (const char *how : {"off", "check"})
        EXPECT_EQ(run(pair_of("ref.y4m", "dis.y4m", {"--align", how, "--offset", "1"})).exit_code, 0);
}

} // namespace
} // namespace vmaf::test
