#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "client.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::test {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

constexpr VmafOutputFormat kFormats[] = {VMAF_OUTPUT_FORMAT_XML, VMAF_OUTPUT_FORMAT_JSON, VMAF_OUTPUT_FORMAT_CSV,
                                         VMAF_OUTPUT_FORMAT_SUB};
constexpr unsigned kFrames = 3;

/// A number with the digits that give back the same double.
std::string exact(double value)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.17g", value);
    EXPECT_EQ(std::strtod(text, nullptr), value) << text;
    return text;
}

/// Frames with scores that six decimals cannot hold, imported scores of every size, and an
/// aggregate.
class OutputFormatContract : public ::testing::Test {
  protected:
    OutputFormatContract() : vmaf_(0, 0, VMAF_LOG_LEVEL_ERROR)
    {
        EXPECT_EQ(use_feature(vmaf_, "psnr", {{"enable_apsnr", "true"}}), 0);
        constexpr double kImported[kFrames] = {1.0 / 3, 6.02214076e23, -5e-324};
        for (unsigned i = 0; i < kFrames; ++i)
            EXPECT_EQ(vmaf_import_feature_score(vmaf_, "imported", kImported[i], i), 0);
        read_clip(vmaf_, Clip::get("tiles_176x144_8"), kFrames);
        EXPECT_EQ(flush(vmaf_), 0);
        columns_ = csv_columns(vmaf_);
        EXPECT_EQ(columns_.size(), 4u);
    }

    std::string written(VmafOutputFormat format, const char *score_format)
    {
        const std::string path = temp_path("scores");
        EXPECT_EQ(vmaf_write_output_with_format(vmaf_, path.c_str(), format, score_format), 0);
        std::string text = file_text(path);
        std::remove(path.c_str());
        return text;
    }
    /// A row of the file. `after` follows each number. If `between` is not empty, each number also
    /// has its name in front.
    std::string row(unsigned frame, const std::string &before, const std::string &between, const std::string &after)
    {
        std::string text;
        for (const std::string &name : columns_)
            text += (between.empty() ? std::string() : before + name + between) +
                    exact(score_of(vmaf_, name.c_str(), frame)) + after;
        return text;
    }
    double pooled(const std::string &name, VmafPoolingMethod method)
    {
        double score = std::nan("");
        EXPECT_EQ(vmaf_feature_score_pooled(vmaf_, name.c_str(), method, &score, 0, kFrames - 1), 0) << name;
        return score;
    }

    OpenContext vmaf_;
    std::vector<std::string> columns_;
};

TEST_F(OutputFormatContract, NullIsTheFormatOfLibvmaf)
{
    for (const VmafOutputFormat format : kFormats) {
        const std::string path = temp_path("legacy");
        ASSERT_EQ(vmaf_write_output(vmaf_, path.c_str(), format), 0);
        EXPECT_EQ(written(format, nullptr), file_text(path)) << format;
        std::remove(path.c_str());
    }
}

TEST_F(OutputFormatContract, SeventeenDigitsGiveEachFramesScoreBack)
{
    const std::string csv = written(VMAF_OUTPUT_FORMAT_CSV, "%.17g"), sub = written(VMAF_OUTPUT_FORMAT_SUB, "%.17g");
    const std::string xml = written(VMAF_OUTPUT_FORMAT_XML, "%.17g"), json = written(VMAF_OUTPUT_FORMAT_JSON, "%.17g");
    for (unsigned i = 0; i < kFrames; ++i) {
        const std::string index = std::to_string(i);
        EXPECT_NE(csv.find("\n" + index + "," + row(i, "", "", ",") + "\n"), csv.npos) << csv;
        EXPECT_NE(sub.find("}frame: " + index + "|" + row(i, "", ": ", "|") + "\n"), sub.npos) << sub;
        EXPECT_NE(xml.find("<frame frameNum=\"" + index + "\" " + row(i, "", "=\"", "\" ") + "/>\n"), xml.npos) << xml;
        std::string metrics = row(i, "        \"", "\": ", ",\n");
        metrics.resize(metrics.size() - 2);
        EXPECT_NE(json.find("\"frameNum\": " + index + ",\n      \"metrics\": {\n" + metrics + "\n      }"), json.npos)
            << json;
    }
}

