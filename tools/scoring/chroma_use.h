#pragma once

#include "cli/presets.h"

namespace vmaf::tool {

/// False if it is certain that no feature of the selection reads chroma, so that the readers may leave it out. A model's file
/// and names that are not known here may want anything.
bool may_read_chroma(const Selection &selection);

} // namespace vmaf::tool
