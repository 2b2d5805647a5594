#pragma once

#include <string>

namespace vmaf::tool {

/// A line "INDEX NAME MEMORY" for each GPU that the driver shows, by the index that --gpu takes. Empty: there is none, or this vmaf
/// has no support for them.
std::string list_of_gpus();

/// How many lines that has at most: devices that the driver shows.
unsigned count_of_gpus();

} // namespace vmaf::tool
