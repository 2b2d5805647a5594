#include "output/log_details.h"

#include <utility>

#include "output/insertion.h"

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

std::string add_details(std::string text, VmafOutputFormat format, std::string details)
{
    if (format == VMAF_OUTPUT_FORMAT_JSON)
        append_json_member(text, "\"details\": " + details);
    if (format == VMAF_OUTPUT_FORMAT_XML)
        append_xml_comment(text, "details: " + without_double_hyphens(std::move(details)));
    return text;
}

} // namespace vmaf::tool
