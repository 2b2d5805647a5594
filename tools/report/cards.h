#pragma once

#include <string>

#include "report/html_parts.h"

namespace vmaf::tool {

/// Section of a report of one encode: what its models say, and the features that were asked for.
std::string cards(const ReportData &data, const SummedEncode &encode);

} // namespace vmaf::tool
