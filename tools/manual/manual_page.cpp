#include "manual/manual_page.h"

#include <string_view>

#include "cli/option_table.h"
#include "common/format.h"
#include "library/lists.h"
#include "libvmaf/libvmaf.h"
#include "manual/completions.h"

namespace vmaf::tool {
namespace {

struct Entry {
    std::string_view term;
    std::string_view text;
};

constexpr Entry kExitStatus[] = {
    {"0", "success"},
    {"1", "the command line makes no sense"},
    {"3", "a score is lower than --fail_under or higher than --fail_over allows; everything is written"},
    {"255", "an input, model, feature or output cannot be used, or the GPU that was asked for"},
    {"234, 244, 251", "scoring stopped: invalid or truncated data, no memory, a failure of input, output or the GPU; "
                      "what was scored is in OUTPUT.partial"},
    {"130, 143", "interrupted; likewise"},
};

constexpr Entry kExamples[] = {
    {"vmaf -r ref.y4m -d dis.y4m --json -o log.json",
     "Score a pair with the default model and write every frame's scores."},
    {"vmaf -r ref.yuv -d dis.yuv -w 1920 -h 1080 -p 420 -b 8 -m auto --feature psnr --summary",
     "Score raw video with the model for its height and with PSNR, and print statistics."},
    {"vmaf -r ref.y4m -d dis.y4m --fail_under 93 --fail_under vmaf@p1=80",
     "For scripts: exit with 3 unless mean and 1 % quantile are high enough."},
};

/// Text as it is: no character is a command, and every '-' one that can be copied.
std::string plain(std::string_view text)
{
    std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

std::string bold(std::string_view text)
{
    return formatted("\\fB{}\\fR", plain(text));
}

std::string entry(const std::string &term, std::string_view text)
{
    return formatted(".TP\n{}\n{}\n", term, plain(text));
}

std::string option_entry(const OptionRow &row)
{
    std::string term = row.letter != 0 ? bold(formatted("-{}", row.letter)) + ", " : "";
    term += bold(formatted("--{}", row.name));
    if (row.value)
        term += formatted("{}\\fI{}\\fR", row.may_lack_value() ? "" : " ", plain(row.value));
    return entry(term, one_line_help(row));
}

/// A heading of the help without what explains it there.
std::string title_of(const OptionHeading &heading)
{
    const std::string_view text = heading.text;
    return std::string(text.substr(0, text.find_first_of("(:")));
}

std::string options_section()
{
    std::string text =
        ".SH OPTIONS\nLong names may be shortened as long as they are unambiguous, and written with \\- for _.\n";
    for (const OptionHeading &heading : option_headings()) {
        text += formatted(".SS {}\n", plain(title_of(heading)));
        for (const OptionRow &row : option_table())
            if (row.group == heading.group)
                text += option_entry(row);
    }
    return text;
}

std::string features_section()
{
    std::string text = ".SH FEATURES\nWhat \\fB\\-\\-feature\\fR takes, with options, their defaults and ranges.\n";
    for (const VmafFeatureInfo *feature : library_features()) {
        text += entry(bold(feature->name), feature->help);
        if (feature->options[0] == nullptr)
            continue;
        text += ".RS\n";
        for (const VmafOptionInfo *option : listed(feature->options)) {
            const std::string range = range_text(*option), value = default_text(*option);
            text += entry(formatted("{}={}{}", plain(option->name), plain(value.empty() ? "-" : value),
                                    plain(range.empty() ? "" : formatted(" ({})", range))),
                          option->help);
        }
        text += ".RE\n";
    }
    return text;
}

std::string models_section()
{
    std::string text = ".SH MODELS\nWhat \\fB\\-m\\fR takes besides files.\n.nf\n";
    for (const VmafModelInfo *model : library_models())
        text += plain(model->version) + "\n";
    return text + ".fi\n";
}

} // namespace

std::string manual_page()
{
    std::string text = formatted(".\\\" Written by: vmaf --man\n.TH VMAF 1 \"\" \"libvmaf {}\" \"User Commands\"\n",
                                 plain(vmaf_version()));
    text += ".SH NAME\nvmaf \\- measure how good a distorted video looks compared with its reference\n"
            ".SH SYNOPSIS\n.B vmaf\n\\fB\\-r\\fR \\fIREFERENCE\\fR \\fB\\-d\\fR \\fIDISTORTED\\fR [\\fIOPTION\\fR]...\n"
            ".SH DESCRIPTION\nScores frame n of the distorted video against frame n of the reference: VMAF, by one "
            "model or several, and the "
            "features that it is made of. Result lines and whatever else there is to say go to standard error, every "
            "frame's "
            "scores to the score file.\n";
    text += options_section();
    text += ".SH EXIT STATUS\n";
    for (const Entry &code : kExitStatus)
        text += entry(bold(code.term), code.text);
    text += ".SH ENVIRONMENT\n";
    text += entry(bold("CUDA_VISIBLE_DEVICES"), "the GPUs that there are for --gpu, and their order");
    text += models_section() + features_section();
    text += ".SH EXAMPLES\n";
    for (const Entry &example : kExamples)
        text += entry(bold(example.term), example.text);
    return text;
}

} // namespace vmaf::tool
