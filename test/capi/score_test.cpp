// Imported scores, getters, pooling and output files (spec abi 4.1, 4.6, 6, 9).

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bad_enums.h"
#include "client.h"

namespace vmaf::test {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

constexpr unsigned kLastIndex = std::numeric_limits<unsigned>::max();

// The pooling example of spec abi 9, indices 0..8.
constexpr double kImported[] = {90.5, 80.25, 70.125, 95, 60, 88.8, 0, -0.5, -1};

void import_example(VmafContext *vmaf)
{
    for (unsigned i = 0; i < std::size(kImported); ++i)
        ASSERT_EQ(vmaf_import_feature_score(vmaf, "f", kImported[i], i), 0);
}

TEST(ImportContract, BadArgumentsAreRefused)
{
    OpenContext vmaf;
    EXPECT_EQ(vmaf_import_feature_score(nullptr, "f", 1, 0), -EINVAL);
    EXPECT_EQ(vmaf_import_feature_score(vmaf, nullptr, 1, 0), -EINVAL);
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "f", 1, kLastIndex), -ENOMEM);
}

TEST(ImportContract, AScoreIsWrittenOnce)
{
    OpenContext vmaf;
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "f", 1.5, 3), 0);
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "f", 2.5, 3), -EINVAL);
    EXPECT_EQ(score_of(vmaf, "f", 3), 1.5);
}

TEST(ImportContract, DistantIndicesCostNeitherTimeNorMemory)
{
    OpenContext vmaf;
    double score = 0;
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "f", 1, 0), 0);
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "f", 2, kLastIndex - 1), 0);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, "f", VMAF_POOL_METHOD_MEAN, &score, 0, kLastIndex - 1), -EINVAL);
    EXPECT_EQ(csv_lines(vmaf), (std::vector<std::string>{"Frame,f,", "0,1.000000,", "4294967294,2.000000,"}));
}

TEST(ImportContract, ColumnsComeInOrderOfTheirFirstScore)
{
    OpenContext vmaf;
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "b", 1, 5), 0);
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "a", 2, 0), 0);
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "b", 3, 0), 0);
    EXPECT_EQ(csv_lines(vmaf), (std::vector<std::string>{"Frame,b,a,", "0,3.000000,2.000000,", "5,1.000000,"}));
}

TEST(ImportContract, AliasesAreForOutputsOnly)
{
    OpenContext vmaf;
    EXPECT_EQ(vmaf_import_feature_score(vmaf, "VMAF_integer_feature_adm2_score", 0.5, 0), 0);
    EXPECT_TRUE(has_score(vmaf, "VMAF_integer_feature_adm2_score", 0));
    EXPECT_FALSE(has_score(vmaf, "integer_adm2", 0));
    EXPECT_EQ(csv_columns(vmaf), std::vector<std::string>{"integer_adm2"});
}

constexpr std::pair<const char *, double> kVmafFeatures[] = {
    {"VMAF_integer_feature_adm2_score", 0.95},       {"VMAF_integer_feature_motion2_score", 4.2},
    {"VMAF_integer_feature_vif_scale0_score", 0.5},  {"VMAF_integer_feature_vif_scale1_score", 0.9},
    {"VMAF_integer_feature_vif_scale2_score", 0.95}, {"VMAF_integer_feature_vif_scale3_score", 0.97}};

TEST(ImportContract, VmafIsPredictedFromImportedFeatures)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    double score = 0;
    for (const auto &[name, value] : kVmafFeatures) {
        EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 0), -EINVAL) << "before " << name;
        ASSERT_EQ(vmaf_import_feature_score(vmaf, name, value, 0), 0);
    }
    ASSERT_EQ(vmaf_score_at_index(vmaf, model, &score, 0), 0);
    EXPECT_NEAR(score, 87.2719, 5e-5);
    const std::vector<std::string> lines = csv_lines(vmaf);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_TRUE(lines[0].ends_with(",vmaf,")) << lines[0];
    EXPECT_TRUE(lines[1].ends_with(",87.271903,")) << lines[1];
}

