#pragma once

#include <string>

#include "cli/option_table.h"

/// What shells complete (spec cli 10.8).
namespace vmaf::tool {

enum class ArgumentKind { none, files, words, words_or_files, anything };

ArgumentKind argument_kind(const OptionRow &row);

/// Of the kinds that have any, with blanks between.
std::string argument_words(const OptionRow &row);

std::string builtin_model_names();
std::string extractor_names();

/// Help on one line.
std::string one_line_help(const OptionRow &row);

} // namespace vmaf::tool
