#pragma once

#include "engine/device/device.h"
#include "engine/session_feature.h"

namespace vmaf {

/// Whether a device has the CPU's sums of one small picture pair in that format, with as many
/// earlier pairs as the feature reads (spec vulkan 5). Throws std::bad_alloc.
/// @param device that is for this alone. @param feature that it has a backend of for such pictures.
Result<bool> computes_as_cpu(Device &device, const SessionFeature &feature, const PictureFormat &format);

} // namespace vmaf
