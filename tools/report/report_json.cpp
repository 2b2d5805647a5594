#include "report/report_json.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "common/format.h"
#include "input/video_facts.h"
#include "report/scene_cuts.h"

namespace vmaf::tool {
namespace {

using nlohmann::ordered_json;

constexpr int kSchema = 1;

std::string text_of(const ordered_json &value)
{
    return value.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

/// JSON has no infinite numbers: they are texts that scripts and Python read as numbers. NaN is
/// null.
ordered_json score_json(double score)
{
    if (std::isinf(score))
        return score > 0 ? "Infinity" : "-Infinity";
    return std::isnan(score) ? ordered_json() : ordered_json(score);
}

/// An end tag in a string would end the element that holds the data.
std::string without_tags(std::string text)
{
    for (std::size_t i = text.find('<'); i != text.npos; i = text.find('<', i))
        text.replace(i, 1, "\\u003c");
    return text;
}

ordered_json models_json(const ReportData &data)
{
    ordered_json models = ordered_json::array();
    for (const ReportModel &model : data.models)
        models.push_back({{"name", model.name}, {"label", model.label}});
    return models;
}

template <class Values, class Append> std::string list_text(const Values &values, Append append)
{
    std::string text = "[";
    for (const auto &value : values) {
        if (text.size() > 1)
            text += ',';
        append(text, value);
    }
    return text + ']';
}

std::string scores_text(std::span<const double> scores)
{
    return list_text(scores, [](std::string &text, double score) {
        text += std::isfinite(score) ? formatted("{:.6g}", score) : text_of(score_json(score));
    });
}

/// The long lists are written by hand: as a tree they would take many times their memory.
std::string metrics_text(const ScoreColumns &scores)
{
    std::string text;
    for (const ScoreColumn &column : scores.metrics)
        text += formatted("{}{}:{}", text.empty() ? "" : ",", text_of(column.name), scores_text(column.scores));
    return "{" + text + "}";
}

std::string frames_text(std::span<const unsigned> frames)
{
    return list_text(frames, [](std::string &text, unsigned frame) { text += formatted("{}", frame); });
}

ordered_json pooled_json(const SummedEncode &encode)
{
    ordered_json result = ordered_json::object();
    for (std::size_t i = 0; i < encode.pooled.size(); ++i) {
        ordered_json &metric = result[encode.encode->scores.metrics[i].name];
        for (const StatisticName &statistic : kStatisticNames)
            metric[statistic.name] = score_json(encode.pooled[i].*statistic.value);
    }
    return result;
}

ordered_json aggregate_json(const ScoreColumns &scores)
{
    ordered_json result = ordered_json::object();
    for (const AggregateScore &aggregate : scores.aggregates)
        result[aggregate.name] = score_json(aggregate.value);
    return result;
}

void append_member(std::string &text, const char *name, const std::string &value)
{
    text += formatted("{}\"{}\":{}", text.empty() ? "" : ",\n", name, value);
}

void append_incomplete(std::string &text, const std::optional<Incomplete> &incomplete)
{
    append_member(text, "complete", incomplete ? "false" : "true");
    append_member(text, "reason", incomplete ? text_of(reason_text(incomplete->reason)) : "null");
}

std::string lag_json(const ReportLag &lag)
{
    std::string text;
    append_member(text, "applied", lag.is_applied ? "true" : "false");
    append_member(text, "runs", list_text(lag.runs, [](std::string &list, const LagRun &run) {
                      list += formatted("[{},{},{}]", run.first, run.last, run.lag);
                  }));
    append_member(text, "dropped", frames_text(lag.dropped));
    append_member(text, "repeated", frames_text(lag.repeated));
    return "{" + text + "}";
}

/// A size and a letter for each frame.
std::string coded_text(std::span<const CodedFrame> coded)
{
    std::string types;
    for (const CodedFrame &frame : coded)
        types += frame.type;
    std::string text;
    append_member(text, "bytes", list_text(coded, [](std::string &list, const CodedFrame &frame) {
                      list += formatted("{}", frame.bytes);
                  }));
    append_member(text, "types", text_of(types));
    return "{" + text + "}";
}

void append_scores(std::string &text, const SummedEncode &encode)
{
    const ScoreColumns &scores = encode.encode->scores;
    append_member(text, "frames", frames_text(scores.frames));
    append_member(text, "metrics", metrics_text(scores));
    append_member(text, "aggregate", text_of(aggregate_json(scores)));
    append_member(text, "pooled", text_of(pooled_json(encode)));
    if (encode.encode->lag)
        append_member(text, "lag", lag_json(*encode.encode->lag));
    if (!encode.encode->coded.empty())
        append_member(text, "coded_frames", coded_text(encode.encode->coded));
    append_member(text, "scene_cuts", frames_text(scene_cuts(scores)));
}

/// "higher" or "lower" for each metric whose direction is known.
ordered_json better_json(const ReportData &data)
{
    ordered_json result = ordered_json::object();
    for (const ReportEncode &encode : data.encodes)
        for (const ScoreColumn &column : encode.scores.metrics)
            if (column.better != VMAF_DIRECTION_NONE)
                result[column.name] = column.better == VMAF_DIRECTION_LOWER ? "lower" : "higher";
    return result;
}

/// One of several.
std::string encode_text(const SummedEncode &encode)
{
    std::string text;
    append_member(text, "label", text_of(encode.label));
    append_member(text, "distorted", text_of(json_of(encode.encode->video)));
    append_member(text, "scored", text_of(json_of(encode.encode->scored)));
    append_incomplete(text, encode.encode->incomplete);
    append_scores(text, encode);
    return "{" + text + "}";
}

} // namespace

std::string report_json(const ReportData &data, std::span<const SummedEncode> encodes)
{
    const bool is_ladder = encodes.size() > 1;
    const auto stopped = std::ranges::find_if(data.encodes, [](const ReportEncode &e) { return !!e.incomplete; });
    std::string text;
    append_member(text, "schema", formatted("{}", kSchema));
    append_member(text, "version", text_of(data.version));
    append_incomplete(text, stopped == data.encodes.end() ? std::nullopt : stopped->incomplete);
    append_member(text, "reference", text_of(json_of(data.reference)));
    if (!is_ladder) {
        append_member(text, "distorted", text_of(json_of(data.encodes.front().video)));
        append_member(text, "scored", text_of(json_of(data.encodes.front().scored)));
    }
    append_member(text, "models", text_of(models_json(data)));
    append_member(text, "better", text_of(better_json(data)));
    if (is_ladder)
        append_member(text, "encodes", list_text(encodes, [](std::string &list, const SummedEncode &encode) {
                          list += encode_text(encode);
                      }));
    else
        append_scores(text, encodes.front());
    append_member(text, "warnings", text_of(data.warnings));
    return without_tags("{" + text + "}");
}

std::string details_json(const ReportData &data)
{
    SummedEncode encode{&data.encodes.front(), {}, {}};
    for (const ScoreColumn &column : encode.encode->scores.metrics)
        encode.pooled.push_back(statistics_of(column.scores));
    ordered_json details{{"reference", json_of(data.reference)},
                         {"distorted", json_of(encode.encode->video)},
                         {"scored", json_of(encode.encode->scored)},
                         {"models", models_json(data)},
                         {"device", data.device},
                         {"pooled", pooled_json(encode)},
                         {"warnings", data.warnings}};
    if (!encode.encode->coded.empty())
        details["coded_frames"] = ordered_json::parse(coded_text(encode.encode->coded));
    return text_of(details);
}

} // namespace vmaf::tool
