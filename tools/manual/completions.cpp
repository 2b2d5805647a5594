#include "manual/completions.h"

#include <algorithm>
#include <string_view>

#include "cli/specs.h"
#include "common/format.h"
#include "library/lists.h"
#include "model_choice.h"

namespace vmaf::tool {
namespace {

void append_word(std::string &words, std::string_view word)
{
    if (!words.empty())
        words += ' ';
    words += word;
}

// For bash '=' is a word of its own. What stands before one, or an option with an argument of its
// own, decides.
constexpr const char *kBashHead = R"(# bash completion for vmaf, written by: vmaf --completion bash
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
constexpr const char *kBashTail = R"(    esac
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

constexpr const char *kZshHead = R"(#compdef vmaf
# zsh completion for vmaf, written by: vmaf --completion zsh

_vmaf_model() {
    if compset -P 'path='; then
        _files
    elif compset -P 'version='; then
        compadd -- $models
    else
        compadd -- auto $models
        compadd -S '' -- version= path=
        _files
    fi
}

_vmaf() {
)";

constexpr const char *kZshTail = R"(}

# Read by fpath, the file is the function; sourced, it defines it.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _vmaf "$@"
else
    compdef _vmaf vmaf
fi
)";

/// Inside single quotes and brackets.
std::string escaped(const std::string &text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\'')
            result += "'\\'";
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

std::string action_of(const OptionRow &row)
{
    if (row.id == OptionId::model)
        return "_vmaf_model";
    if (row.id == OptionId::feature)
        return "compadd -- $extractors";
    const ArgumentKind kind = argument_kind(row);
    if (kind == ArgumentKind::files)
        return "_files";
    return kind == ArgumentKind::words ? formatted("({})", argument_words(row)) : "";
}

bool is_repeatable(const OptionRow &row)
{
    return row.id == OptionId::model || row.id == OptionId::feature || row.id == OptionId::fail_under ||
           row.id == OptionId::fail_over;
}

/// "'(-r --reference)'{-r+,--reference=}'[help]:PATH:_files'"
std::string spec_of(const OptionRow &row)
{
    const char *const long_suffix = !row.value ? "" : row.may_lack_value() ? "=-" : "=";
    std::string text;
    if (row.letter != 0)
        text = formatted("{}{{-{}{},--{}{}}}'",
                         is_repeatable(row) ? "'*'" : formatted("'(-{} --{})'", row.letter, row.name), row.letter,
                         row.value ? "+" : "", row.name, long_suffix);
    else
        text = formatted("'{}--{}{}", is_repeatable(row) ? "*" : "", row.name, long_suffix);
    text += formatted("[{}]", escaped(one_line_help(row)));
    if (row.value)
        text += formatted("{}:{}:{}", row.may_lack_value() ? ":" : "", escaped(row.value), action_of(row));
    return text + "'";
}

} // namespace

ArgumentKind argument_kind(const OptionRow &row)
{
    if (!row.value)
        return ArgumentKind::none;
    if (std::string_view(row.value) == "PATH" || std::string_view(row.value) == "FOLDER")
        return ArgumentKind::files;
    if (row.id == OptionId::model)
        return ArgumentKind::words_or_files;
    return argument_words(row).empty() ? ArgumentKind::anything : ArgumentKind::words;
}

std::string argument_words(const OptionRow &row)
{
    if (row.id == OptionId::model)
        return "auto v0 v1 version= path= " + builtin_model_names();
    if (row.id == OptionId::feature)
        return extractor_names();
    return row.words;
}

std::string builtin_model_names()
{
    std::string names;
    for (const VmafModelInfo *model : library_models())
        append_word(names, model->version);
    return names;
}

std::string extractor_names()
{
    std::string names;
    for (const VmafFeatureInfo *feature : library_features())
        append_word(names, feature->name);
    return names;
}

std::string one_line_help(const OptionRow &row)
{
    std::string help = row.help;
    std::ranges::replace(help, '\n', ' ');
    return help;
}

std::string bash_completion()
{
    std::string text = kBashHead;
    std::string names;
    for (const OptionRow &row : option_table()) {
        text += branch_of(row);
        names += formatted("{}--{}", names.empty() ? "" : " ", row.name);
    }
    text += formatted("    version=) words='{}' ;;\n    path=) files=1 ;;\n", builtin_model_names());
    text += formatted("    *=) ;;\n    *) words='{}' ;;\n", names);
    return text + kBashTail;
}

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

std::string zsh_completion()
{
    std::string text = kZshHead;
    text += formatted("    local -a models=({})\n", builtin_model_names());
    text += formatted("    local -a extractors=({})\n", extractor_names());
    text += "    _arguments -s -S";
    for (const OptionRow &row : option_table())
        text += formatted(" \\\n        {}", spec_of(row));
    return text + "\n" + kZshTail;
}

} // namespace vmaf::tool
