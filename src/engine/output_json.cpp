#include <cmath>

#include "base/number_text.h"
#include "base/utf8.h"
#include "engine/output_rows.h"
#include "feature/registry.h"

namespace vmaf {
namespace {

/// The text as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text)
{
    std::string result = "\"";
    while (!text.empty()) {
        const auto [code, bytes] = cut_character(text);
        const char32_t character = code.value_or(0);
        if (!code) {
            result += kReplacementCharacter;
        } else if (character == '"' || character == '\\') {
            result += '\\';
            result += bytes;
        } else if (character < 0x20) {
            result += "\\u00";
            result += "0123456789abcdef"[character >> 4];
            result += "0123456789abcdef"[character & 15];
        } else {
            result += bytes;
        }
    }
    return result + '"';
}

/// JSON has no text for NaN and infinities.
std::string json_score(double value, const ScoreFormat &format)
{
    return std::isfinite(value) ? format.text(value) : "null";
}

/// Members or elements between brackets: a comma and a newline before each but the first, a newline
/// after the last.
class JsonList {
  public:
    explicit JsonList(std::string &out) : out_(out) {}

    std::string &next()
    {
        if (!empty_)
            out_ += ",\n";
        empty_ = false;
        return out_;
    }
    void end()
    {
        if (!empty_)
            out_ += '\n';
    }

  private:
    std::string &out_;
    bool empty_ = true;
};

void append_member(JsonList &list, std::string_view indent, std::string_view quoted_name, double value,
                   const ScoreFormat &format)
{
    list.next().append(indent).append(quoted_name).append(": ").append(json_score(value, format));
}

void append_json_frames(std::string &out, const OutputColumns &columns, const std::vector<std::string> &names,
                        const OutputInfo &info)
{
    out += "  \"frames\": [\n";
    JsonList frames(out);
    for (OutputRows rows(columns, info.subsample); rows.next();) {
        frames.next() += "    {\n      \"frameNum\": " + std::to_string(rows.index()) + ",\n      \"metrics\": {\n";
        JsonList metrics(out);
        for (const OutputRows::Cell &cell : rows.cells())
            append_member(metrics, "        ", names[cell.column], cell.value, info.numbers);
        metrics.end();
        out += "      }\n    }";
    }
    frames.end();
    out += "  ],\n";
}

void append_json_pooled(std::string &out, const OutputColumns &columns, const std::vector<std::string> &names,
                        const OutputInfo &info)
{
    out += "  \"pooled_metrics\": {\n";
    JsonList list(out);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        list.next() += "    " + names[i] + ": {\n";
        JsonList values(out);
        if (const auto pooled = pooled_over_frames(*columns[i], info)) {
            append_member(values, "      ", "\"min\"", pooled->min, info.numbers);
            append_member(values, "      ", "\"max\"", pooled->max, info.numbers);
            append_member(values, "      ", "\"mean\"", pooled->mean, info.numbers);
            append_member(values, "      ", "\"harmonic_mean\"", pooled->harmonic_mean, info.numbers);
        }
        values.end();
        out += "    }";
    }
    list.end();
    out += "  },\n";
}

void append_aggregates(std::string &out, const ScoreTable &table, const ScoreFormat &format)
{
    out += "  \"aggregate_metrics\": {\n";
    JsonList list(out);
    for (const auto &[name, value] : table.aggregates())
        append_member(list, "    ", json_string(output_alias(name)), value, format);
    list.end();
    out += "  }\n";
}

} // namespace

std::string format_json(const ScoreTable &table, const OutputInfo &info)
{
    const OutputColumns columns = table.ordered_columns(info.flush_call);
    std::vector<std::string> names;
    for (const ScoreColumn *column : columns)
        names.push_back(json_string(output_alias(column->stored_name())));

    std::string out = "{\n  \"version\": " + json_string(info.version) + ",\n";
    out += "  \"fps\": " + (std::isfinite(info.fps) ? format_fixed(info.fps, 2) : "null") + ",\n";
    append_json_frames(out, columns, names, info);
    append_json_pooled(out, columns, names, info);
    append_aggregates(out, table, info.numbers);
    out += "}\n";
    return out;
}

} // namespace vmaf
