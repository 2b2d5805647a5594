#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>

#include "report/html_report.h"

/// Writes a report of made-up scores, for tests that open it in a browser: sample_report
/// single|ladder|codecs|long|odd|banding|lag FILE.
namespace {

using namespace vmaf::tool;

/// One red pixel.
constexpr unsigned char kPng[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                                  0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
                                  0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
                                  0xda, 0x63, 0x38, 0xa1, 0xa1, 0x01, 0x00, 0x02, 0xd4, 0x01, 0x19, 0x3b, 0xad, 0x5c,
                                  0x08, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/// A number from 0 to 1, the same in every run.
double noise(std::uint32_t i)
{
    std::uint32_t x = i * 2654435761U + 12345U;
    x ^= x >> 15;
    x *= 2246822519U;
    x ^= x >> 13;
    return static_cast<double>(x) / 4294967296.0;
}

ReportVideo video(const std::string &path, std::optional<double> rate)
{
    ReportVideo result;
    result.path = path;
    result.format = {1920, 1080, VMAF_PIX_FMT_YUV420P, 8};
    result.frames_per_second = rate;
    return result;
}

/// Scores of scenes with different difficulty. All scores are lowest at frame `dip`.
ReportEncode encode(const std::string &path, unsigned frames, double quality, unsigned dip)
{
    ReportEncode result;
    result.video = video(path, 25);
    result.scored = result.video.format;
    const std::array<std::pair<const char *, double>, 4> metrics{
        {{"vmaf", 1}, {"vmaf_neg", 0.97}, {"psnr_y", 0.45}, {"psnr_cb", 0.5}}};
    for (const auto &[name, factor] : metrics)
        result.scores.metrics.push_back({name, {}});
    for (unsigned frame = 0; frame < frames; ++frame) {
        result.scores.frames.push_back(frame);
        const unsigned scene = frame / 150;
        const double difficulty = 14 * noise(scene + 7);
        double score = quality - difficulty * (1.2 - quality / 100) - 2.5 * noise(frame) + 1.5 * std::sin(frame / 9.0);
        if (frame == dip)
            score -= 25;
        for (std::size_t i = 0; i < metrics.size(); ++i)
            result.scores.metrics[i].scores.push_back(
                std::min(100.0, score * metrics[i].second + noise(frame + 77 * static_cast<unsigned>(i))));
    }
    return result;
}

ReportData report()
{
    ReportData data;
    data.version = "3.2.0";
    data.device = "CPU";
    data.date = "2026-01-02 03:04 UTC";
    data.wall_seconds = 2;
    data.reference = video("source/ref.mp4", 25);
    data.models = {{"vmaf", "vmaf_v0.6.1"}, {"vmaf_neg", "vmaf_v0.6.1neg"}};
    data.features = {"psnr_y", "psnr_cb"};
    data.main_metric = "vmaf";
    return data;
}

ReportData ladder()
{
    ReportData data = report();
    const std::pair<const char *, double> rungs[] = {{"240p_300k.mp4", 0.3e6},   {"360p_700k.mp4", 0.7e6},
                                                     {"480p_1200k.mp4", 1.2e6},  {"720p_2500k.mp4", 2.5e6},
                                                     {"1080p_4500k.mp4", 4.5e6}, {"1080p_8000k.mp4", 8e6}};
    for (const auto &[name, rate] : rungs) {
        ReportEncode &made = data.encodes.emplace_back(encode(name, 900, 100 - 46 / std::sqrt(rate / 1e5), 333));
        made.video.bits_per_second = rate;
        made.video.encoded_bytes = static_cast<std::uint64_t>(rate / 8 * 36);
        made.no_pictures = "There are no pictures: made-up scores have none.";
    }
    return data;
}

/// Frames with a key frame every two seconds. Every third key frame begins a scene.
void add_stream(ReportEncode &encode)
{
    ScoreColumn motion{"VMAF_integer_feature_motion_sad_score", {}, VMAF_DIRECTION_NONE};
    for (const unsigned frame : encode.scores.frames) {
        const char type = frame % 50 == 0 ? 'K' : frame % 3 == 0 ? 'P' : 'B';
        const double bytes = *encode.video.bits_per_second / 200 * (type == 'K' ? 8 : type == 'P' ? 1.5 : 0.5);
        encode.coded.push_back({static_cast<std::uint64_t>(bytes * (0.5 + noise(frame))), type});
        motion.scores.push_back(frame > 0 && frame % 150 == 0 ? 40 : 1 + noise(frame));
    }
    encode.scores.metrics.push_back(motion);
}

/// Two codecs in two sizes. One needs two thirds of the other's bitrate.
ReportData codecs()
{
    ReportData data = ladder();
    const std::vector<ReportEncode> rungs = data.encodes;
    for (ReportEncode made : rungs) {
        made.video.path = "hevc_" + made.video.path;
        made.video.codec = "hevc";
        *made.video.bits_per_second *= 2. / 3;
        data.encodes.push_back(std::move(made));
    }
    for (std::size_t i = 0; i < rungs.size(); ++i)
        data.encodes[i].video.codec = "h264";
    for (ReportEncode &made : data.encodes)
        if (*made.video.bits_per_second < 1e6)
            made.video.format = {640, 360, VMAF_PIX_FMT_YUV420P, 8};
    for (ReportEncode &made : data.encodes)
        add_stream(made);
    data.encodes[1].lag = ReportLag{{{2, 899, 2}}, {}, {}, true};
    return data;
}

/// Banding scores: the highest are the worst, and frame 333 is the worst of all. All pictures but
/// one are equal, so scores are infinite.
ReportData banding()
{
    ReportData data = report();
    data.models.clear();
    data.features = {"cambi", "xpsnr_y"};
    data.main_metric = "cambi";
    ReportEncode &made = data.encodes.emplace_back(encode("encodes/dis.mp4", 900, 88, 333));
    ScoreColumn cambi{"cambi", made.scores.metrics[0].scores, VMAF_DIRECTION_LOWER};
    for (double &score : cambi.scores)
        score = (100 - score) / 5;
    ScoreColumn xpsnr{"xpsnr_y", std::vector<double>(900, std::numeric_limits<double>::infinity())};
    xpsnr.scores[450] = 11.5;
    made.scores.metrics = {cambi, xpsnr};
    made.scores.aggregates = {{"axpsnr_y", 41.0424}};
    const std::string png(reinterpret_cast<const char *>(kPng), sizeof kPng);
    made.pictures = {{333, {}, png, png, png, png}};
    return data;
}

/// Names that look like markup, missing scores, a run that stopped early, and no frame rate.
ReportData odd()
{
    ReportData data = report();
    data.reference = video("<img src=x onerror=alert(1)>\"'&.y4m", std::nullopt);
    ReportEncode &made = data.encodes.emplace_back(encode("</script><script>window.broken=1</script>", 90, 80, 45));
    made.video.frames_per_second.reset();
    made.incomplete = Incomplete{StopReason::interrupted, 90};
    made.scores.metrics[0].scores[10] = std::numeric_limits<double>::quiet_NaN();
    made.scores.metrics.push_back({"flat", std::vector<double>(90, 1.0)});
    made.scores.metrics.push_back({"none", std::vector<double>(90, std::numeric_limits<double>::quiet_NaN())});
    data.warnings = {"<b>bold</b> & \"quoted\""};
    return data;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string_view kind = argc == 3 ? argv[1] : "";
    ReportData data = kind == "ladder"    ? ladder()
                      : kind == "codecs"  ? codecs()
                      : kind == "odd"     ? odd()
                      : kind == "banding" ? banding()
                                          : report();
    if (kind == "single")
        data.encodes = {encode("encodes/dis.mp4", 900, 88, 333)};
    if (kind == "single") {
        const std::string png(reinterpret_cast<const char *>(kPng), sizeof kPng);
        data.encodes[0].pictures = {{333, {0, 0, 640, 360}, png, png, png, png, {{"psnr", png}, {"vif", png}}},
                                    {154, {640, 360, 640, 360}, png, png, png, png}};
    }
    if (kind == "lag") {
        data.encodes = {encode("edited.mp4", 900, 88, 333)};
        data.encodes[0].lag =
            ReportLag{{{0, 84, -17}, {85, 299, -18}, {300, 300, -17}, {301, 640, -16}, {645, 899, -19}},
                      {102, 658, 659, 660},
                      {300, 301},
                      true};
    }
    if (kind == "long")
        data.encodes = {encode("long.mp4", 1'000'000, 88, 654'321)};
    if (data.encodes.empty()) {
        std::cerr << "usage: sample_report single|ladder|codecs|long|odd|banding|lag FILE\n";
        return EXIT_FAILURE;
    }
    std::ofstream file(argv[2], std::ios::binary);
    file << html_report(data) << std::flush;
    return file ? EXIT_SUCCESS : EXIT_FAILURE;
}
