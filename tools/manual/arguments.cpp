#include "manual/arguments.h"

#include <algorithm>
#include <string_view>

#include "cli/model_spec.h"
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

} // namespace

ArgumentKind argument_kind(const OptionRow &row)
{
    if (!row.value)
        return ArgumentKind::none;
    if (std::string_view(row.value) == "PATH")
        return ArgumentKind::files;
    if (row.id == OptionId::model)
        return ArgumentKind::words_or_files;
    return argument_words(row).empty() ? ArgumentKind::anything : ArgumentKind::words;
}

std::string argument_words(const OptionRow &row)
{
    if (row.id == OptionId::model)
        return std::string(kAutoVersion) + " version= path= " + builtin_model_names();
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

} // namespace vmaf::tool
