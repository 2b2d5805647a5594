#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/format.h"
#include "report/html_text.h"
#include "report/report_json.h"
#include "scores/statistics.h"

/// Parts that several sections of the report use.
namespace vmaf::tool {

using Encodes = std::vector<SummedEncode>;

/// A column summed up.
struct SummedColumn {
    const ScoreColumn &column;
    const Statistics &statistics;

    double of(const TableStatistic &statistic) const { return statistic.of(statistics, column.better); }
};

SummedColumn summed_column(const SummedEncode &encode, std::size_t metric);
/// Empty: the encode has no such column.
std::optional<SummedColumn> column_named(const SummedEncode &encode, std::string_view metric);

/// "∞" and "–" too.
std::string number_text(double value, int decimals);
/// The value as text. Large values have fewer decimals.
std::string score_text(double value);
/// "12.5 MB".
std::string bytes_text(std::uint64_t bytes);

/// The colour of an encode as an element.
std::string swatch(std::size_t encode);

/// The main metric's, or else the first there is; null: there is none.
const ScoreColumn *main_column(const ReportData &data, const ScoreColumns &scores);

/// When frames are shown.
struct Clock {
    std::optional<double> frames_per_second;

    /// "0:12.40"; empty: unknown.
    std::string at(unsigned frame) const;
};
Clock clock_of(const ReportData &data, const ReportEncode &encode);

/// A part for each encode, of which the page's script shows the chosen one's alone.
template <class Make> std::string part_of_each(const Encodes &encodes, Make make)
{
    if (encodes.size() == 1)
        return make(encodes.front());
    std::string text;
    for (std::size_t i = 0; i < encodes.size(); ++i)
        text += formatted("<div data-encode=\"{}\"><h3>{}{}</h3>\n{}</div>\n", i, swatch(i), escaped(encodes[i].label),
                          make(encodes[i]));
    return text;
}

} // namespace vmaf::tool
