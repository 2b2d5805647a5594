#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/report_json.h"
#include "scores/statistics.h"

/// What several sections of the report are made of.
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
/// With as many decimals as its size leaves room for.
std::string score_text(double value);
/// "12.5 MB".
std::string bytes_text(std::uint64_t bytes);

/// The colour of an encode as an element.
std::string swatch(std::size_t encode);

} // namespace vmaf::tool
