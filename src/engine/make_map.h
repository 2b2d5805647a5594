#pragma once

#include "base/result.h"
#include "feature/feature.h"
#include "libvmaf/picture.h"

namespace vmaf {

/// The map of a metric of one picture pair in host memory, computed on the CPU. Options that name
/// folders count as not given: no file is written. Failures have one log line. Throws
/// std::bad_alloc.
Result<MetricMap> make_map(const FeatureSpec &spec, const OptionDict &options, const VmafPicture &ref,
                           const VmafPicture &dis);

} // namespace vmaf
