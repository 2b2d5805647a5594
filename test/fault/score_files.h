#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

namespace vmaf::test {

/// A score file's rows: by frame index the cells, as "name=text", or "text" alone in CSV.
using FileRows = std::map<unsigned, std::multiset<std::string>>;

/// @param format from 0: XML, JSON, CSV, SUB.
FileRows rows_of_file(const std::string &text, unsigned format);

/// The lines of an XML file's pooled metrics, by name.
std::map<std::string, std::string> pooled_lines(const std::string &xml);

/// The text without the frames per second, which no two runs share.
std::string without_speed(const std::string &text);

} // namespace vmaf::test
