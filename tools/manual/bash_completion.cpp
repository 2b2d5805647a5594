#include "common/format.h"
#include "manual/arguments.h"
#include "manual/completions.h"

namespace vmaf::tool {
namespace {

// For bash '=' is a word of its own. What stands before one, or an option with an argument of its own, decides.
constexpr const char *kHead = R"(# bash completion for vmaf, written by: vmaf --completion bash
_vmaf()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words='' files=''
    if [[ $current == = ]]; then
        current=''
        before+==
    elif [[ $before == = && $COMP_CWORD -ge 2 ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}=
    fi
    case $before in
)";

// Files are left to bash, which knows how to quote them and takes them where no word fits.
constexpr const char *kTail = R"(    esac
    COMPREPLY=()
    [[ $words ]] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    [[ $files ]] && compopt -o default 2>/dev/null
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _vmaf vmaf
)";

/// "-p | --pixel_format | --pixel_format=": an argument that may be left out follows '=' alone.
std::string patterns_of(const OptionRow &row)
{
    std::string patterns;
    if (row.letter != 0)
        patterns += formatted("-{} | ", row.letter);
    if (!row.may_lack_value())
        patterns += formatted("--{} | ", row.name);
    return patterns + formatted("--{}=", row.name);
}

std::string branch_of(const OptionRow &row)
{
    switch (argument_kind(row)) {
    case ArgumentKind::none:
        return "";
    case ArgumentKind::files:
        return formatted("    {}) files=1 ;;\n", patterns_of(row));
    case ArgumentKind::words:
        return formatted("    {}) words='{}' ;;\n", patterns_of(row), argument_words(row));
    case ArgumentKind::words_or_files:
        return formatted("    {}) words='{}' files=1 ;;\n", patterns_of(row), argument_words(row));
    case ArgumentKind::anything:
        break;
    }
    return formatted("    {}) ;;\n", patterns_of(row));
}

} // namespace

std::string bash_completion()
{
    std::string text = kHead;
    std::string names;
    for (const OptionRow &row : option_table()) {
        text += branch_of(row);
        names += formatted("{}--{}", names.empty() ? "" : " ", row.name);
    }
    text += formatted("    version=) words='{}' ;;\n    path=) files=1 ;;\n", builtin_model_names());
    text += formatted("    *=) ;;\n    *) words='{}' ;;\n", names);
    return text + kTail;
}

} // namespace vmaf::tool
