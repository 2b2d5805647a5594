#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "common/format.h"
#include "library/lists.h"
#include "report/answers.h"
#include "report/gates.h"
#include "report/summary.h"
#include "report/worst_frames.h"

namespace vmaf::tool {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

ScoreColumns columns_of_two_frames()
{
    ScoreColumns columns;
    columns.frames = {0, 1};
    columns.metrics = {{"integer_vif_scale0_egl_1.1", {0.5, 0.25}},
                       {"psnr_y", {40, 30}},
                       {"float_ssim", {0.5, 1}},
                       {"neg", {2, 1}},
                       {"vmaf", {90, 80}}};
    columns.aggregates = {{"apsnr_y", 33.25}};
    return columns;
}

Selection selection_of(const std::vector<std::string> &models, const std::vector<std::string> &features)
{
    Selection selection;
    for (const std::string &name : models) {
        ModelSpec model;
        model.name = name;
        selection.add(model);
    }
    for (const std::string &name : features)
        selection.add(FeatureSpec{name, {}});
    return selection;
}

std::vector<std::string> names_of(const std::vector<SummaryRow> &rows)
{
    std::vector<std::string> names;
    for (const SummaryRow &row : rows)
        names.push_back(row.name);
    return names;
}

using Names = std::vector<std::string>;

TEST(Summary, HasModelsInTheirOrderThenFeaturesAskedForThenAggregates)
{
    const ScoreColumns columns = columns_of_two_frames();
    EXPECT_EQ(names_of(brief_summary(columns, selection_of({"vmaf", "neg"}, {"float_ssim", "psnr"}))),
              (Names{"vmaf", "neg", "psnr_y", "float_ssim", "apsnr_y"}));
    EXPECT_EQ(names_of(brief_summary(columns, selection_of({}, {"vif_cuda"}))),
              (Names{"integer_vif_scale0_egl_1.1", "apsnr_y"}));
    EXPECT_EQ(names_of(brief_summary(columns, selection_of({"gone"}, {}))), (Names{"apsnr_y"}));
}

TEST(Summary, InFullHasEveryColumnInTheFilesOrder)
{
    EXPECT_EQ(names_of(full_summary(columns_of_two_frames())),
              (Names{"integer_vif_scale0_egl_1.1", "psnr_y", "float_ssim", "neg", "vmaf", "apsnr_y"}));
}

TEST(Summary, IsATableWithFourDecimals)
{
    // The 1 % quantile of two scores lies a hundredth of their distance above the lower one. Their
    // deviation is half the distance. The harmonic mean is 2 / (1/91 + 1/81) - 1.
    EXPECT_EQ(summary_table(brief_summary(columns_of_two_frames(), selection_of({"vmaf"}, {"float_ssim"}))),
              "               mean  harmonic      min  worst 1 %  worst 5 %   median      max  stddev\n"
              "vmaf        85.0000   84.7093  80.0000    80.1000    80.5000  85.0000  90.0000  5.0000\n"
              "float_ssim   0.7500    0.7143   0.5000     0.5050     0.5250   0.7500   1.0000  0.2500\n"
              "apsnr_y     33.2500         -        -          -          -        -        -       -\n");
}

TEST(Summary, HasTheHighestScoresWhereLowerIsBetterAndInfiniteOnes)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ScoreColumns columns;
    columns.frames = {0, 1};
    columns.metrics = {{"cambi", {2, 4}, VMAF_DIRECTION_LOWER}, {"xpsnr_y", {kInfinity, 11}}};
    columns.aggregates = {{"axpsnr_y", kInfinity}};
    // Harmonic means: 2 / (1/3 + 1/5) - 1 and 2 / (1/12 + 0) - 1.
    EXPECT_EQ(summary_table(full_summary(columns)),
              "            mean  harmonic      min  worst 1 %  worst 5 %  median     max  stddev\n"
              "cambi     3.0000    2.7500   2.0000     3.9800     3.9000  3.0000  4.0000  1.0000\n"
              "xpsnr_y      inf   23.0000  11.0000    11.0000    11.0000     inf     inf       -\n"
              "axpsnr_y     inf         -        -          -          -       -       -       -\n");
}

