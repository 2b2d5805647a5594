#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "../tool_test.h"
#include "feature/stored_rgb.h"
#include "ffmpeg.h"

/// Features of colour follow the tags of files (spec comparison 3). The pictures are computed here
/// from RGB.
namespace vmaf::test {
namespace {

constexpr unsigned kWidth = 160, kHeight = 144;

/// A way to store a picture, and ffmpeg's options for it.
struct Tagged {
    Storage storage;
    std::string pixel_format;
    std::string tags;
    std::string container = "mkv";
    std::string encoder = "-strict -1 -c:v ffv1";
};

class ColourRuns : public ::testing::Test {
  protected:
    template <class Encoded> void make(const std::string &name, const Tagged &as, const Encoded &encoded) const
    {
        for (unsigned picture = 0; picture < 2; ++picture) {
            std::string planes[3], raw;
            for (unsigned y = 0; y < kHeight; ++y)
                for (unsigned x = 0; x < kWidth; ++x) {
                    const auto samples = as.storage.samples(encoded(picture, x, y));
                    for (unsigned plane = 0; plane < 3; ++plane) {
                        planes[plane] += static_cast<char>(samples[plane] & 255);
                        if (as.storage.bpc > 8)
                            planes[plane] += static_cast<char>(samples[plane] >> 8);
                    }
                }
            for (const std::string &plane : planes)
                raw += plane;
            studio_.write("raw" + std::to_string(picture) + ".yuv", raw);
        }
        std::string inputs, outputs; // one call for both
        for (unsigned picture = 0; picture < 2; ++picture) {
            const std::string number = std::to_string(picture);
            inputs += "-f rawvideo -s 160x144 -r 25 -pix_fmt " + as.pixel_format + " " + as.tags + " -i raw" + number +
                      ".yuv ";
            outputs += "-map " + number + " " + as.encoder + " -pix_fmt " + as.pixel_format + " " + as.tags + " " +
                       file(name, as, picture) + " ";
        }
        studio_.ffmpeg(inputs + outputs);
    }

    static std::string file(const std::string &name, const Tagged &as, unsigned picture)
    {
        return name + (picture == 0 ? "_r." : "_d.") + as.container;
    }

    struct Scores {
        double ssimulacra2, butteraugli, cvvdp;
        std::string err;
    };

    Scores scores(const std::string &ref, const std::string &dis, const std::string &options = "") const
    {
        std::vector<std::string> arguments{"-r", ref, "-d", dis, "-n", "--json", "-o", "s.json"};
        for (const char *feature : {"ssimulacra2", "butteraugli", "cvvdp"})
            arguments.insert(arguments.end(), {"--feature", feature + options});
        const ToolResult result = run_tool(studio_.directory(), arguments, {});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        if (result.exit_code != 0)
            return {};
        const auto metrics = nlohmann::json::parse(studio_.read("s.json"))["frames"][0]["metrics"];
        return {metrics["ssimulacra2"], metrics["butteraugli_3norm"], metrics["cvvdp_frame"], result.err};
    }

    Scores scores_of(const std::string &name, const Tagged &as) const
    {
        return scores(file(name, as, 0), file(name, as, 1));
    }

