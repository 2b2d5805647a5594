#pragma once

#include <string>

namespace vmaf::tool {

/// The text of --help, also shown after a usage error.
std::string usage_text();

} // namespace vmaf::tool
