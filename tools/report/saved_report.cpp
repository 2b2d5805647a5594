#include "report/saved_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "common/format.h"
#include "library/lists.h"

namespace vmaf::tool {
namespace {

using nlohmann::ordered_json;

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

/// Objects stand for members that are not there.
const ordered_json &member(const ordered_json &object, const char *name)
{
    static const ordered_json kNone = ordered_json::object();
    const auto found = object.find(name);
    return found != object.end() && !found->is_null() ? *found : kNone;
}

template <class Value> std::optional<Value> optional_of(const ordered_json &object, const char *name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? std::optional(found->get<Value>()) : std::nullopt;
}

/// The format from --log_details, or from the record of the comparison (spec comparison 11).
VideoFormat format_of(const ordered_json &video)
{
    VideoFormat format{};
    if (const ordered_json &size = member(video, "size"); size.is_array()) {
        format.width_px = size.at(0);
        format.height_px = size.at(1);
    }
    format.width_px = video.value("width", format.width_px);
    format.height_px = video.value("height", format.height_px);
    format.depth = video.value("bitdepth", video.value("depth", 0U));
    const std::string layout = video.value("pixel_format", "");
    for (const VmafPixelFormat pix_fmt :
         {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        if (layout == pixel_format_text(pix_fmt))
            format.pix_fmt = pix_fmt;
    return format;
}

ReportVideo video_of(const ordered_json &video)
{
    ReportVideo result;
    result.path = video.value("path", "");
    result.format = format_of(video);
    result.codec = video.value("codec", "");
    result.frames_per_second = optional_of<double>(video, "fps");
    result.encoded_bytes = optional_of<std::uint64_t>(video, "bytes");
    result.bits_per_second = optional_of<double>(video, "bitrate");
    return result;
}

/// What a column's nulls are: JSON has neither NaN nor infinity. Beside NaN the harmonic mean is no
/// number, beside -infinity the least score.
double null_of(const ordered_json &pooled)
{
    const bool is_infinite = optional_of<double>(pooled, "harmonic_mean") && optional_of<double>(pooled, "min");
    return is_infinite ? std::numeric_limits<double>::infinity() : kNoScore;
}

/// Columns in the order in which frames name them.
ScoreColumns columns_of(const ordered_json &frames, const ordered_json &pooled)
{
    ScoreColumns columns;
    std::map<std::string, std::size_t> places;
    for (const ordered_json &frame : frames) {
        if (!frame.at("frameNum").is_number_unsigned())
            throw Failure(kExitBadData, "a frame has no number");
        const unsigned number = frame.at("frameNum");
        if (!columns.frames.empty() && number <= columns.frames.back())
            throw Failure(kExitBadData,
                          formatted("its frame {} does not come after frame {}", number, columns.frames.back()));
        columns.frames.push_back(number);
        for (const auto &[name, score] : frame.at("metrics").items()) {
            const auto [place, is_new] = places.emplace(name, columns.metrics.size());
            if (is_new)
                columns.metrics.push_back({name, {}, direction_of(name)});
            std::vector<double> &scores = columns.metrics[place->second].scores;
            scores.resize(columns.frames.size(), kNoScore);
            scores.back() = score.is_number() ? score.get<double>() : null_of(member(pooled, name.c_str()));
        }
    }
    for (ScoreColumn &column : columns.metrics)
        column.scores.resize(columns.frames.size(), kNoScore);
    return columns;
}

/// Facts about frames from --log_details. Lists of unequal length are ignored.
std::vector<CodedFrame> coded_of(const ordered_json &details)
{
    const ordered_json &coded = member(details, "coded_frames");
    const std::string types = coded.value("types", "");
    const auto bytes = coded.value("bytes", std::vector<std::uint64_t>());
    std::vector<CodedFrame> frames;
    if (bytes.size() == types.size())
        for (std::size_t i = 0; i < bytes.size(); ++i)
            frames.push_back({bytes[i], types[i]});
    return frames;
}

std::optional<Incomplete> incomplete_of(const ordered_json &file)
{
    const auto found = file.find("incomplete");
    if (found == file.end())
        return std::nullopt;
    constexpr std::array kReasons{StopReason::interrupted, StopReason::truncated_input, StopReason::decode_error,
                                  StopReason::engine_error};
    const std::string text = found->value("reason", "");
    const auto reason = std::ranges::find(kReasons, text, reason_text);
    return Incomplete{reason == kReasons.end() ? StopReason::engine_error : *reason, found->value("frames", 0U)};
}

/// Contents of a file: the encode, and facts about all encodes.
struct Saved {
    ReportEncode encode;
    ReportVideo reference;
    std::string version, device;
    std::vector<ReportModel> models;
    std::vector<std::string> warnings;
};

Saved saved_of(const ordered_json &file)
{
    const ordered_json &details = member(file, "details");
    const ordered_json &record = details.empty() ? member(file, "comparison") : details;
    Saved saved;
    saved.encode.scores = columns_of(file.at("frames"), member(file, "pooled_metrics"));
    for (const auto &[name, value] : member(file, "aggregate_metrics").items())
        saved.encode.scores.aggregates.push_back({name, value.is_number() ? value.get<double>() : kNoScore});
    saved.encode.video = video_of(member(record, "distorted"));
    saved.encode.video.conversions = record.value("conversions", std::vector<std::string>());
    saved.encode.scored = format_of(member(record, "scored"));
    saved.encode.coded = coded_of(details);
    saved.encode.incomplete = incomplete_of(file);
    saved.encode.decisions = member(file, "comparison").dump(-1, ' ', true, ordered_json::error_handler_t::replace);
    saved.encode.no_pictures = "There are no pictures: the scores come from a file, and the videos are not read again.";
    saved.reference = video_of(member(record, "reference"));
    saved.version = file.value("version", "");
    saved.device = details.value("device", "");
    for (const ordered_json &model : member(details, "models"))
        saved.models.push_back({model.at("name"), model.at("label")});
    saved.warnings = record.value("warnings", std::vector<std::string>());
    return saved;
}

/// Limits nesting, because data from a file are also written, by recursion as deep as they are
/// nested.
bool check_nesting(int depth, ordered_json::parse_event_t, const ordered_json &)
{
    constexpr int kDeepest = 64;
    if (depth > kDeepest)
        throw Failure(kExitBadData, formatted("it is nested deeper than {}", kDeepest));
    return true;
}

Saved saved_of(const SavedScores &scores)
{
    try {
        return saved_of(ordered_json::parse(scores.text, check_nesting));
    } catch (const Failure &failure) {
        throw Failure(kExitBadData, formatted("{} cannot be reported: {}", printable(scores.path), failure.what()));
    } catch (const ordered_json::exception &error) {
        throw Failure(kExitBadData, formatted("{} holds no scores as --json, ffmpeg's log_fmt=json and libvmaf write "
                                              "them: {}",
                                              printable(scores.path), printable(error.what())));
    }
}

/// Whether models are mostly made of the column: of features of the default model, or of one that
/// libvmaf names after its arithmetic or its models.
bool is_ingredient(std::string_view name)
{
    return name.starts_with("integer_") || name.starts_with("VMAF_") ||
           std::ranges::any_of(listed(default_model().features),
                               [&](const VmafFeatureInfo *feature) { return may_write(feature->name, name); });
}

bool is_model(const ReportData &data, const ScoreColumn &column)
{
    return std::ranges::find(data.models, column.name, &ReportModel::name) != data.models.end();
}

/// Name the columns. Without details, a column that no feature writes counts as a model's (spec cli
/// 10.2).
void name_columns(ReportData &data)
{
    const std::vector<ScoreColumn> &columns = data.encodes.front().scores.metrics;
    if (data.models.empty())
        for (const ScoreColumn &column : columns)
            if (find_output(column.name) == nullptr)
                data.models.push_back({column.name, column.name});
    for (const ScoreColumn &column : columns)
        if (!is_model(data, column) && (data.models.empty() || !is_ingredient(column.name)))
            data.features.push_back(column.name);
    data.main_metric = !data.models.empty()     ? data.models.front().name
                       : !data.features.empty() ? data.features.front()
                                                : "";
}

/// Name the encodes by their files if other names do not tell them apart.
void name_encodes(ReportData &data, std::span<const SavedScores> files)
{
    std::set<std::string> paths;
    for (const ReportEncode &encode : data.encodes)
        if (!encode.video.path.empty())
            paths.insert(encode.video.path);
    if (paths.size() == files.size())
        return;
    for (std::size_t i = 0; i < files.size(); ++i)
        data.encodes[i].video.path = files[i].path;
}

void add_models(ReportData &data, const std::vector<ReportModel> &models)
{
    for (const ReportModel &model : models)
        if (std::ranges::find(data.models, model.name, &ReportModel::name) == data.models.end())
            data.models.push_back(model);
}

} // namespace

ReportData saved_report(std::span<const SavedScores> files)
{
    ReportData data;
    for (const SavedScores &file : files) {
        Saved saved = saved_of(file);
        if (data.encodes.empty()) {
            data.version = saved.version;
            data.device = saved.device;
        }
        if (data.reference.path.empty())
            data.reference = saved.reference;
        else if (!saved.reference.path.empty() && saved.reference.path != data.reference.path)
            data.warnings.push_back(
                formatted("{} was scored against {}, another reference", file.path, saved.reference.path));
        add_models(data, saved.models);
        for (std::string &warning : saved.warnings)
            if (std::ranges::find(data.warnings, warning) == data.warnings.end())
                data.warnings.push_back(std::move(warning));
        data.encodes.push_back(std::move(saved.encode));
    }
    name_columns(data);
    name_encodes(data, files);
    // Clang 14 does not compile std::ranges::stable_partition.
    for (ReportEncode &encode : data.encodes)
        std::stable_partition(
            encode.scores.metrics.begin(), encode.scores.metrics.end(), [&](const ScoreColumn &column) {
                return is_model(data, column) || std::ranges::find(data.features, column.name) != data.features.end();
            });
    return data;
}

} // namespace vmaf::tool
