#pragma once

#include <string>

#include "report/html_parts.h"

namespace vmaf::tool {

/// Section of the worst frames by the main metric: their pictures, and a list, which follows the
/// choice on the page. Empty: nothing was scored.
std::string worst_section(const ReportData &data, const Encodes &encodes);

} // namespace vmaf::tool
