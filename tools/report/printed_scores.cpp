#include "report/printed_scores.h"

#include <algorithm>

#include "common/format.h"
#include "common/printable.h"
#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

std::string line(const std::string &name, double value, NumberFormat numbers)
{
    return formatted("{} {}\n", printable(name), numbers.text(value));
}

} // namespace

std::string printed_scores(const ScoreColumns &columns, std::span<const ScoredModel> models, NumberFormat numbers)
{
    std::string of_models, of_features;
    for (const ScoredModel &model : models)
        for (const ScoreColumn &column : columns.metrics)
            if (is_of_model(column.name, model))
                of_models += line(column.name, statistics_of(column.scores).mean, numbers);
    for (const ScoreColumn &column : columns.metrics)
        if (std::ranges::none_of(models, [&](const ScoredModel &model) { return is_of_model(column.name, model); }))
            of_features += line(column.name, statistics_of(column.scores).mean, numbers);
    for (const AggregateScore &aggregate : columns.aggregates)
        of_features += line(aggregate.name, aggregate.value, numbers);
    return of_models + of_features;
}

} // namespace vmaf::tool
