#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/presets.h"
#include "scores/score_columns.h"
#include "scores/statistics.h"

/// The table of statistics (spec cli 10.2).
namespace vmaf::tool {

struct SummaryRow {
    std::string name;
    Statistics statistics; ///< an aggregate is one value and has only the mean
    VmafDirection better;
    std::optional<FrameSample::Interval> interval = {}; ///< interval of the mean, if frames are a sample
};

/// Models in their order, then in the file's what the features that were asked for wrote, then
/// aggregates.
std::vector<SummaryRow> brief_summary(const ScoreColumns &columns, const Selection &selection);

/// Everything, in the file's order.
std::vector<SummaryRow> full_summary(const ScoreColumns &columns);

/// A line a row below a line of headings; empty without rows. A column "nan" counts what statistics
/// leave out, if they do. Where frames are a sample, two columns say between which values the mean
/// of all frames is.
std::string summary_table(std::span<const SummaryRow> rows);

/// "48 frames in 1.25 s, 38.40 fps".
std::string speed_line(unsigned frames, double seconds);

/// The metric by which frames are listed: the first model's score, else the first one of the first
/// feature that was asked for, else the first there is. Null without any.
const ScoreColumn *main_metric(const ScoreColumns &columns, const Selection &selection);

/// Lines of cells in aligned columns, two blanks apart: the first is aligned to the left, the
/// others to the right. Every line has as many cells as the first one.
std::string text_table(std::span<const std::vector<std::string>> lines);

} // namespace vmaf::tool
