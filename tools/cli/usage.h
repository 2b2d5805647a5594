#pragma once

#include <span>
#include <string>

#include "cli/option_table.h"

namespace vmaf::tool {

struct OptionHeading {
    OptionGroup group;
    const char *text;
};

/// The groups in the order of the help.
std::span<const OptionHeading> option_headings();

/// The text of --help.
std::string usage_text();

} // namespace vmaf::tool
