#include "report/gates.h"

#include <algorithm>
#include <cmath>

#include "cli/suggestion.h"
#include "common/failure.h"
#include "common/format.h"
#include "library/lists.h"
#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

bool any_may_write(std::span<const VmafFeatureInfo *const> features, const std::string &metric)
{
    return std::ranges::any_of(features,
                               [&](const VmafFeatureInfo *feature) { return may_write(feature->name, metric); });
}

/// Of a model file nobody knows what it uses.
bool uses_writer_of(const ModelSpec &model, const std::string &metric)
{
    const VmafModelInfo *const info = find_model_info(model.version);
    return info != nullptr ? any_may_write(listed(info->features), metric) : any_may_write(library_features(), metric);
}

bool may_be_scored(const std::string &metric, const Selection &selection, std::span<const ScoredModel> models)
{
    return std::ranges::any_of(models, [&](const ScoredModel &model) { return is_of_model(metric, model); }) ||
           std::ranges::any_of(selection.models,
                               [&](const ModelSpec &model) { return uses_writer_of(model, metric); }) ||
           std::ranges::any_of(selection.features,
                               [&](const FeatureSpec &feature) { return may_write(feature.name, metric); });
}

/// @param names of what could be meant.
[[noreturn]] void refuse(const std::string &metric, const std::vector<std::string_view> &names)
{
    throw Failure(kExitSetup, formatted("--fail_under: nothing of the name \"{}\" is scored in this run{}",
                                        printable(metric), suggestion(metric, names)));
}

const std::string &metric_of(const GateSpec &gate, const Selection &selection)
{
    return gate.metric.empty() ? selection.models.front().name : gate.metric;
}

/// Statistics of an aggregate are all its value.
double value_of(const GateSpec &gate, const std::string &metric, const ScoreColumns &columns)
{
    if (const AggregateScore *aggregate = columns.aggregate(metric))
        return aggregate->value;
    const ScoreColumn *column = columns.metric(metric);
    if (!column) {
        std::vector<std::string_view> names;
        for (const ScoreColumn &known : columns.metrics)
            names.emplace_back(known.name);
        refuse(metric, names);
    }
    const auto *name = std::ranges::find(kStatisticNames, std::string_view(gate.statistic),
                                         [](const StatisticName &known) { return std::string_view(known.name); });
    return statistics_of(column->scores).*(name->value);
}

/// Of models, and of what features write without options.
std::vector<std::string_view> names_scored(const Selection &selection, std::span<const ScoredModel> models)
{
    std::vector<std::string_view> names;
    for (const ScoredModel &model : models)
        names.emplace_back(model.name);
    for (const VmafFeatureInfo *feature : library_features())
        for (const VmafOutputInfo *output : listed(feature->outputs))
            if (may_be_scored(output->log_name, selection, models))
                names.emplace_back(output->log_name);
    return names;
}

/// Options append "_NAME_VALUE" or "_NAME" (spec abi 5.3).
bool is_named_after(std::string_view column, std::string_view output)
{
    return column.starts_with(output) && (column.size() == output.size() || column[output.size()] == '_');
}

} // namespace

bool is_of_model(std::string_view column, const ScoredModel &model)
{
    return column == model.name || (model.is_collection && column.starts_with(model.name + "_"));
}

void check_gates(std::span<const GateSpec> gates, const Selection &selection, std::span<const ScoredModel> models)
{
    for (const GateSpec &gate : gates)
        if (const std::string &metric = metric_of(gate, selection); !may_be_scored(metric, selection, models))
            refuse(metric, names_scored(selection, models));
}

std::vector<std::string> unmet_gates(std::span<const GateSpec> gates, const Selection &selection,
                                     const ScoreColumns &columns)
{
    std::vector<std::string> lines;
    for (const GateSpec &gate : gates) {
        const std::string &metric = metric_of(gate, selection);
        const double value = value_of(gate, metric, columns);
        const std::string what = formatted("--fail_under: {} of {}", gate.statistic, printable(metric));
        if (std::isnan(value))
            lines.push_back(formatted("{} has no value; it should be {} or more", what, gate.least));
        else if (value < gate.least)
            lines.push_back(formatted("{} is {}, below {}", what, value, gate.least));
    }
    return lines;
}

bool may_write(std::string_view extractor, std::string_view column)
{
    const VmafFeatureInfo *const info = find_feature_info(extractor);
    return info != nullptr && std::ranges::any_of(listed(info->outputs), [column](const VmafOutputInfo *output) {
               return is_named_after(column, output->log_name);
           });
}

} // namespace vmaf::tool
