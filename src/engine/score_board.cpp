#include "engine/score_board.h"

#include <algorithm>

namespace vmaf {
std::uint64_t ScoreBoard::next_call()
{
    const std::lock_guard lock(mutex_);
    return calls_++;
}

void ScoreBoard::frame_started(unsigned index)
{
    const std::lock_guard lock(mutex_);
    if (!first_frame_)
        first_frame_ = last_write_ = std::chrono::steady_clock::now();
    in_flight_.push_back(index);
    highest_index_ = std::max(highest_index_.value_or(0), index);
}

void ScoreBoard::frame_done(unsigned index)
{
    {
        const std::lock_guard lock(mutex_);
        in_flight_.erase(std::find(in_flight_.begin(), in_flight_.end(), index));
    }
    changed_.notify_all();
}

bool ScoreBoard::in_flight(unsigned index) const
{
    const std::lock_guard lock(mutex_);
    return std::find(in_flight_.begin(), in_flight_.end(), index) != in_flight_.end();
}

void ScoreBoard::wait_all_done()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return in_flight_.empty(); });
}

bool ScoreBoard::is_expected(unsigned index) const
{
    return highest_index_ && index <= *highest_index_ &&
           std::any_of(in_flight_.begin(), in_flight_.end(),
                       [index](unsigned frame) { return determines(frame, index); });
}

std::optional<double> ScoreBoard::find_score(std::string_view stored_name, unsigned index) const
{
    const ScoreColumn *column = table_.find(stored_name);
    return column != nullptr ? column->at(index) : std::nullopt;
}

bool ScoreBoard::may_still_come(unsigned index) const
{
    const std::lock_guard lock(mutex_);
    return is_expected(index);
}

std::optional<double> ScoreBoard::score(std::string_view stored_name, unsigned index)
{
    const std::lock_guard lock(mutex_);
    return find_score(stored_name, index);
}

std::optional<double> ScoreBoard::wait_score(std::string_view stored_name, unsigned index)
{
    std::unique_lock lock(mutex_);
    for (;;) {
        if (const std::optional<double> score = find_score(stored_name, index))
            return score;
        if (!is_expected(index))
            return std::nullopt;
        changed_.wait(lock);
    }
}

Result<double> ScoreBoard::pooled(std::string_view stored_name, PoolingMethod method, unsigned low, unsigned high,
                                  unsigned subsample)
{
    wait_all_done();
    return with_table([&](const ScoreTable &table) -> Result<double> {
        const ScoreColumn *column = table.find(stored_name);
        if (column == nullptr)
            return Status::error(EINVAL);
        return pool_scores(*column, method, low, high, subsample);
    });
}

std::string ScoreBoard::formatted(OutputInfo info, OutputFormat format)
{
    wait_all_done();
    const std::lock_guard lock(mutex_);
    const double seconds = first_frame_ ? std::chrono::duration<double>(last_write_ - *first_frame_).count() : 0.0;
    info.fps = info.frame_count / seconds;
    info.flush_call = flush_call_;
    return format_output(table_, info, format);
}

void ScoreBoard::mark_flushed()
{
    const std::lock_guard lock(mutex_);
    flush_call_ = calls_++;
}

} // namespace vmaf