TEST(ImportContract, VmafOfAFrameThatSubsamplingSkipsIsNotPredicted)
{
    OpenContext vmaf(0, 2);
    BuiltinModel model("vmaf_v0.6.1");
    double score = 0;
    for (const unsigned index : {1u, 2u})
        for (const auto &[name, value] : kVmafFeatures)
            ASSERT_EQ(vmaf_import_feature_score(vmaf, name, value, index), 0);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 1), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 2), 0);
}

TEST(ScoreContract, AnOverloadedModelIsPredictedFromItsNewFeatures)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    for (const unsigned index : {0u, 1u})
        for (const auto &[name, value] : kVmafFeatures)
            ASSERT_EQ(vmaf_import_feature_score(vmaf, name, value, index), 0);
    double score = 0;
    ASSERT_EQ(vmaf_score_at_index(vmaf, model, &score, 0), 0);
    ASSERT_EQ(vmaf_model_feature_overload(model, "vif", dictionary({{"vif_enhn_gain_limit", "1"}})), 0);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 1), -EINVAL) << "vif with a gain limit was not measured";
}

TEST(ScoreContract, AMissingFeatureIsNamedInAnErrorLine)
{
    OpenContext vmaf(0, 0, VMAF_LOG_LEVEL_ERROR);
    BuiltinModel model("vmaf_v0.6.1");
    double score = 0;
    CaptureStderr();
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 17), -EINVAL);
    const std::string text = GetCapturedStderr();
    EXPECT_NE(text.find("adm2"), text.npos) << text;
    EXPECT_NE(text.find("17"), text.npos) << text;
}

TEST(ScoreContract, ModelsOfOneNameShareTheirScores)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1"), same_name("vmaf_4k_v0.6.1");
    double score = 0;
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "vmaf", 12.5, 0), 0);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 0), 0);
    EXPECT_EQ(score, 12.5);
    EXPECT_EQ(vmaf_score_at_index(vmaf, same_name, &score, 0), 0);
    EXPECT_EQ(score, 12.5);
}

