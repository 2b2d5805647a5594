#include "common/format.h"
#include "manual/arguments.h"
#include "manual/completions.h"

namespace vmaf::tool {
namespace {

std::string quoted(const std::string &text)
{
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + "'";
}

std::string argument_of(const OptionRow &row)
{
    // fish knows no argument that may be left out.
    if (!row.value || row.may_lack_value())
        return "";
    switch (argument_kind(row)) {
    case ArgumentKind::files:
        return " -r -F";
    case ArgumentKind::words:
        return formatted(" -x -a {}", quoted(argument_words(row)));
    case ArgumentKind::words_or_files:
        return formatted(" -r -F -a {}", quoted(argument_words(row)));
    default:
        return " -x";
    }
}

} // namespace

std::string fish_completion()
{
    std::string text = "# fish completion for vmaf, written by: vmaf --completion fish\n"
                       "complete -c vmaf -f\n";
    for (const OptionRow &row : option_table()) {
        const std::string letter = row.letter != 0 ? formatted(" -s {}", row.letter) : "";
        text += formatted("complete -c vmaf{} -l {}{} -d {}\n", letter, row.name, argument_of(row),
                          quoted(one_line_help(row)));
        if (row.may_lack_value())
            text += formatted("complete -c vmaf -l {} -d {}\n", quoted(formatted("{}={}", row.name, row.words)),
                              quoted(one_line_help(row)));
    }
    return text;
}

} // namespace vmaf::tool
