#pragma once

#include <string_view>

namespace vmaf::tool {

/// Whether the extractor of that name (with or without "_cuda") may write a column or aggregate of that name, whatever its options.
bool may_write(std::string_view extractor, std::string_view column);

} // namespace vmaf::tool