TEST(Summary, CountsMissingScoresOnlyWhereThereAreAny)
{
    ScoreColumns columns;
    columns.frames = {0, 1};
    columns.metrics = {{"a", {1, kMissing}}, {"b", {kMissing, kMissing}}, {"c", {2, 2}}};
    EXPECT_EQ(summary_table(full_summary(columns)),
              "     mean  harmonic     min  worst 1 %  worst 5 %  median     max  stddev  nan\n"
              "a  1.0000    1.0000  1.0000     1.0000     1.0000  1.0000  1.0000  0.0000    1\n"
              "b       -         -       -          -          -       -       -       -    2\n"
              "c  2.0000    2.0000  2.0000     2.0000     2.0000  2.0000  2.0000  0.0000    0\n");
}

TEST(Summary, NamesAreAlignedByCharactersAndCannotMoveTheCursor)
{
    ScoreColumns columns;
    columns.frames = {0};
    columns.metrics = {{"größe", {1}}, {"a\x1b[2J", {1}}};
    const std::string table = summary_table(full_summary(columns));
    EXPECT_NE(table.find("\ngröße     1.0000"), std::string::npos) << table;
    EXPECT_NE(table.find("\na\\x1b[2J  1.0000"), std::string::npos) << table;
}

TEST(Summary, OfNothingIsEmpty)
{
    EXPECT_EQ(summary_table({}), "");
}

TEST(Summary, SpeedIsFramesOverWallTime)
{
    EXPECT_EQ(speed_line(48, 1.25), "48 frames in 1.25 s, 38.40 fps\n");
    EXPECT_EQ(speed_line(1, 0), "1 frame in 0.00 s, 0.00 fps\n");
}

TEST(Summary, OnATerminalUnlessQuietOrTurnedOff)
{
    EXPECT_EQ(choose_summary(SummaryKind::automatic, false, true), SummaryKind::brief);
    EXPECT_EQ(choose_summary(SummaryKind::automatic, false, false), SummaryKind::none);
    EXPECT_EQ(choose_summary(SummaryKind::automatic, true, true), SummaryKind::none);
    EXPECT_EQ(choose_summary(SummaryKind::full, true, false), SummaryKind::full);
    EXPECT_EQ(choose_summary(SummaryKind::none, false, true), SummaryKind::none);
}

TEST(MainMetric, IsTheFirstModelElseTheFirstFeatureElseTheFirstColumn)
{
    const ScoreColumns columns = columns_of_two_frames();
    EXPECT_EQ(main_metric(columns, selection_of({"neg", "vmaf"}, {"psnr"}))->name, "neg");
    EXPECT_EQ(main_metric(columns, selection_of({}, {"float_ssim", "psnr"}))->name, "float_ssim");
    EXPECT_EQ(main_metric(columns, selection_of({}, {}))->name, "integer_vif_scale0_egl_1.1");
    EXPECT_EQ(main_metric({}, selection_of({"vmaf"}, {"psnr"})), nullptr);
}

TEST(FeatureOutputs, AreKnownByNameWhateverTheOptions)
{
    EXPECT_TRUE(may_write("psnr", "psnr_cb"));
    EXPECT_TRUE(may_write("psnr", "apsnr_y")) << "an aggregate that an option adds";
    EXPECT_TRUE(may_write("adm", "integer_adm2_egl_1"));
    EXPECT_TRUE(may_write("cambi", "cambi_full_reference")) << "what an option adds";
    EXPECT_TRUE(may_write("motion_cuda", "integer_motion2"));
    EXPECT_FALSE(may_write("psnr", "psnr_hvs"));
    EXPECT_FALSE(may_write("adm", "adm2")) << "float_adm's";
    EXPECT_FALSE(may_write("vif", "integer_vifs"));
    EXPECT_FALSE(may_write("nope", "psnr_y"));
}

