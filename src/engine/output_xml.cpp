#include <cmath>

#include "base/number_text.h"
#include "engine/output_rows.h"
#include "feature/options.h"

namespace vmaf {
namespace {

/// Safe between double quotes.
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text)
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    return result;
}

/// Every attribute ends with a blank.
void append_attribute(std::string &out, std::string_view name, std::string_view value)
{
    out.append(name).append("=\"").append(value).append("\" ");
}

void append_frames(std::string &out, const OutputColumns &columns, const std::vector<std::string> &names,
                   unsigned subsample)
{
    out += "  <frames>\n";
    for (OutputRows rows(columns, subsample); rows.next();) {
        out += "    <frame ";
        append_attribute(out, "frameNum", std::to_string(rows.index()));
        for (const OutputRows::Cell &cell : rows.cells())
            append_attribute(out, names[cell.column], score_text(cell.value));
        out += "/>\n";
    }
    out += "  </frames>\n";
}

void append_pooled(std::string &out, const OutputColumns &columns, const std::vector<std::string> &names,
                   const OutputInfo &info)
{
    out += "  <pooled_metrics>\n";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        out += "    <metric ";
        append_attribute(out, "name", names[i]);
        if (const auto pooled = pooled_over_frames(*columns[i], info)) {
            append_attribute(out, "min", score_text(pooled->min));
            append_attribute(out, "max", score_text(pooled->max));
            append_attribute(out, "mean", score_text(pooled->mean));
            append_attribute(out, "harmonic_mean", score_text(pooled->harmonic_mean));
        }
        out += "/>\n";
    }
    out += "  </pooled_metrics>\n";
}

} // namespace

std::string format_xml(const ScoreTable &table, const OutputInfo &info)
{
    const OutputColumns columns = table.ordered_columns(info.flush_call);
    std::vector<std::string> names;
    for (const ScoreColumn *column : columns)
        names.push_back(escaped(output_alias(column->stored_name())));

    std::string out = "<VMAF version=\"" + info.version + "\">\n  <params ";
    append_attribute(out, "qualityWidth", std::to_string(info.width_px));
    append_attribute(out, "qualityHeight", std::to_string(info.height_px));
    out += "/>\n  <fyi ";
    append_attribute(out, "fps", format_fixed(std::isfinite(info.fps) ? info.fps : 0, 2));
    out += "/>\n";
    append_frames(out, columns, names, info.subsample);
    append_pooled(out, columns, names, info);
    out += "  <aggregate_metrics ";
    for (const auto &[name, value] : table.aggregates())
        append_attribute(out, escaped(output_alias(name)), score_text(value));
    out += "/>\n</VMAF>\n";
    return out;
}

} // namespace vmaf
