#pragma once

#include <string>

/// Scripts that complete options, enumerated values, built-in models, extractors and files (spec cli 10.8).
namespace vmaf::tool {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

} // namespace vmaf::tool
