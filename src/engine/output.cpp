#include "engine/output.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "engine/output_rows.h"

namespace vmaf {

OutputRows::OutputRows(const OutputColumns &columns, unsigned subsample)
    : columns_(columns), step_(std::max(subsample, 1U))
{
    cells_.reserve(columns.size());
    for (const ScoreColumn *column : columns)
        upcoming_.push_back(row_from(*column, 0));
}

bool OutputRows::next()
{
    std::optional<unsigned> nearest;
    for (const std::optional<unsigned> row : upcoming_)
        if (row && (!nearest || *row < *nearest))
            nearest = row;
    if (!nearest)
        return false;
    index_ = *nearest;
    cells_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (upcoming_[i] == nearest) {
            cells_.push_back({i, *columns_[i]->at(index_)});
            upcoming_[i] = row_from(*columns_[i], index_ + step_);
        }
    return true;
}

std::optional<unsigned> OutputRows::row_from(const ScoreColumn &column, std::uint64_t index) const
{
    while (index <= std::numeric_limits<unsigned>::max()) {
        const std::optional<unsigned> scored = column.next_index(static_cast<unsigned>(index));
        if (!scored || *scored % step_ == 0)
            return scored;
        index = (*scored / step_ + 1) * step_;
    }
    return std::nullopt;
}

std::optional<PooledScores> pooled_over_frames(const ScoreColumn &column, const OutputInfo &info)
{
    if (info.frame_count == 0)
        return std::nullopt;
    Result<PooledScores> pooled = pool_scores(column, 0, info.frame_count - 1, info.subsample);
    if (!pooled.ok())
        return std::nullopt;
    return pooled.value();
}

std::string format_output(const ScoreTable &table, const OutputInfo &info, OutputFormat format)
{
    switch (format) {
    case OutputFormat::xml:
        return format_xml(table, info);
    case OutputFormat::json:
        return format_json(table, info);
    case OutputFormat::csv:
        return format_csv(table, info);
    case OutputFormat::sub:
        return format_sub(table, info);
    }
    return {};
}

} // namespace vmaf
