#pragma once

#include "cli/options.h"
#include "common/warnings.h"

namespace vmaf::tool {

/// Score two videos as the options say; the exit code. Throws Failure.
int run_session(const Options &options, Warnings &warnings);

} // namespace vmaf::tool
