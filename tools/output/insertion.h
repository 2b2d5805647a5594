#pragma once

#include <string>

/// Where a score file of the library takes more.
namespace vmaf::tool {

/// @param member a name and a value, behind the last member of the root.
void append_json_member(std::string &text, const std::string &member);

/// Before the root's end.
void append_xml_comment(std::string &text, const std::string &comment);

} // namespace vmaf::tool
