// Functions of a session for its scores.

#include "engine/session.h"

namespace vmaf {

const ScoreColumn *Session::find_column(std::string_view stored_name)
{
    return table_.with([&](const ScoreTable &table) { return table.find(stored_name); });
}

Result<double> Session::score(std::string_view stored_name, unsigned index)
{
    const ScoreColumn *column = find_column(stored_name);
    return column != nullptr ? score(*column, index) : Status::error(EINVAL);
}

Result<double> Session::score(const ScoreColumn &column, unsigned index)
{
    const ScoreNeeds needs{index, table_.with([&](const ScoreTable &) { return column.wait(); })};
    const auto stored = [&] { return table_.with([&](const ScoreTable &) { return column.at(index); }); };
    const std::optional<double> score = ledger_.wait_for(needs, [&] {
        std::optional<double> found = stored();
        while (!found && ledger_.may_still_come(needs) && collect(Lane::Wait::for_oldest))
            found = stored();
        return found;
    });
    if (score)
        return *score;
    return ledger_.why_missing(needs);
}

Result<double> Session::pooled(std::string_view stored_name, PoolingMethod method, unsigned low, unsigned high)
{
    drain();
    const ScoreColumn *column = find_column(stored_name);
    return column != nullptr ? pooled(*column, method, low, high) : Status::error(EINVAL);
}

Result<double> Session::pooled(const ScoreColumn &column, PoolingMethod method, unsigned low, unsigned high)
{
    drain();
    ScoreWait wait;
    const Result<double> value = table_.with([&](const ScoreTable &) {
        wait = column.wait();
        return pool_scores(column, method, low, high, config_.subsample);
    });
    return value.ok() ? value : ledger_.why_missing(low, high, wait);
}

Status Session::import_score(std::string_view stored_name, double value, unsigned index)
{
    const std::uint64_t call = next_call();
    return table_.with([&](ScoreTable &table) {
        return table.append(table.column(stored_name), index, value, ColumnOrder{call, 0});
    });
}

std::string Session::formatted(OutputFormat format, const ScoreFormat &numbers, std::string_view version)
{
    drain();
    OutputInfo info;
    info.version = version;
    if (pictures_.format()) {
        info.width_px = pictures_.format()->width;
        info.height_px = pictures_.format()->height;
    }
    info.frame_count = pictures_.pair_count();
    info.subsample = config_.subsample;
    info.fps = info.frame_count / ledger_.seconds();
    info.flush_call = flush_call_;
    info.numbers = numbers;
    return table_.with([&](const ScoreTable &table) { return format_output(table, info, format); });
}

ScoreSnapshot Session::scores()
{
    drain();
    return table_.with([&](const ScoreTable &table) { return snapshot_of(table, config_.subsample, flush_call_); });
}

} // namespace vmaf
