#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"

namespace vmaf {

/// The feature that a name with the device's suffix demands ("vif" of "vif_cuda"); empty if the name is none or this build has
/// no such device.
std::string_view demanded_feature(std::string_view name);

/// Runs what releases driver objects and gives the first failure among them (spec cuda 3).
Status release_failures(const std::function<void()> &release);

} // namespace vmaf
