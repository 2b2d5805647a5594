// Whole sessions, with the check values of spec abi 9 and the call order of known clients (spec abi
// 8).

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client.h"
#include "support/same_scores.h"

namespace vmaf::test {
namespace {

constexpr double kVmaf[] = {80.08902931693261, 91.20481434228121, 91.441237660955039, 90.45852740837725,
                            91.380311506591724};

double pooled(VmafContext *vmaf, VmafModel *model, VmafPoolingMethod method)
{
    double score = 0;
    EXPECT_EQ(vmaf_score_pooled(vmaf, model, method, &score, 0, 4), 0);
    return score;
}

TEST(EndToEnd, VmafOfEveryFrameAndPooled)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        BuiltinModel model("vmaf_v0.6.1");
        ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
        read_clip(vmaf, small_clip(), 5);
        ASSERT_EQ(flush(vmaf), 0);
        for (unsigned i = 0; i < 5; ++i) {
            double score = 0;
            EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, i), 0);
            EXPECT_EQ(score, kVmaf[i]) << i;
        }
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MIN), 80.08902931693261);
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MAX), 91.441237660955039);
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MEAN), 88.914784047027567);
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_HARMONIC_MEAN), 88.679723763010443);
    }
}

TEST(EndToEnd, VmafOfEverySecondFrame)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads, 2);
        BuiltinModel model("vmaf_v0.6.1");
        ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
        read_clip(vmaf, small_clip(), 5);
        ASSERT_EQ(flush(vmaf), 0);
        for (unsigned i = 0; i < 5; ++i) {
            double score = 0;
            EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, i), i % 2 == 0 ? 0 : -EINVAL) << i;
            if (i % 2 == 0) {
                EXPECT_EQ(score, kVmaf[i]) << i;
            }
        }
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MIN), 80.08902931693261);
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MAX), 91.441237660955039);
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MEAN), 87.636859494826467);
        EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_HARMONIC_MEAN), 87.301196042129718);
    }
}

TEST(EndToEnd, PoolingAloneScoresTheFrames)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
    read_clip(vmaf, small_clip(), 5);
    ASSERT_EQ(flush(vmaf), 0);
    EXPECT_EQ(csv_columns(vmaf).back(), "integer_motion3") << "vmaf is in outputs only once asked for";
    EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MEAN), 88.914784047027567);
    EXPECT_EQ(csv_columns(vmaf).back(), "vmaf");
    EXPECT_EQ(score_of(vmaf, "vmaf", 4), kVmaf[4]);
}

TEST(EndToEnd, ScoresComeOneFrameBehindTheReads)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        BuiltinModel model("vmaf_v0.6.1");
        ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
        double score = 0;
        EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 0u - 1), -EINVAL) << "GStreamer's first question";
        for (unsigned i = 0; i < 5; ++i) {
            ASSERT_EQ(read_frame(vmaf, small_clip(), i, i), 0);
            EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, i), -EINVAL) << i;
            if (i == 0)
                continue;
            EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, i - 1), 0) << i;
            EXPECT_EQ(score, kVmaf[i - 1]) << i;
        }
        ASSERT_EQ(flush(vmaf), 0);
        EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 4), 0);
        EXPECT_EQ(score, kVmaf[4]);
    }
}

struct IntervalRow {
    double bagging, stddev, lo, hi;
};

constexpr IntervalRow kIntervals[] = {
    {77.975891920006745, 3.105527366963805, 72.590989059702935, 83.598634693917589},
    {88.706658373388237, 2.189590533788552, 84.25631549831472, 91.564801210244866},
    {88.933647528320549, 2.1725189468626036, 84.519290506957788, 91.769009357755465},
};

void expect_interval(const VmafModelCollectionScore &score, const IntervalRow &row)
{
    EXPECT_EQ(score.type, VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP);
    EXPECT_PRED2(is_the_score, score.bootstrap.bagging_score, row.bagging);
    EXPECT_PRED2(is_the_score, score.bootstrap.stddev, row.stddev);
    EXPECT_PRED2(is_the_score, score.bootstrap.ci.p95.lo, row.lo);
    EXPECT_PRED2(is_the_score, score.bootstrap.ci.p95.hi, row.hi);
}

std::vector<std::string> collection_columns(const std::string &name)
{
    std::vector<std::string> columns;
    for (int member = 1; member <= 20; ++member) {
        char suffix[16];
        std::snprintf(suffix, sizeof suffix, "_%04d", member);
        columns.push_back(name + suffix);
    }
    for (const char *suffix : {"_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"})
        columns.push_back(name + suffix);
    return columns;
}