    Studio studio_;
};

std::string pixel_format(unsigned bpc)
{
    return bpc == 8 ? "yuv444p" : "yuv444p" + std::to_string(bpc) + "le";
}

TEST_F(ColourRuns, OnePairOfPicturesScoresAlikeHoweverItIsStored)
{
    VMAF_NEED_FFMPEG();
    const std::array<const char *, 6> matrices{"bt709 -color_range tv",    "smpte170m -color_range tv",
                                               "bt709 -color_range pc",    "bt470bg -color_range pc",
                                               "bt2020nc -color_range tv", "bt2020nc -color_range pc"};
    std::vector<Scores> all;
    for (const unsigned bpc : {8U, 10U})
        for (int matrix = 0; matrix < 6; ++matrix)
            for (const auto &[container, encoder] :
                 {std::pair{"mkv", "-strict -1 -c:v ffv1"}, {"mp4", "-c:v libx264 -qp 0"}}) {
                if (container == std::string("mp4") && (bpc != 8 || (matrix != 1 && matrix != 5)))
                    continue;
                const Tagged as{{matrix, bpc},
                                pixel_format(bpc),
                                std::string("-colorspace ") + matrices[static_cast<std::size_t>(matrix)],
                                container,
                                encoder};
                make("v", as, smooth_colour);
                all.push_back(scores_of("v", as));
                EXPECT_NEAR(all.back().ssimulacra2, all.front().ssimulacra2, 1) << as.tags << " " << bpc;
                EXPECT_NEAR(all.back().butteraugli, all.front().butteraugli, 0.06 * all.front().butteraugli);
                EXPECT_NEAR(all.back().cvvdp, all.front().cvvdp, 0.05) << as.tags << " " << bpc;
            }
    EXPECT_LT(all.front().ssimulacra2, 80);
    EXPECT_EQ(all.front().err.find("ssimulacra2"), std::string::npos) << "the default needs no line";
    EXPECT_NE(all.back().err.find("the reference's colour: --feature ssimulacra2=yuv_matrix=5"), std::string::npos)
        << all.back().err;
}

TEST_F(ColourRuns, HdrAndWideGamutScoreAsTheSamePicturesInSdr)
{
    VMAF_NEED_FFMPEG();
    const Tagged sdr{{2, 12}, "yuv444p12le", "-colorspace bt709 -color_range pc"};
    make("sdr", sdr, smooth_colour);
    const Scores expected = scores_of("sdr", sdr);
    for (const auto &[transfer, tags] : {std::pair{"pq", " -color_trc smpte2084 -color_primaries bt2020"},
                                         {"hlg", " -color_trc arib-std-b67 -color_primaries bt2020"},
                                         {"srgb", " -color_trc bt709 -color_primaries bt2020"},
                                         {"srgb", " -color_trc iec61966-2-1 -color_primaries smpte432"}})
        for (const OtherEncoding &encoding : kOtherEncodings) {
            const bool is_p3 = std::string(tags).find("432") != std::string::npos;
            if (std::string(encoding.transfer) != transfer ||
                std::string(encoding.primaries) != (is_p3 ? "p3" : "bt2020"))
                continue;
            const Tagged as{{5, 12}, "yuv444p12le", "-colorspace bt2020nc -color_range pc" + std::string(tags)};
            make("hdr", as, encoding);
            const Scores actual = scores_of("hdr", as);
            EXPECT_NEAR(actual.ssimulacra2, expected.ssimulacra2, 0.2) << tags;
            EXPECT_NEAR(actual.butteraugli, expected.butteraugli, 0.01 * expected.butteraugli) << tags;
        }
}

TEST_F(ColourRuns, DisplaysFollowTheReference)
{
    VMAF_NEED_FFMPEG();
    const auto expect_display = [&](const std::string &tags, const std::string &options, int matrix) {
        const Tagged as{{matrix, 10}, "yuv444p10le", tags};
        make("v", as, smooth_colour);
        const std::string ref = file("v", as, 0), dis = file("v", as, 1);
        const auto run = [&](const std::string &cvvdp) {
            const ToolResult result = run_tool(
                studio_.directory(), {"-r", ref, "-d", dis, "-n", "--feature", cvvdp, "--json", "-o", "s.json"}, {});
            EXPECT_EQ(result.exit_code, 0) << result.err;
            return nlohmann::json::parse(studio_.read("s.json"))["frames"][0]["metrics"]["cvvdp_frame"];
        };
        EXPECT_EQ(run("cvvdp"), run("cvvdp=" + options)) << tags;
    };
    const std::string neutral = ":transfer=srgb:primaries=bt709";
    expect_display("-colorspace bt709 -color_range tv", "display=standard_fhd:yuv_matrix=0" + neutral, 0);
    expect_display("-colorspace bt2020nc -color_trc smpte2084 -color_range tv",
                   "display=standard_hdr_pq:yuv_matrix=4:transfer=pq:primaries=bt2020", 4);
    expect_display("-colorspace bt2020nc -color_trc arib-std-b67 -color_range tv",
                   "display=standard_hdr_hlg:yuv_matrix=4:transfer=hlg:primaries=bt2020", 4);
    expect_display("-color_range tv", "display=standard_4k:yuv_matrix=0" + neutral, 0);
}

TEST_F(ColourRuns, JpegIsBt601FullRange)
{
    VMAF_NEED_FFMPEG();
    const Tagged source{{3, 8}, "yuvj444p", "-colorspace bt470bg -color_range pc"};
    make("s", source, smooth_colour);
    for (unsigned picture = 0; picture < 2; ++picture) {
        const std::string name = picture == 0 ? "r" : "d";
        studio_.ffmpeg("-i " + file("s", source, picture) + " -q:v 2 -frames:v 1 " + name + ".jpg");
        studio_.ffmpeg("-i " + name + ".jpg -pix_fmt yuvj444p -f rawvideo " + name + ".yuv");
    }
    const Scores jpeg = scores("r.jpg", "d.jpg");
    std::vector<std::string> raw{"-r",     "r.yuv", "-d",      "d.yuv",     "-w",
                                 "160",    "-h",    "144",     "-p",        "444",
                                 "-b",     "8",     "-n",      "--feature", "ssimulacra2=yuv_matrix=3",
                                 "--json", "-o",    "raw.json"};
    const ToolResult result = run_tool(studio_.directory(), raw, {});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(jpeg.ssimulacra2, nlohmann::json::parse(studio_.read("raw.json"))["frames"][0]["metrics"]["ssimulacra2"]);
}

TEST_F(ColourRuns, WhatAFeatureDoesNotKnowIsAWarning)
{
    VMAF_NEED_FFMPEG();
    const Tagged as{{0, 8}, "yuv444p", "-colorspace fcc -color_range tv"};
    make("v", as, smooth_colour);
    const std::vector<std::string> arguments{"-r", "v_r.mkv", "-d", "v_d.mkv", "-n", "--feature", "ssimulacra2"};
    const ToolResult result = run_tool(studio_.directory(), arguments, {});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string doubt = "ssimulacra2 does not know the reference's matrix fcc: --feature ssimulacra2=yuv_matrix=";
    EXPECT_NE(result.err.find("warning: " + doubt), std::string::npos) << result.err;
    std::vector<std::string> strict = arguments;
    strict.push_back("--strict");
    EXPECT_EQ(run_tool(studio_.directory(), strict, {}).exit_code, 255);
    strict[6] = "ssimulacra2=yuv_matrix=1";
    EXPECT_EQ(run_tool(studio_.directory(), strict, {}).exit_code, 0) << "the cure";
}

} // namespace
} // namespace vmaf::test
