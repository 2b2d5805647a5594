#pragma once

#include <string>

#include "common/number_format.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// The score file as the library writes it. Throws Failure.
std::string score_text(VmafContext *context, VmafOutputFormat format, NumberFormat numbers);

} // namespace vmaf::tool