TEST(EndToEnd, CollectionScoresWithTheirInterval)
{
    OpenContext vmaf;
    BuiltinCollection collection("vmaf_b_v0.6.3", "b");
    ASSERT_EQ(vmaf_use_features_from_model_collection(vmaf, collection), 0);
    read_clip(vmaf, small_clip(), 3);
    ASSERT_EQ(flush(vmaf), 0);
    const std::size_t feature_columns = csv_columns(vmaf).size();
    for (const char *round : {"first", "second"}) {
        SCOPED_TRACE(round);
        for (unsigned i = 0; i < 3; ++i) {
            VmafModelCollectionScore score{};
            ASSERT_EQ(vmaf_score_at_index_model_collection(vmaf, collection, &score, i), 0);
            expect_interval(score, kIntervals[i]);
        }
    }
    const std::vector<std::string> columns = csv_columns(vmaf);
    ASSERT_GE(columns.size(), feature_columns);
    EXPECT_EQ(std::vector<std::string>(columns.begin() + static_cast<std::ptrdiff_t>(feature_columns), columns.end()),
              collection_columns("b"));

    double main_score = 0;
    EXPECT_EQ(vmaf_score_at_index(vmaf, collection.main_model(), &main_score, 0), 0);
    EXPECT_EQ(score_of(vmaf, "b", 0), main_score);
}

TEST(EndToEnd, CollectionPoolsItsFourNumbers)
{
    OpenContext vmaf;
    BuiltinCollection collection("vmaf_b_v0.6.3");
    ASSERT_EQ(vmaf_use_features_from_model_collection(vmaf, collection), 0);
    read_clip(vmaf, small_clip(), 3);
    ASSERT_EQ(flush(vmaf), 0);
    for (const char *round : {"first", "second"}) {
        SCOPED_TRACE(round);
        VmafModelCollectionScore score{};
        ASSERT_EQ(vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MIN, &score, 0, 2), 0);
        expect_interval(score, {77.975891920006745, 2.1725189468626036, 72.590989059702935, 83.598634693917589});
    }
    EXPECT_PRED2(is_the_score, score_of(vmaf, "vmaf_bagging", 1), kIntervals[1].bagging);
}

TEST(EndToEnd, SamplesOutsideThePictureDoNotCount)
{
    const Clip &clip = Clip::get("tiles_177x145_8");
    std::vector<std::string> outputs[2];
    for (const bool dirty : {false, true}) {
        OpenContext vmaf;
        BuiltinModel model("vmaf_v0.6.1");
        ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
        ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
        for (unsigned i = 0; i < 3; ++i) {
            VmafPicture pair[2] = {blank_picture(177, 145), blank_picture(177, 145)};
            for (const Side side : {Side::ref, Side::dis}) {
                const VmafPicture &pic = pair[side == Side::dis];
                for (int p = 0; p < 3; ++p)
                    std::memset(pic.data[p], dirty ? 0xa5 + 17 * static_cast<int>(side) : 0,
                                static_cast<std::size_t>(pic.stride[p]) * pic.h[p]);
                fill_picture(pic, clip, side, i);
            }
            ASSERT_EQ(read(vmaf, pair[0], pair[1], i), 0);
        }
        ASSERT_EQ(flush(vmaf), 0);
        outputs[dirty] = csv_lines(vmaf);
    }
    EXPECT_EQ(outputs[0], outputs[1]);
}

TEST(EndToEnd, FfmpegsCallSequence)
{
    VmafConfiguration cfg{};
    cfg.n_subsample = 1;
    cfg.n_threads = 2;
    VmafContext *vmaf = nullptr;
    VmafModel *model = nullptr;
    VmafModelConfig model_cfg{"vmaf", VMAF_MODEL_FLAGS_DEFAULT};
    ASSERT_EQ(vmaf_init(&vmaf, cfg), 0);
    ASSERT_EQ(vmaf_model_load(&model, &model_cfg, "vmaf_v0.6.1"), 0);
    ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
    ASSERT_EQ(vmaf_use_feature(vmaf, "psnr", nullptr), 0);
    for (unsigned i = 0; i < 5; ++i)
        ASSERT_EQ(read_frame(vmaf, small_clip(), i, i), 0);
    ASSERT_EQ(flush(vmaf), 0);
    EXPECT_EQ(pooled(vmaf, model, VMAF_POOL_METHOD_MEAN), 88.914784047027567);
    const std::string path = temp_path("scores.xml");
    EXPECT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_XML), 0);
    EXPECT_NE(file_text(path).find("psnr_y=\"32.889214\" psnr_cb=\"32.669121\""), std::string::npos);
    EXPECT_NE(file_text(path).find("vmaf=\"80.089029\" />"), std::string::npos) << file_text(path);
    std::remove(path.c_str());
    vmaf_model_destroy(model);
    EXPECT_EQ(vmaf_close(vmaf), 0);
}

TEST(EndToEnd, TheDocumentedExamplePrintsTheScore)
{
    const std::string ref = temp_path("ref.yuv"), dis = temp_path("dis.yuv"), out = temp_path("out.txt");
    for (const auto &[path, side] : {std::pair{ref, Side::ref}, {dis, Side::dis}}) {
        std::ofstream file(path, std::ios::binary);
        for (unsigned i = 0; i < 5; ++i) {
            const auto bytes = small_clip().file_frame(side, i);
            file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        }
    }
    const std::string command = std::string(VMAF_TEST_EXAMPLE) + " '" + ref + "' '" + dis + "' 176 144 > '" + out + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(file_text(out), "88.914784\n");
    for (const std::string &path : {ref, dis, out})
        std::remove(path.c_str());
}

} // namespace
} // namespace vmaf::test