TEST(ScoreContract, BadArgumentsAreRefused)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    BuiltinCollection collection("vmaf_b_v0.6.3");
    VmafModelCollectionScore interval{};
    double score = 0;
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "vmaf", 1, 0), 0);
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "f", 1, 0), 0);

    EXPECT_EQ(vmaf_feature_score_at_index(nullptr, "f", &score, 0), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_at_index(vmaf, nullptr, &score, 0), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_at_index(vmaf, "f", nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_at_index(vmaf, "f", &score, 1), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_at_index(vmaf, "f", &score, kLastIndex), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_at_index(vmaf, "g", &score, 0), -EINVAL);

    EXPECT_EQ(vmaf_score_at_index(nullptr, model, &score, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index(vmaf, nullptr, &score, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 1), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, kLastIndex), -EINVAL);

    EXPECT_EQ(vmaf_score_at_index_model_collection(nullptr, collection, &interval, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index_model_collection(vmaf, nullptr, &interval, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index_model_collection(vmaf, collection, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index_model_collection(vmaf, collection, &interval, 0), -EINVAL);
}

TEST(ScoreContract, FailureLeavesTheScoreUntouched)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    double score = 7;
    EXPECT_EQ(vmaf_feature_score_at_index(vmaf, "f", &score, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 0), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, "f", VMAF_POOL_METHOD_MIN, &score, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MIN, &score, 0, 0), -EINVAL);
    EXPECT_EQ(score, 7);
}

TEST(PoolingContract, BadArgumentsAreRefused)
{
    constexpr auto kMean = VMAF_POOL_METHOD_MEAN;
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    BuiltinCollection collection("vmaf_b_v0.6.3");
    VmafModelCollectionScore interval{};
    double score = 0;
    import_example(vmaf);
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "vmaf", 1, 0), 0);

    EXPECT_EQ(vmaf_feature_score_pooled(nullptr, "f", kMean, &score, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, nullptr, kMean, &score, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, "f", kMean, nullptr, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, "f", kMean, &score, 2, 1), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, "f", kMean, &score, 0, 9), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, "f", kMean, &score, 0, kLastIndex), -EINVAL);
    EXPECT_EQ(vmaf_feature_score_pooled(vmaf, "g", kMean, &score, 0, 0), -EINVAL);

    EXPECT_EQ(vmaf_score_pooled(nullptr, model, kMean, &score, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled(vmaf, nullptr, kMean, &score, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled(vmaf, model, kMean, nullptr, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled(vmaf, model, kMean, &score, 1, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled(vmaf, model, kMean, &score, 0, 1), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled(vmaf, model, kMean, &score, 0, 0), 0);

    EXPECT_EQ(vmaf_score_pooled_model_collection(nullptr, collection, kMean, &interval, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled_model_collection(vmaf, nullptr, kMean, &interval, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled_model_collection(vmaf, collection, kMean, nullptr, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_pooled_model_collection(vmaf, collection, kMean, &interval, 0, 0), -EINVAL);

    for (const int method : {0, 5, 6, -1}) {
        EXPECT_EQ(feature_pooled_with_method(vmaf, "f", method, &score, 0, 0), -EINVAL) << method;
        EXPECT_EQ(score_pooled_with_method(vmaf, model, method, &score, 0, 0), -EINVAL) << method;
    }
}

struct PoolingRow {
    unsigned n_subsample, low, high;
    double min, max, mean, harmonic_mean;
};

void expect_pooled(VmafContext *vmaf, const PoolingRow &row, VmafPoolingMethod method, double expected)
{
    double score = 0;
    ASSERT_EQ(vmaf_feature_score_pooled(vmaf, "f", method, &score, row.low, row.high), 0);
    if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(score)) << score;
    else
        EXPECT_EQ(score, expected);
}

TEST(PoolingContract, PoolsAsSpecified)
{
    const double nan = std::nan("");
    const PoolingRow rows[] = {
        {1, 0, 5, 60, 95, 80.779166666666669, 78.742299721886283},
        {1, 1, 5, 60, 95, 78.835000000000008, 76.744280170876735},
        {1, 0, 7, -0.5, 95, 60.521875000000001, 1.6014209695003396},
        {1, 0, 8, -1, 95, 53.68611111111111, -1},
        {2, 0, 5, 60, 90.5, 73.541666666666671, 71.495010443258295},
        {2, 1, 5, 0, 70.125, 65.0625, 64.674550614947961},
        {2, 1, 1, 0, 0, nan, nan},
        {2, 0, 9, -1, 90.5, 43.924999999999997, -1},
        {3, 0, 5, 90.5, 95, 92.75, 92.695999999999998},
    };
    for (const PoolingRow &row : rows) {
        SCOPED_TRACE(::testing::Message() << row.n_subsample << ", " << row.low << ".." << row.high);
        OpenContext vmaf(0, row.n_subsample);
        import_example(vmaf);
        expect_pooled(vmaf, row, VMAF_POOL_METHOD_MIN, row.min);
        expect_pooled(vmaf, row, VMAF_POOL_METHOD_MAX, row.max);
        expect_pooled(vmaf, row, VMAF_POOL_METHOD_MEAN, row.mean);
        expect_pooled(vmaf, row, VMAF_POOL_METHOD_HARMONIC_MEAN, row.harmonic_mean);
    }
}

TEST(OutputContract, BadArgumentsAreRefused)
{
    OpenContext vmaf;
    const std::string directory = ::testing::TempDir();
    EXPECT_EQ(vmaf_write_output(nullptr, "/dev/null", VMAF_OUTPUT_FORMAT_XML), -EINVAL);
    for (const char *path : {"/nonexistent/scores.xml", directory.c_str()}) {
        CaptureStderr();
        EXPECT_EQ(vmaf_write_output(vmaf, path, VMAF_OUTPUT_FORMAT_XML), -EINVAL) << path;
        const std::string text = GetCapturedStderr();
        EXPECT_NE(text.find(path), text.npos) << "named at every log level: " << text;
    }
    CaptureStderr();
    EXPECT_EQ(vmaf_write_output(vmaf, nullptr, VMAF_OUTPUT_FORMAT_XML), -EINVAL);
    EXPECT_NE(GetCapturedStderr(), "");
}

TEST(OutputContract, AnUnknownFormatLeavesAnEmptyFile)
{
    OpenContext vmaf;
    for (const int format : {0, 9, -1}) {
        const std::string path = temp_path("scores");
        std::fclose(std::fopen(path.c_str(), "w"));
        EXPECT_EQ(write_output_with_format(vmaf, path.c_str(), format), -EINVAL) << format;
        EXPECT_TRUE(std::filesystem::exists(path)) << format;
        EXPECT_EQ(file_text(path), "") << format;
        std::filesystem::remove(path);
    }
}

TEST(OutputContract, WriteFailuresAreReported)
{
    if (!std::filesystem::exists("/dev/full"))
        GTEST_SKIP() << "no /dev/full here";
    OpenContext vmaf;
    import_example(vmaf);
    EXPECT_EQ(vmaf_write_output(vmaf, "/dev/full", VMAF_OUTPUT_FORMAT_JSON), -EIO);
}

TEST(OutputContract, FilesAreWrittenAnewEachTime)
{
    OpenContext vmaf;
    const std::string path = temp_path("scores.sub");
    import_example(vmaf);
    ASSERT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_XML), 0);
    ASSERT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_SUB), 0);
    const std::string text = file_text(path);
    EXPECT_EQ(text.substr(0, text.find('\n')), "{0}{1}frame: 0|f: 90.500000|");
    EXPECT_EQ(text.find("<VMAF"), text.npos);
    std::filesystem::remove(path);
}

TEST(OutputContract, WaitsForFramesAlreadyRead)
{
    OpenContext vmaf(2);
    ASSERT_EQ(use_feature(vmaf, "vif"), 0);
    ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
    read_clip(vmaf, Clip::get("tiles_176x144_8"), 4);
    const std::vector<std::string> lines = csv_lines(vmaf);
    ASSERT_EQ(lines.size(), 5u);
    for (const std::string &line : lines)
        EXPECT_EQ(std::count(line.begin(), line.end(), ','), 1 + 4 + 3) << line;
}

TEST(OutputContract, PooledMetricsCoverAcceptedReadsOnly)
{
    OpenContext vmaf;
    const std::string path = temp_path("scores.json");
    ASSERT_EQ(use_feature(vmaf, "psnr", {{"enable_chroma", "false"}}), 0);
    ASSERT_EQ(read_frame(vmaf, Clip::get("tiles_176x144_8"), 0, 0), 0);
    ASSERT_EQ(read_blank(vmaf, 64, 64, 1), -EINVAL);
    ASSERT_EQ(flush(vmaf), 0);
    ASSERT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_JSON), 0);
    // Luma PSNR of the clip's first frame, from the example of spec abi 6.
    EXPECT_NE(file_text(path).find("    \"psnr_y\": {\n"
                                   "      \"min\": 32.889214,\n"
                                   "      \"max\": 32.889214,\n"
                                   "      \"mean\": 32.889214,\n"
                                   "      \"harmonic_mean\": 32.889214\n"
                                   "    }\n"),
              std::string::npos)
        << file_text(path);
    std::filesystem::remove(path);
}

TEST(OutputContract, CarriesTheVersionAndThePictureSize)
{
    OpenContext vmaf;
    const std::string path = temp_path("scores.xml");
    ASSERT_EQ(read_blank(vmaf, 176, 144, 0), 0);
    ASSERT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_XML), 0);
    const std::string text = file_text(path);
    EXPECT_EQ(text.rfind(std::string("<VMAF version=\"") + vmaf_version() + "\">\n", 0), 0u) << text;
    EXPECT_NE(text.find("  <params qualityWidth=\"176\" qualityHeight=\"144\" />\n"), text.npos) << text;
    EXPECT_NE(text.find("  <aggregate_metrics />\n"), text.npos) << text;
    std::filesystem::remove(path);
}

} // namespace
} // namespace vmaf::test
