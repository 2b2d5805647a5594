#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "engine/output_rows.h"
#include "feature/registry.h"

namespace vmaf {
namespace {

/// Between double quotes. What XML cannot hold, not even escaped, becomes U+FFFD: bytes that are no
/// UTF-8, most control characters.
std::string escaped(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const auto [code, bytes] = cut_character(text);
        const char32_t character = code.value_or(0xffff);
        if (character == '\t' || character == '\n' || character == '\r') // a reader would see a blank
            result += "&#" + std::to_string(static_cast<unsigned>(character)) + ";";
        else if (character < 0x20 || character == 0xfffe || character == 0xffff)
            result += kReplacementCharacter;
        else if (character == '&')
            result += "&amp;";
        else if (character == '<')
            result += "&lt;";
        else if (character == '"')
            result += "&quot;";
        else
            result += bytes;
    }
    return result;
}

struct CodeRange {
    char32_t first;
    char32_t last;
};

bool is_in(std::span<const CodeRange> ranges, char32_t code)
{
    return std::ranges::any_of(ranges, [code](const CodeRange &r) { return code >= r.first && code <= r.last; });
}

/// Letters that names may hold in every edition of XML 1.0; parsers follow one or the other. No
/// colon, which would be a name space, and of the letters beyond Latin those of the larger scripts.
bool may_begin_name(char32_t code)
{
    constexpr CodeRange kLetters[] = {{'A', 'Z'},       {'_', '_'},       {'a', 'z'},       {0xc0, 0xd6},
                                      {0xd8, 0xf6},     {0xf8, 0x131},    {0x134, 0x13e},   {0x141, 0x148},
                                      {0x14a, 0x17e},                                     // Latin
                                      {0x38e, 0x3a1},   {0x3a3, 0x3ce},                   // Greek
                                      {0x401, 0x40c},   {0x40e, 0x44f},   {0x451, 0x45c}, // Cyrillic
                                      {0x3041, 0x3094}, {0x30a1, 0x30fa}, {0x4e00, 0x9fa5}, {0xac00, 0xd7a3}};
    return is_in(kLetters, code);
}
bool may_continue_name(char32_t code)
{
    constexpr CodeRange kOthers[] = {{'-', '.'}, {'0', '9'}};
    return may_begin_name(code) || is_in(kOthers, code);
}

/// Names of scores as names of the attributes of one element: what a name may not hold becomes '_',
/// and '_' is put before what a name may not begin with and behind what the element has already.
class AttributeNames {
  public:
    explicit AttributeNames(std::set<std::string> used = {}) : used_(std::move(used)) {}

    std::string of(std::string_view text)
    {
        std::string name;
        while (!text.empty()) {
            const auto [code, bytes] = cut_character(text);
            const bool fits = code && may_continue_name(*code);
            if (name.empty() && fits && !may_begin_name(*code))
                name += '_';
            name += fits ? bytes : "_";
        }
        while (name.empty() || !used_.insert(name).second)
            name += '_';
        return name;
    }

  private:
    std::set<std::string> used_;
};

/// Every attribute ends with a blank.
void append_attribute(std::string &out, std::string_view name, std::string_view value)
{
    out.append(name).append("=\"").append(value).append("\" ");
}

void append_xml_frames(std::string &out, const OutputColumns &columns, const std::vector<std::string> &attributes,
                       const OutputInfo &info)
{
    out += "  <frames>\n";
    for (OutputRows rows(columns, info.subsample); rows.next();) {
        out += "    <frame ";
        append_attribute(out, "frameNum", std::to_string(rows.index()));
        for (const OutputRows::Cell &cell : rows.cells())
            append_attribute(out, attributes[cell.column], info.numbers.text(cell.value));
        out += "/>\n";
    }
    out += "  </frames>\n";
}

void append_xml_pooled(std::string &out, const OutputColumns &columns, const std::vector<std::string> &names,
                       const OutputInfo &info)
{
    out += "  <pooled_metrics>\n";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        out += "    <metric ";
        append_attribute(out, "name", names[i]);
        if (const auto pooled = pooled_over_frames(*columns[i], info)) {
            append_attribute(out, "min", info.numbers.text(pooled->min));
            append_attribute(out, "max", info.numbers.text(pooled->max));
            append_attribute(out, "mean", info.numbers.text(pooled->mean));
            append_attribute(out, "harmonic_mean", info.numbers.text(pooled->harmonic_mean));
        }
        out += "/>\n";
    }
    out += "  </pooled_metrics>\n";
}

} // namespace

std::string format_xml(const ScoreTable &table, const OutputInfo &info)
{
    const OutputColumns columns = table.ordered_columns(info.flush_call);
    std::vector<std::string> names, attributes;
    AttributeNames frame_attributes({"frameNum"}), aggregate_attributes;
    for (const ScoreColumn *column : columns) {
        names.push_back(escaped(output_alias(column->stored_name())));
        attributes.push_back(frame_attributes.of(output_alias(column->stored_name())));
    }

    std::string out = "<VMAF version=\"" + info.version + "\">\n  <params ";
    append_attribute(out, "qualityWidth", std::to_string(info.width_px));
    append_attribute(out, "qualityHeight", std::to_string(info.height_px));
    out += "/>\n  <fyi ";
    append_attribute(out, "fps", format_fixed(std::isfinite(info.fps) ? info.fps : 0, 2));
    out += "/>\n";
    append_xml_frames(out, columns, attributes, info);
    append_xml_pooled(out, columns, names, info);
    out += "  <aggregate_metrics ";
    for (const auto &[name, value] : table.aggregates())
        append_attribute(out, aggregate_attributes.of(output_alias(name)), info.numbers.text(value));
    out += "/>\n</VMAF>\n";
    return out;
}

} // namespace vmaf
