#include "output/incomplete_mark.h"

#include "common/format.h"
#include "output/insertion.h"

namespace vmaf::tool {

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

} // namespace vmaf::tool
