#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/report_data.h"
#include "scores/statistics.h"

namespace vmaf::tool {

/// An encode with what pages and their data are made of.
struct SummedEncode {
    const ReportEncode *encode;
    std::string label;              ///< short, and unlike the others'
    std::vector<Statistics> pooled; ///< statistics of encode->scores.metrics
};

/// Data of a report (spec cli 10.7), fit for an HTML script element.
std::string report_json(const ReportData &data, std::span<const SummedEncode> encodes);

/// What a run's score file may say besides scores: what was compared, with what, and all statistics
/// of the columns.
/// @param data of one encode.
std::string details_json(const ReportData &data);

} // namespace vmaf::tool
