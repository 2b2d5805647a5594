#pragma once

#include <string>

#include "cli/option_table.h"

/// Scripts that complete options, enumerated values, built-in models, extractors and files (spec
/// cli 10.8).
namespace vmaf::tool {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

enum class ArgumentKind { none, files, words, words_or_files, anything };

ArgumentKind argument_kind(const OptionRow &row);

/// Words of the kinds that have any, with blanks between.
std::string argument_words(const OptionRow &row);

std::string builtin_model_names();
std::string extractor_names();

/// Help on one line.
std::string one_line_help(const OptionRow &row);

} // namespace vmaf::tool
