#include "output/score_text.h"

#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

/// Two hyphens would end a comment. In JSON they stand in strings alone.
std::string without_double_hyphens(std::string json)
{
    for (std::size_t at = 0; (at = json.find("--", at)) != json.npos;)
        json.replace(at + 1, 1, "\\u002d");
    return json;
}

} // namespace

std::string score_text(VmafContext *context, VmafOutputFormat format, NumberFormat numbers)
{
    std::string text;
    pipe_scores(context, format, numbers, [&text](UniqueFd fd) {
        if (!read_all(fd.get(), text))
            throw Failure(kExitSetup, cannot_write("scores"));
    });
    return text;
}

void append_json_member(std::string &text, const std::string &member)
{
    const std::size_t root_end = text.rfind('}');
    const std::size_t last_member_end = text.find_last_not_of(" \n", root_end - 1) + 1;
    text.insert(last_member_end, formatted(",\n  {}", member));
}

void append_xml_comment(std::string &text, const std::string &comment)
{
    text.insert(text.rfind("</VMAF>"), formatted("  <!-- {} -->\n", comment));
}

std::string mark_incomplete(std::string text, VmafOutputFormat format, const Incomplete &incomplete)
{
    const char *const reason = reason_text(incomplete.reason);
    if (format == VMAF_OUTPUT_FORMAT_JSON)
        append_json_member(
            text, formatted("\"incomplete\": {{\"reason\": \"{}\", \"frames\": {}}}", reason, incomplete.frames));
    if (format == VMAF_OUTPUT_FORMAT_XML)
        append_xml_comment(text, formatted("incomplete: reason=\"{}\" frames=\"{}\"", reason, incomplete.frames));
    return text;
}

std::string add_record(std::string text, VmafOutputFormat format, const std::string &name, std::string record)
{
    if (format == VMAF_OUTPUT_FORMAT_JSON)
        append_json_member(text, formatted("\"{}\": {}", name, record));
    if (format == VMAF_OUTPUT_FORMAT_XML)
        append_xml_comment(text, formatted("{}: {}", name, without_double_hyphens(std::move(record))));
    return text;
}

} // namespace vmaf::tool
