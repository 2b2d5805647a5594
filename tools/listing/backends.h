#pragma once

#include <string>

namespace vmaf::tool {

/// What --list_backends prints: JSON that says of each backend whether it can be used here, and why not.
std::string list_of_backends();

} // namespace vmaf::tool
