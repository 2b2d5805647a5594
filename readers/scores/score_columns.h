#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// One metric's scores, one a row of ScoreColumns::frames.
struct ScoreColumn {
    std::string name;
    std::vector<double> scores; ///< NaN: the frame has none, or none that is finite
};

/// One value for the whole clip.
struct AggregateScore {
    std::string name;
    double value; ///< NaN: not finite
};

/// Everything that a session scored, with the names and in the order of its score files (spec abi 6).
struct ScoreColumns {
    std::vector<unsigned> frames; ///< numbers of the scored frames, ascending
    std::vector<ScoreColumn> metrics;
    std::vector<AggregateScore> aggregates;

    /// Null if there is none of that name.
    const ScoreColumn *metric(std::string_view name) const;
    const AggregateScore *aggregate(std::string_view name) const;
};

/// Of a session whose models' scores have been pooled. Throws Failure.
ScoreColumns score_columns(VmafContext *context);

/// The same, taken when somebody first asks. For one thread.
class LazyScoreColumns {
  public:
    explicit LazyScoreColumns(VmafContext *context) : context_(context) {}
    /// Throws Failure.
    const ScoreColumns &get() const
    {
        if (!columns_)
            columns_ = score_columns(context_);
        return *columns_;
    }

  private:
    VmafContext *context_;
    mutable std::optional<ScoreColumns> columns_;
};

} // namespace vmaf::tool
