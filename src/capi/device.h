#pragma once

#include <string_view>

namespace vmaf {

/// The feature that a name with the device's suffix demands ("vif" of "vif_cuda"); empty if the
/// name is none or this build has no such device.
std::string_view demanded_feature(std::string_view name);

} // namespace vmaf
