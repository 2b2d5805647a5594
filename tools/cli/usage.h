#pragma once

#include <string>

namespace vmaf::tool {

/// The text of --help.
std::string usage_text();

} // namespace vmaf::tool
