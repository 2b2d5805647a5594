#include "report/gates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

/// Whether the model uses what writes that metric. A model file may use anything.
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
[[noreturn]] void refuse(const GateSpec &gate, const std::string &metric, const std::vector<std::string_view> &names)
{
    throw Failure(kExitSetup, formatted("{}: nothing of the name \"{}\" is scored in this run{}", gate.option(),
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
        refuse(gate, metric, names);
    }
    return statistics_of(column->scores).*(find_statistic(gate.statistic)->value);
}

/// The statistic of the same share of frames at the other end of the scores.
std::string mirrored(std::string_view statistic)
{
    constexpr std::pair<std::string_view, std::string_view> kMirrored[] = {
        {"min", "max"}, {"p1", "p99"}, {"p5", "p95"}};
    for (const auto &[low, high] : kMirrored)
        if (statistic == low || statistic == high)
            return std::string(statistic == low ? high : low);
    return std::string(statistic);
}

/// A gate that passes bad videos: it looks the wrong way, or at the best frames. Empty: neither.
std::string doubt_about(const GateSpec &gate, const std::string &metric, VmafDirection better)
{
    if (better == VMAF_DIRECTION_NONE)
        return {};
    const bool is_lower = better == VMAF_DIRECTION_LOWER;
    GateSpec cure = gate;
    cure.kind = is_lower ? GateKind::over : GateKind::under;
    cure.statistic = mirrored(gate.statistic);
    if (gate.kind != cure.kind)
        return formatted("{}: {} values of {} are better: {}", gate.text(), is_lower ? "lower" : "higher",
                         printable(metric), cure.text());
    const auto best = is_lower ? std::array{"p1", "p5"} : std::array{"p95", "p99"};
    if (std::ranges::find(best, gate.statistic) == best.end())
        return {};
    return formatted("{}: {} of {} is of its best frames: {}", gate.text(), gate.statistic, printable(metric),
                     cure.text());
}

/// Names of models, and of what features write without options.
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

} // namespace

bool is_of_model(std::string_view column, const ScoredModel &model)
{
    return column == model.name || (model.is_collection && column.starts_with(model.name + "_"));
}

void check_gates(std::span<const GateSpec> gates, const Selection &selection, std::span<const ScoredModel> models,
                 Warnings &warnings)
{
    for (const GateSpec &gate : gates) {
        const std::string &metric = metric_of(gate, selection);
        if (!may_be_scored(metric, selection, models))
            refuse(gate, metric, names_scored(selection, models));
        const bool is_model = std::ranges::find(models, metric, &ScoredModel::name) != models.end();
        const std::string doubt = doubt_about(gate, metric, is_model ? VMAF_DIRECTION_HIGHER : direction_of(metric));
        if (!doubt.empty())
            warnings.warn_at_start(doubt);
    }
}

std::vector<std::string> unmet_gates(std::span<const GateSpec> gates, const Selection &selection,
                                     const ScoreColumns &columns)
{
    std::vector<std::string> lines;
    for (const GateSpec &gate : gates) {
        const std::string &metric = metric_of(gate, selection);
        const double value = value_of(gate, metric, columns);
        const bool is_under = gate.kind == GateKind::under;
        const std::string what = formatted("{}: {} of {}", gate.option(), gate.statistic, printable(metric));
        if (std::isnan(value))
            lines.push_back(
                formatted("{} has no value; it should be {} or {}", what, gate.limit, is_under ? "more" : "less"));
        else if (is_under ? value < gate.limit : value > gate.limit)
            lines.push_back(formatted("{} is {}, {} {}", what, value, is_under ? "below" : "above", gate.limit));
    }
    return lines;
}

} // namespace vmaf::tool
