#pragma once

#include <string>
#include <vector>

#include "common/warnings.h"
#include "scoring/library_log.h"

namespace vmaf::tool {

/// Show what the library said about features and their options, with the names that were probably meant. Its warnings are
/// warnings of ours. Throws Failure with --strict.
void show_option_messages(const std::vector<std::string> &messages, LibraryLog &log, Warnings &warnings);

} // namespace vmaf::tool
