#include "common/format.h"
#include "manual/arguments.h"
#include "manual/completions.h"

namespace vmaf::tool {
namespace {

constexpr const char *kHead = R"(#compdef vmaf
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

constexpr const char *kTail = R"(}

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
    return row.id == OptionId::model || row.id == OptionId::feature || row.id == OptionId::fail_under;
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

std::string zsh_completion()
{
    std::string text = kHead;
    text += formatted("    local -a models=({})\n", builtin_model_names());
    text += formatted("    local -a extractors=({})\n", extractor_names());
    text += "    _arguments -s -S";
    for (const OptionRow &row : option_table())
        text += formatted(" \\\n        {}", spec_of(row));
    return text + "\n" + kTail;
}

} // namespace vmaf::tool
