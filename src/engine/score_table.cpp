#include "engine/score_table.h"

#include <algorithm>
#include <climits>

#include "base/log.h"

namespace vmaf {

std::optional<double> ScoreColumn::at(unsigned index) const
{
    const auto it = blocks_.find(index / kBlockSize);
    if (it == blocks_.end() || !it->second->written[index % kBlockSize])
        return std::nullopt;
    return it->second->values[index % kBlockSize];
}

std::optional<unsigned> ScoreColumn::next_index(unsigned index) const
{
    for (auto it = blocks_.lower_bound(index / kBlockSize); it != blocks_.end(); ++it) {
        const unsigned first = it->first * kBlockSize;
        for (unsigned i = first < index ? index - first : 0; i < kBlockSize; ++i)
            if (it->second->written[i])
                return first + i;
    }
    return std::nullopt;
}

ScoreColumn &ScoreTable::column(std::string_view stored_name)
{
    const auto it = columns_.find(stored_name);
    if (it != columns_.end())
        return *it->second;
    std::string name(stored_name);
    auto column = std::make_unique<ScoreColumn>(name);
    return *columns_.emplace(std::move(name), std::move(column)).first->second;
}

const ScoreColumn *ScoreTable::find(std::string_view stored_name) const
{
    const auto it = columns_.find(stored_name);
    return it == columns_.end() ? nullptr : it->second.get();
}

void ScoreTable::reserve(ScoreColumn &column, unsigned index)
{
    const unsigned key = index / ScoreColumn::kBlockSize;
    if (!column.blocks_.contains(key))
        column.blocks_.emplace(key, std::make_unique<ScoreColumn::Block>());
}

Status ScoreTable::append(ScoreColumn &column, unsigned index, double value, ColumnOrder order)
{
    if (index == UINT_MAX)
        return Status::error(ENOMEM);
    if (column.at(index)) {
        log(LogLevel::warning, "%s: the score of frame %u exists and cannot be overwritten",
            column.stored_name().c_str(), index);
        return Status::error(EINVAL);
    }
    reserve(column, index);
    append_reserved(column, index, value, order);
    return {};
}

void ScoreTable::append_reserved(ScoreColumn &column, unsigned index, double value, ColumnOrder order) noexcept
{
    ScoreColumn::Block &block = *column.blocks_.find(index / ScoreColumn::kBlockSize)->second;
    block.values[index % ScoreColumn::kBlockSize] = value;
    block.written.set(index % ScoreColumn::kBlockSize);
    place(column, order);
}

Status ScoreTable::append_aggregate(std::string_view name, double value)
{
    for (const auto &[existing, existing_value] : aggregates_)
        if (existing == name) {
            if (existing_value == value)
                return {};
            log(LogLevel::warning, "%s: the clip's value exists and cannot be overwritten", existing.c_str());
            return Status::error(EINVAL);
        }
    aggregates_.emplace_back(name, value);
    return {};
}

std::vector<const ScoreColumn *> ScoreTable::ordered_columns(std::uint64_t flush_call) const
{
    std::vector<const ScoreColumn *> list;
    for (const auto &[name, column] : columns_)
        if (column->next_index(0))
            list.push_back(column.get());
    const auto place = [flush_call](const ScoreColumn *column) {
        ColumnOrder order = column->order_;
        if (order.call == kFlushCall)
            order.call = flush_call;
        return order;
    };
    std::sort(list.begin(), list.end(),
              [&](const ScoreColumn *a, const ScoreColumn *b) { return place(a) < place(b); });
    return list;
}

} // namespace vmaf
