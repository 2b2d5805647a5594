#pragma once

#include <span>
#include <string>
#include <vector>

namespace vmaf::tool {

/// Lines of cells in aligned columns, two blanks apart: the first is aligned to the left, the others to the right. Every line has
/// as many cells as the first one.
std::string text_table(std::span<const std::vector<std::string>> lines);

} // namespace vmaf::tool
