#include <gtest/gtest.h>

#include <algorithm>

#include "comparison/made_for.h"
#include "comparison/plan.h"
#include "library/lists.h"

/// Decisions about HDR (spec comparison 4).
namespace vmaf::test {
namespace {

using tool::Decision;
using tool::made_for_sdr;
using tool::Severity;
using tool::Side;
using tool::VideoDescription;
using tool::VideoTags;
using Kind = tool::Decision::Kind;

constexpr int kSdr = 1, kUnspecified = 2, kPq = 16, kHlg = 18;
constexpr int kTransfers[] = {kSdr, 4, 6, 8, 13, 14, 15, kPq, kHlg};

enum class From { media, y4m };

VideoDescription video(const char *name, int transfer, From from = From::media)
{
    VideoDescription video;
    video.name = name;
    video.form.format = {64, 48, VMAF_PIX_FMT_YUV420P, 10};
    video.tags.is_media = from == From::media;
    if (transfer == kPq || transfer == kHlg)
        video.tags.colour = {9, 9, transfer};
    else if (transfer != kUnspecified)
        video.tags.colour = {1, 1, transfer};
    video.form.matrix = video.tags.colour.matrix;
    return video;
}

/// Matrices are converted as for SDR.
std::vector<Decision> of_colours(const VideoDescription &ref, const VideoDescription &dis)
{
    std::vector<Decision> decisions = tool::plan_comparison(ref, dis, {}).decisions;
    std::erase_if(decisions, [](const Decision &decision) { return decision.kind == Kind::matrix; });
    return decisions;
}

TEST(DynamicRange, OneVideoThatIsHdrAloneIsWarnedOfInOneLine)
{
    for (const int hdr : {kPq, kHlg})
        for (const int other : kTransfers) {
            if (other == kPq || other == kHlg)
                continue;
            const std::string transfer = hdr == kPq ? "smpte2084" : "arib-std-b67";
            EXPECT_EQ(of_colours(video("a.mp4", hdr), video("b.mp4", other)),
                      (std::vector<Decision>{
                          {Kind::dynamic_range, Side::distorted, Severity::warning,
                           "the score means nothing: one video is HDR (a.mp4 is " + transfer + ", b.mp4 is not)"}}));
            EXPECT_EQ(of_colours(video("a.mp4", other), video("b.mp4", hdr)),
                      (std::vector<Decision>{
                          {Kind::dynamic_range, Side::reference, Severity::warning,
                           "the score means nothing: one video is HDR (b.mp4 is " + transfer + ", a.mp4 is not)"}}));
        }
}

TEST(DynamicRange, AMediaFileWithoutTagsIsNoHdr)
{
    const auto decisions = of_colours(video("a.mp4", kPq), video("b.mp4", kUnspecified));
    ASSERT_EQ(decisions.size(), 1U);
    EXPECT_EQ(decisions[0].severity, Severity::warning);
}

TEST(DynamicRange, Y4mHasNoTagsAndIsTakenForWhatTheOtherIs)
{
    EXPECT_EQ(of_colours(video("a.y4m", kUnspecified, From::y4m), video("b.mp4", kHlg)),
              (std::vector<Decision>{{Kind::dynamic_range, Side::reference, Severity::note,
                                      "a.y4m says nothing of its transfer function: it is taken for HDR "
                                      "(arib-std-b67), as b.mp4"}}));
    EXPECT_TRUE(of_colours(video("a.y4m", kUnspecified, From::y4m), video("b.mp4", kSdr)).empty());
}

TEST(DynamicRange, VideosOfOneKindAreNotWarnedOf)
{
    EXPECT_TRUE(of_colours(video("a.mp4", kPq), video("b.mp4", kPq)).empty());
    EXPECT_TRUE(of_colours(video("a.mp4", kHlg), video("b.mp4", kHlg)).empty());
    const auto pq_and_hlg = of_colours(video("a.mp4", kPq), video("b.mp4", kHlg));
    ASSERT_EQ(pq_and_hlg.size(), 1U);
    EXPECT_EQ(pq_and_hlg[0].kind, Kind::transfer);
}

std::optional<Decision> said_of(std::pair<int, int> transfers, const std::vector<std::string> &models,
                                const std::vector<std::string> &features, From from = From::media)
{
    return made_for_sdr(video("", transfers.first, from).tags, video("", transfers.second, from).tags, models,
                        features);
}

std::string line_of(const std::optional<Decision> &decision)
{
    return decision ? decision->text : "nothing";
}

TEST(DynamicRange, EveryModelIsMadeForSdr)
{
    for (const VmafModelInfo *model : tool::library_models())
        EXPECT_EQ(said_of({kPq, kPq}, {model->version}, {}),
                  (Decision{Kind::dynamic_range, Side::both, Severity::note,
                            std::string(model->version) + ": made for SDR; for HDR use cvvdp"}));
    EXPECT_EQ(line_of(said_of({kHlg, kHlg}, {"auto"}, {})), "vmaf_v0.6.1: made for SDR; for HDR use cvvdp");
    EXPECT_FALSE(said_of({kPq, kPq}, {""}, {})) << "a model's file";
}

TEST(DynamicRange, FeaturesOfSdrAreNamedOnceInOneLine)
{
    EXPECT_EQ(line_of(said_of({kPq, kPq}, {"vmaf_v0.6.1"},
                              {"float_ssim", "psnr", "psnr_hvs", "cvvdp", "psnr_hvs_cuda", "float_ms_ssim",
                               "delta_e_itp", "pu21_psnr", "pu21_ssim"})),
              "vmaf_v0.6.1, float_ssim, psnr_hvs, float_ms_ssim: made for SDR; for HDR use cvvdp");
    EXPECT_FALSE(said_of({kPq, kPq}, {}, {"cvvdp", "psnr", "unknown"}));
}

TEST(DynamicRange, NothingIsSaidOfModelsUnlessBothVideosAreHdr)
{
    const std::vector<std::string> models{"vmaf_v0.6.1"};
    EXPECT_FALSE(said_of({kSdr, kSdr}, models, {}));
    EXPECT_FALSE(said_of({kPq, kSdr}, models, {}));
    EXPECT_FALSE(said_of({kSdr, kHlg}, models, {}));
    EXPECT_FALSE(said_of({kUnspecified, kUnspecified}, models, {}));
    EXPECT_FALSE(said_of({kUnspecified, kPq}, models, {}));
    EXPECT_TRUE(said_of({kUnspecified, kPq}, models, {}, From::y4m));
    EXPECT_TRUE(said_of({kPq, kUnspecified}, models, {}, From::y4m));
}

} // namespace
} // namespace vmaf::test
