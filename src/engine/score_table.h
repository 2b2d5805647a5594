#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vmaf {

/// Place of a column in outputs (spec abi 4.2): by the client's call that first wrote it, then by
/// the place within that call. A function of the calls only, so threads and devices cannot change
/// it.
struct ColumnOrder {
    std::uint64_t call = 0;
    std::uint32_t place = 0;
    auto operator<=>(const ColumnOrder &) const = default;
};
/// Delayed outputs stand where the flush writes them; before it, after everything else.
constexpr std::uint64_t kFlushCall = std::numeric_limits<std::uint64_t>::max();

/// Frames that a score waits for besides its own. Delayed and running outputs wait for all frames
/// of lower indices and for some after it.
struct ScoreWait {
    bool for_earlier = false;
    unsigned frames_after = 0;
};

/// Scores of one name: frame index -> value, each written once. 8 bytes a score in blocks of 256
/// indices, so sparse indices cost a block each.
class ScoreColumn {
  public:
    explicit ScoreColumn(std::string stored_name) : stored_name_(std::move(stored_name)) {}

    const std::string &stored_name() const { return stored_name_; }
    std::optional<double> at(unsigned index) const;
    /// The other frames that a score waits for. Needs the table's lock: the first read may change
    /// it.
    ScoreWait wait() const { return wait_; }
    /// Make scores wait for all frames before their own, and for this many after it.
    void wait_for_others(unsigned frames_after) { wait_ = {true, std::max(wait_.frames_after, frames_after)}; }
    /// The smallest index from `index` on that holds a score.
    std::optional<unsigned> next_index(unsigned index) const;

  private:
    friend class ScoreTable;

    static constexpr unsigned kBlockSize = 256;
    struct Block {
        std::array<double, kBlockSize> values;
        std::bitset<kBlockSize> written;
    };

    std::string stored_name_;
    ScoreWait wait_;
    ColumnOrder order_{kFlushCall, std::numeric_limits<std::uint32_t>::max()};
    std::map<unsigned, std::unique_ptr<Block>> blocks_; ///< key: index / kBlockSize
};

/// All scores of a session. Not thread-safe: the session's lock protects it.
class ScoreTable {
  public:
    /// The column of that stored name, made if need be. The reference stays valid for the table's
    /// life.
    ScoreColumn &column(std::string_view stored_name);
    const ScoreColumn *find(std::string_view stored_name) const;

    /// Appends; -EINVAL and a warning if (column, index) is written already, -ENOMEM for the index
    /// UINT_MAX. Throws std::bad_alloc, and then nothing has changed.
    Status append(ScoreColumn &column, unsigned index, double value, ColumnOrder order);
    /// Lets the column stand no later than there, whenever its scores come.
    static void place(ScoreColumn &column, ColumnOrder order) noexcept
    {
        column.order_ = std::min(column.order_, order);
    }
    /// Makes room for a score of that index. Throws std::bad_alloc.
    static void reserve(ScoreColumn &column, unsigned index);
    /// Appends where there is room and no score yet; cannot fail.
    void append_reserved(ScoreColumn &column, unsigned index, double value, ColumnOrder order) noexcept;

    /// A clip's value; -EINVAL if the name holds another one.
    Status append_aggregate(std::string_view name, double value);

    /// Columns that hold a score, in output order.
    /// @param flush_call the call that flushed, kFlushCall before it.
    std::vector<const ScoreColumn *> ordered_columns(std::uint64_t flush_call) const;
    /// Aggregates in the order of their first append.
    const std::vector<std::pair<std::string, double>> &aggregates() const { return aggregates_; }

  private:
    std::map<std::string, std::unique_ptr<ScoreColumn>, std::less<>> columns_;
    std::vector<std::pair<std::string, double>> aggregates_;
};

} // namespace vmaf
