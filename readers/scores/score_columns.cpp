#include "scores/score_columns.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

struct DestroyColumns {
    void operator()(VmafScoreColumns *columns) const { vmaf_score_columns_destroy(columns); }
};

double finite_or_missing(double score)
{
    return std::isfinite(score) ? score : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

const ScoreColumn *ScoreColumns::metric(std::string_view name) const
{
    const auto found = std::ranges::find(metrics, name, &ScoreColumn::name);
    return found == metrics.end() ? nullptr : &*found;
}

const AggregateScore *ScoreColumns::aggregate(std::string_view name) const
{
    const auto found = std::ranges::find(aggregates, name, &AggregateScore::name);
    return found == aggregates.end() ? nullptr : &*found;
}

ScoreColumns score_columns(VmafContext *context)
{
    VmafScoreColumns *taken = nullptr;
    if (const int error = vmaf_score_columns_create(context, &taken); error != 0)
        throw Failure(kExitSetup, formatted("the library's scores cannot be taken: {}", std::strerror(-error)));
    const std::unique_ptr<VmafScoreColumns, DestroyColumns> owner(taken);
    ScoreColumns columns;
    columns.frames.assign(taken->frames, taken->frames + taken->frame_count);
    for (unsigned i = 0; i < taken->metric_count; ++i) {
        ScoreColumn column{taken->metric_names[i],
                           {taken->metric_scores[i], taken->metric_scores[i] + taken->frame_count}};
        std::ranges::transform(column.scores, column.scores.begin(), finite_or_missing);
        columns.metrics.push_back(std::move(column));
    }
    for (unsigned i = 0; i < taken->aggregate_count; ++i)
        columns.aggregates.push_back({taken->aggregate_names[i], finite_or_missing(taken->aggregates[i])});
    return columns;
}

} // namespace vmaf::tool
