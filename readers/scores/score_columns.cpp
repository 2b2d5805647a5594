#include "scores/score_columns.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "common/failure.h"
#include "common/format.h"
#include "library/lists.h"

namespace vmaf::tool {
namespace {

struct DestroyColumns {
    void operator()(VmafScoreColumns *columns) const { vmaf_score_columns_destroy(columns); }
};

/// An aggregate has its column's name with an "a" in front. Empty: there is none.
std::string of_whole_clip(const ScoreColumns &columns, const std::string &column)
{
    const std::string name = "a" + column;
    if (const AggregateScore *aggregate = columns.aggregate(name))
        return formatted("; {}, of the whole clip, is {:.4f}", printable(name), aggregate->value);
    return {};
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

bool is_of_frame(const std::string &column)
{
    const VmafOutputInfo *const output = find_output(column);
    return output == nullptr || output->merge == VMAF_MERGE_FRAMES;
}

ScoreColumns score_columns(VmafContext *context, const SessionFrames &frames)
{
    VmafScoreColumns *taken = nullptr;
    if (const int error = vmaf_score_columns_create(context, &taken); error != 0)
        throw Failure(kExitSetup, formatted("the library's scores cannot be read: {}", std::strerror(-error)));
    const std::unique_ptr<VmafScoreColumns, DestroyColumns> owner(taken);
    ScoreColumns columns;
    columns.frames.assign(taken->frames, taken->frames + taken->frame_count);
    for (unsigned &frame : columns.frames)
        if (!frames.pairs.empty()) {
            if (frames.refs == SessionFrames::are_named)
                columns.ref_frames.push_back(frames.pairs[frame].ref);
            frame = frames.pairs[frame].dis;
        }
    for (unsigned i = 0; i < taken->metric_count; ++i) {
        const char *const name = taken->metric_names[i];
        const double *const scores = taken->metric_scores[i];
        columns.metrics.push_back({name, {scores, scores + taken->frame_count}, direction_of(name)});
        if (frames.sample != nullptr && is_of_frame(name))
            columns.metrics.back().interval =
                frames.sample->interval_of_mean(columns.metrics.back().scores, frames.per_stratum);
    }
    for (unsigned i = 0; i < taken->aggregate_count; ++i)
        columns.aggregates.push_back({taken->aggregate_names[i], taken->aggregates[i]});
    return columns;
}

std::vector<std::string> notes_of_infinite_scores(const ScoreColumns &columns)
{
    std::vector<std::string> notes;
    for (const ScoreColumn &column : columns.metrics) {
        const auto infinite = std::ranges::count_if(column.scores, [](double score) { return std::isinf(score); });
        if (infinite > 0 && std::ranges::any_of(column.scores, [](double score) { return std::isfinite(score); }))
            notes.push_back(formatted("{} is infinite in {} of {} frames, and so is its mean{}", printable(column.name),
                                      infinite, column.scores.size(), of_whole_clip(columns, column.name)));
    }
    return notes;
}

} // namespace vmaf::tool
