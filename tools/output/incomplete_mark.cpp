#include "output/incomplete_mark.h"

#include "common/format.h"

namespace vmaf::tool {

std::string mark_incomplete(std::string text, VmafOutputFormat format, const Incomplete &incomplete)
{
    const char *const reason = reason_text(incomplete.reason);
    if (format == VMAF_OUTPUT_FORMAT_JSON) {
        const std::size_t root_end = text.rfind('}');
        const std::size_t last_member_end = text.find_last_not_of(" \n", root_end - 1) + 1;
        text.insert(last_member_end, formatted(",\n  \"incomplete\": {{\"reason\": \"{}\", \"frames\": {}}}", reason,
                                               incomplete.frames));
    }
    if (format == VMAF_OUTPUT_FORMAT_XML)
        text.insert(text.rfind("</VMAF>"),
                    formatted("  <!-- incomplete: reason=\"{}\" frames=\"{}\" -->\n", reason, incomplete.frames));
    return text;
}

} // namespace vmaf::tool
