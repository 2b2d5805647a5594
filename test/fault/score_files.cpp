#include "fault/score_files.h"

#include <sstream>
#include <vector>

namespace vmaf::test {
namespace {

std::vector<std::string> lines_of(const std::string &text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::vector<std::string> split(const std::string &text, char separator)
{
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

/// The text between the next two quotes from `at` on. Moves `at` behind them.
std::string next_quoted(const std::string &line, std::size_t &at)
{
    const std::size_t open = line.find('"', at), close = line.find('"', open + 1);
    if (open == std::string::npos || close == std::string::npos) {
        at = std::string::npos;
        return {};
    }
    at = close + 1;
    return line.substr(open + 1, close - open - 1);
}

unsigned number(const std::string &text)
{
    return static_cast<unsigned>(std::stoul(text));
}

//     <frame frameNum="0" integer_adm2="0.9" ... />
FileRows xml_rows(const std::string &text)
{
    FileRows rows;
    for (const std::string &line : lines_of(text)) {
        if (line.find("<frame ") == std::string::npos)
            continue;
        std::size_t at = line.find("frameNum=") + 1;
        auto &cells = rows[number(next_quoted(line, at))];
        while (at < line.size()) {
            const std::size_t name = line.find_first_not_of(' ', at), equals = line.find('=', name);
            if (equals == std::string::npos)
                break;
            at = equals;
            const std::string value = next_quoted(line, at);
            cells.insert(line.substr(name, equals - name) + "=" + value);
        }
    }
    return rows;
}

//       "frameNum": 0,
//       "metrics": {
//         "integer_adm2": 0.9,
FileRows json_rows(const std::string &text)
{
    FileRows rows;
    std::multiset<std::string> *cells = nullptr;
    for (const std::string &line : lines_of(text)) {
        std::size_t at = 0;
        const std::string name = next_quoted(line, at);
        if (name == "pooled_metrics")
            break;
        if (name == "frameNum")
            cells = &rows[number(line.substr(at + 2))];
        else if (cells != nullptr && !name.empty() && name != "metrics")
            cells->insert(name + "=" + line.substr(at + 2, line.find_last_not_of(',') - at - 1));
    }
    return rows;
}

// Frame,integer_adm2,...,
// 0,0.9,...,
FileRows csv_rows(const std::string &text)
{
    FileRows rows;
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> parts = split(lines[i], ',');
        rows[number(parts[0])].insert(parts.begin() + 1, parts.end());
    }
    return rows;
}

// {0}{1}frame: 0|integer_adm2: 0.9|...
FileRows sub_rows(const std::string &text)
{
    FileRows rows;
    for (const std::string &line : lines_of(text)) {
        const std::vector<std::string> parts = split(line, '|');
        auto &cells = rows[number(line.substr(1))];
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const std::size_t colon = parts[i].find(": ");
            cells.insert(parts[i].substr(0, colon) + "=" + parts[i].substr(colon + 2));
        }
    }
    return rows;
}

} // namespace

FileRows rows_of_file(const std::string &text, unsigned format)
{
    constexpr FileRows (*kParsers[])(const std::string &) = {xml_rows, json_rows, csv_rows, sub_rows};
    return kParsers[format](text);
}

std::map<std::string, std::string> pooled_lines(const std::string &xml)
{
    std::map<std::string, std::string> pooled;
    for (const std::string &line : lines_of(xml))
        if (std::size_t at = 0; line.find("<metric name=") != std::string::npos)
            pooled[next_quoted(line, at)] = line;
    return pooled;
}

std::string without_speed(const std::string &text)
{
    std::string result;
    for (const std::string &line : lines_of(text))
        if (line.find("fps") == std::string::npos)
            result += line + "\n";
    return result;
}

} // namespace vmaf::test