TEST_F(OutputFormatContract, SeventeenDigitsGivePooledScoresAndAggregatesBack)
{
    const std::string xml = written(VMAF_OUTPUT_FORMAT_XML, "%.17g"), json = written(VMAF_OUTPUT_FORMAT_JSON, "%.17g");
    for (const std::string &name : columns_) {
        const std::string min = exact(pooled(name, VMAF_POOL_METHOD_MIN)),
                          max = exact(pooled(name, VMAF_POOL_METHOD_MAX)),
                          mean = exact(pooled(name, VMAF_POOL_METHOD_MEAN)),
                          harmonic = exact(pooled(name, VMAF_POOL_METHOD_HARMONIC_MEAN));
        EXPECT_NE(xml.find("<metric name=\"" + name + "\" min=\"" + min + "\" max=\"" + max + "\" mean=\"" + mean +
                           "\" harmonic_mean=\"" + harmonic + "\" />"),
                  xml.npos)
            << xml;
        EXPECT_NE(json.find("    \"" + name + "\": {\n      \"min\": " + min + ",\n      \"max\": " + max +
                            ",\n      \"mean\": " + mean + ",\n      \"harmonic_mean\": " + harmonic + "\n    }"),
                  json.npos)
            << json;
    }
    // The aggregate is the PSNR of the whole clip's mean square error. The three frames are near
    // 32.8 dB.
    for (const auto &[text, before] : {std::pair(xml, "apsnr_y=\""), std::pair(json, "\"apsnr_y\": ")}) {
        const std::size_t at = text.find(before);
        ASSERT_NE(at, text.npos) << text;
        const char *number = text.c_str() + at + std::strlen(before);
        char *end = nullptr;
        EXPECT_NEAR(std::strtod(number, &end), 32.8, 0.2) << number;
        EXPECT_GT(end - number, 12) << "more digits than six decimals: " << number;
    }
}

TEST_F(OutputFormatContract, ABadScoreFormatIsRefusedBeforeTheFileIsOpened)
{
    const std::string path = temp_path("kept");
    std::ofstream(path) << "kept";
    for (const char *bad : {"", "%d", "%s", "%n", "%lf", "%f%f", "%.17g;", "%*f", "%1000f"})
        for (const VmafOutputFormat format : kFormats) {
            CaptureStderr();
            EXPECT_EQ(vmaf_write_output_with_format(vmaf_, path.c_str(), format, bad), -EINVAL) << bad;
            const std::string log = GetCapturedStderr();
            EXPECT_NE(log.find(std::string("'") + bad), log.npos) << log;
        }
    EXPECT_EQ(vmaf_write_output_with_format(vmaf_, path.c_str(), VMAF_OUTPUT_FORMAT_JSON, "%+f"), -EINVAL);
    EXPECT_EQ(file_text(path), "kept");
    EXPECT_EQ(vmaf_write_output_with_format(vmaf_, path.c_str(), VMAF_OUTPUT_FORMAT_CSV, "%+f"), 0);
    EXPECT_EQ(file_text(path).substr(0, 6), "Frame,");
    std::remove(path.c_str());
}

TEST_F(OutputFormatContract, OtherErrorsAreThoseOfWriteOutput)
{
    CaptureStderr();
    EXPECT_EQ(vmaf_write_output_with_format(nullptr, "/dev/null", VMAF_OUTPUT_FORMAT_XML, "%.17g"), -EINVAL);
    EXPECT_EQ(vmaf_write_output_with_format(vmaf_, nullptr, VMAF_OUTPUT_FORMAT_XML, "%.17g"), -EINVAL);
    EXPECT_EQ(vmaf_write_output_with_format(vmaf_, "/nonexistent/scores", VMAF_OUTPUT_FORMAT_XML, "%.17g"), -EINVAL);
    GetCapturedStderr();
}

TEST_F(OutputFormatContract, WriteFailuresAreReported)
{
    if (!std::ifstream("/dev/full"))
        GTEST_SKIP() << "no /dev/full here";
    EXPECT_EQ(vmaf_write_output_with_format(vmaf_, "/dev/full", VMAF_OUTPUT_FORMAT_XML, "%.17g"), -EIO);
}

} // namespace
} // namespace vmaf::test
