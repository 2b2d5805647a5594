#include "cli/usage.h"

#include <string_view>

#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr int kHelpColumn = 33;

constexpr OptionHeading kHeadings[] = {
    {OptionGroup::input, "Input (YUV4MPEG2; raw planar YUV if any of -w -h -p -b is given, then all four are needed):"},
    {OptionGroup::matching, "Matching:"},
    {OptionGroup::models, "Models and features:"},
    {OptionGroup::output, "Output:"},
    {OptionGroup::speed, "Speed:"},
    {OptionGroup::other, "Other:"},
};

std::string names_of(const OptionRow &row)
{
    const std::string letter = row.letter != 0 ? formatted("-{}, ", row.letter) : std::string(4, ' ');
    const char *const separator = row.value && !row.may_lack_value() ? " " : "";
    return formatted("  {}--{}{}{}", letter, row.name, separator, row.value ? row.value : "");
}

/// Lines after the first are indented to the help's column.
void append_row(std::string &text, const OptionRow &row)
{
    std::string left = names_of(row);
    for (std::string_view rest = row.help; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        text += formatted("{:<{}}{}\n", left, kHelpColumn, rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        left.clear();
    }
}

} // namespace

std::span<const OptionHeading> option_headings()
{
    return kHeadings;
}

std::string usage_text()
{
    std::string text = "usage: vmaf -r REFERENCE -d DISTORTED [options]\n";
    for (const OptionHeading &heading : kHeadings) {
        text += formatted("\n{}\n", heading.text);
        for (const OptionRow &row : option_table())
            if (row.group == heading.group)
                append_row(text, row);
    }
    return text;
}

} // namespace vmaf::tool
