#pragma once

#include <optional>
#include <string>

#include "libvmaf/libvmaf.h"
#include "output/incomplete_mark.h"

namespace vmaf::tool {

/// The score file as the library writes it, with the mark of an incomplete run. Throws Failure.
std::string score_text(VmafContext *context, VmafOutputFormat format, const std::optional<Incomplete> &incomplete);

} // namespace vmaf::tool
