#pragma once

#include "cli/options.h"

namespace vmaf::tool {

/// Write a report of saved scores as the options say. Throws Failure.
void report_saved(const OutputOptions &options);

} // namespace vmaf::tool
