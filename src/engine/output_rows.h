#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/output.h"
#include "engine/pooling.h"

/// Common parts of the four formats of score files.
namespace vmaf {

using OutputColumns = std::vector<const ScoreColumn *>;

/// The rows of a score file in ascending order: every index that is a multiple of `subsample` and
/// holds a score in at least one column.
class OutputRows {
  public:
    struct Cell {
        std::size_t column;
        double value;
    };

    OutputRows(const OutputColumns &columns, unsigned subsample);

    /// Moves to the first or next row; false after the last.
    bool next();

    unsigned index() const { return index_; }
    /// The scores that the row has, in column order.
    std::span<const Cell> cells() const { return cells_; }

  private:
    /// The column's first row from `index` on.
    std::optional<unsigned> row_from(const ScoreColumn &column, std::uint64_t index) const;

    const OutputColumns &columns_;
    std::uint64_t step_;
    std::vector<std::optional<unsigned>> upcoming_; ///< each column's next row
    std::vector<Cell> cells_;
    unsigned index_ = 0;
};

/// The column's pooled scores over the session's frames; none if a score is missing.
std::optional<PooledScores> pooled_over_frames(const ScoreColumn &column, const OutputInfo &info);

std::string format_xml(const ScoreTable &table, const OutputInfo &info);
std::string format_json(const ScoreTable &table, const OutputInfo &info);
std::string format_csv(const ScoreTable &table, const OutputInfo &info);
std::string format_sub(const ScoreTable &table, const OutputInfo &info);

} // namespace vmaf