TEST(FeatureOutputs, SayWhichScoresAreBetterWhateverTheOptions)
{
    for (const char *higher : {"psnr_y", "integer_adm2_egl_1", "cvvdp", "apsnr_y", "vmaf", "vmaf_ci_p95_lo", "mine"})
        EXPECT_EQ(direction_of(higher), VMAF_DIRECTION_HIGHER) << higher;
    for (const char *lower : {"cambi", "cambi_full_reference", "cambi_ws_65", "butteraugli_3norm", "mse_cb", "aim"})
        EXPECT_EQ(direction_of(lower), VMAF_DIRECTION_LOWER) << lower;
    for (const char *none : {"integer_motion2", "motion", "vmaf_stddev"})
        EXPECT_EQ(direction_of(none), VMAF_DIRECTION_NONE) << none;
    EXPECT_EQ(find_output("vmaf"), nullptr);
    EXPECT_STREQ(find_output("integer_adm_scale0_egl_1")->log_name, "integer_adm_scale0");
}

/// Names that begin alike stay distinct.
TEST(FeatureOutputs, AreFoundUnderTheirOwnNames)
{
    for (const VmafFeatureInfo *feature : library_features())
        for (const VmafOutputInfo *output : listed(feature->outputs))
            EXPECT_EQ(direction_of(output->log_name), output->direction) << output->log_name;
}

TEST(WorstFrames, AreTheLowestAscendingTiesByNumber)
{
    const ScoreColumn metric{"vmaf", {50, kMissing, 20, 50, 10, 20}};
    const std::vector<unsigned> frames{0, 5, 10, 15, 20, 25};
    const auto worst = worst_frames(metric, frames, 4);
    std::vector<unsigned> numbers;
    for (const FrameScore &item : worst)
        numbers.push_back(item.frame);
    EXPECT_EQ(numbers, (std::vector{20U, 10U, 25U, 0U}));
    EXPECT_EQ(worst[0].score, 10);
    EXPECT_EQ(worst_frames(metric, frames, 100).size(), 5U) << "all that have a score";
}

TEST(WorstFrames, AreTheHighestWhereLowerIsBetter)
{
    const ScoreColumn metric{"cambi", {5, kMissing, 20, 5, 10, 20}, VMAF_DIRECTION_LOWER};
    const std::vector<unsigned> frames{0, 5, 10, 15, 20, 25};
    std::vector<unsigned> numbers;
    for (const FrameScore &item : worst_frames(metric, frames, 4))
        numbers.push_back(item.frame);
    EXPECT_EQ(numbers, (std::vector{10U, 25U, 20U, 0U}));
}

TEST(WorstFrames, TableHasTimesWhereTheRateIsKnown)
{
    const std::vector<FrameScore> worst{{90061, -1.25}, {3, 7}};
    EXPECT_EQ(worst_frames_table("m", worst, 25.0), "worst frame         time        m\n"
                                                    "90061        1:00:02.440  -1.2500\n"
                                                    "3            0:00:00.120   7.0000\n");
    EXPECT_EQ(worst_frames_table("m", worst, std::nullopt), "worst frame  time        m\n"
                                                            "90061           -  -1.2500\n"
                                                            "3               -   7.0000\n");
}

TEST(NumberFormat, IsSixDecimalsOrSignificantDigits)
{
    EXPECT_EQ(NumberFormat().text(98.18710894321), "98.187109");
    EXPECT_EQ(NumberFormat::digits(3).text(98.18710894321), "98.2");
    EXPECT_EQ(NumberFormat::digits(3).printf_format(), "%.3g");
    EXPECT_EQ(NumberFormat::digits(9).text(1e-7), "1e-07") << "as printf";
    EXPECT_EQ(NumberFormat::full().text(0.1), "0.10000000000000001");
    EXPECT_EQ(NumberFormat::full().printf_format(), "%.17g");
}

} // namespace
} // namespace vmaf::tool
