#include "output/insertion.h"

#include "common/format.h"

namespace vmaf::tool {

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

} // namespace vmaf::tool
