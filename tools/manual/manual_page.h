#pragma once

#include <string>

namespace vmaf::tool {

/// vmaf(1), in the language of man pages (spec cli 10.8).
std::string manual_page();

} // namespace vmaf::tool
