#pragma once

#include <span>
#include <string>

#include "report/report_data.h"

namespace vmaf::tool {

/// A score file as JSON: ours, ffmpeg's or the reference tool's.
struct SavedScores {
    std::string path;
    std::string text;
};

/// Data of a report from saved scores, without pictures (spec cli 10.2). Videos, models and
/// warnings are known from files of --log_details, or partly from the record of what was decided.
/// Throws Failure if a file holds no scores.
/// @param files one or more.
ReportData saved_report(std::span<const SavedScores> files);

} // namespace vmaf::tool
