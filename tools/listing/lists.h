#pragma once

#include <string>

/// What --list prints (spec cli 10.5): one name a line.
namespace vmaf::tool {

/// Built-in models and collections. Throws Failure where the build left them out.
std::string list_of_models();
/// Extractors; below each its options, indented: name, type, default, range, what it does. Throws likewise.
std::string list_of_features();

} // namespace vmaf::tool
