#pragma once

#include <string>

#include "common/failure.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// What a score file says about a run that ended before its time.
struct Incomplete {
    StopReason reason;
    unsigned frames;
};

/// A score file's text with the mark put into it (spec cli 10.4), XML and JSON only: CSV and SUB stay as they are.
std::string mark_incomplete(std::string text, VmafOutputFormat format, const Incomplete &incomplete);

} // namespace vmaf::tool
