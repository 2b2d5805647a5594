#pragma once

#include <string>

namespace vmaf::tool {

/// The record of what was decided about two files (spec comparison 11) as tables that are folded
/// away. Empty: there is none.
/// @param record JSON. @param heading what the reader folds out.
std::string decisions_html(const std::string &record, const std::string &heading);

} // namespace vmaf::tool
