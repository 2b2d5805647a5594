#pragma once

#include <string>

#include "report/report_data.h"

namespace vmaf::tool {

/// A report as one HTML file that needs nothing else (spec cli 10.7).
std::string html_report(const ReportData &data);

} // namespace vmaf::tool
