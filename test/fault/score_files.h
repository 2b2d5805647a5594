#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

namespace vmaf::test {

/// Rows of a score file by frame index. A cell is "name=text", or in CSV "text" alone.
using FileRows = std::map<unsigned, std::multiset<std::string>>;

/// @param format from 0: XML, JSON, CSV, SUB.
FileRows rows_of_file(const std::string &text, unsigned format);

/// Lines of an XML file's pooled metrics, by name.
std::map<std::string, std::string> pooled_lines(const std::string &xml);

/// The text without the frames per second, which differ in every run.
std::string without_speed(const std::string &text);

} // namespace vmaf::test
