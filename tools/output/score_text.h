#pragma once

#include <optional>
#include <string>

#include "common/number_format.h"
#include "libvmaf/libvmaf.h"
#include "output/incomplete_mark.h"

namespace vmaf::tool {

/// The score file as the library writes it, with the mark of an incomplete run. Throws Failure.
std::string score_text(VmafContext *context, VmafOutputFormat format, NumberFormat numbers,
                       const std::optional<Incomplete> &incomplete);

} // namespace vmaf::tool
