#include "report/session_report.h"

#include <algorithm>
#include <ctime>
#include <fstream>

#include "common/format.h"
#include "libvmaf/libvmaf.h"
#include "listing/gpus.h"
#include "report/spaced_worst.h"
#include "report/summary.h"
#include "report/worst_pictures.h"

namespace vmaf::tool {
namespace {

std::string date_now()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    char text[32] = "";
    if (::gmtime_r(&now, &utc) && std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc) > 0)
        return text;
    return {};
}

/// As Linux names it on x86; empty elsewhere.
std::string processor_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) {
            const std::size_t colon = line.find(": ");
            return colon == line.npos ? "" : line.substr(colon + 2);
        }
    return {};
}

/// A session's GPU is the first one that is shown to it (spec cli 10.6).
std::string first_gpu()
{
    const std::string list = list_of_gpus();
    const std::size_t name = list.find(' ');
    return name == list.npos ? "GPU" : formatted("GPU ({})", list.substr(name + 1, list.find('\n') - name - 1));
}

std::string device_text(const ScoringContext &context)
{
    if (context.uses_gpu())
        return first_gpu();
    const std::string name = processor_name();
    return name.empty() ? "CPU" : formatted("CPU ({})", name);
}

ReportVideo video_of(const VideoReader &reader)
{
    ReportVideo video;
    video.path = reader.file().path();
    video.format = reader.format();
    video.frames_per_second = reader.frame_rate();
    return video;
}

/// As many frames are tried: more would hardly fit.
constexpr std::size_t kMostPictures = 12;

void add_pictures(ReportEncode &encode, const ScoredRun &run, const std::string &metric)
{
    const ScoreColumns &scores = encode.scores;
    const ScoreColumn *column = scores.metric(metric);
    if (!column)
        return;
    std::vector<unsigned> frames;
    for (const std::size_t row :
         spaced_worst_frames(scores.frames, column->scores, kMostPictures,
                             worst_frame_gap(run.ref.frame_rate() ? run.ref.frame_rate() : run.dis.frame_rate())))
        frames.push_back(scores.frames[row]);
    WorstPictures worst = worst_pictures({run.ref, run.options.frame_skip_ref}, {run.dis, run.options.frame_skip_dist},
                                         frames, kMostPictureBytes, run.stop);
    encode.pictures = std::move(worst.pictures);
    encode.no_pictures = std::move(worst.missing);
}

/// What was asked for comes before what models are made of.
void describe_columns(ReportData &data, ScoreColumns &scores, const Selection &selection)
{
    if (const ScoreColumn *column = main_metric(scores, selection))
        data.main_metric = column->name;
    std::vector<std::string> asked;
    for (const SummaryRow &row : brief_summary(scores, selection))
        asked.push_back(row.name);
    std::ranges::stable_partition(scores.metrics, [&](const ScoreColumn &column) {
        return std::ranges::find(asked, column.name) != asked.end();
    });
    for (const ScoreColumn &column : scores.metrics)
        if (std::ranges::find(asked, column.name) != asked.end() &&
            std::ranges::find(data.models, column.name, &ReportModel::name) == data.models.end())
            data.features.push_back(column.name);
}

} // namespace

ReportData session_data(const ScoredRun &run)
{
    ReportData data;
    data.version = vmaf_version();
    data.device = device_text(run.context);
    data.date = date_now();
    data.wall_seconds = run.wall_seconds;
    data.reference = video_of(run.ref);
    data.scored = run.ref.format();
    for (const ScoringModel &model : run.models)
        data.models.push_back({model.spec().name, model.spec().label()});
    data.warnings = run.warnings;
    ReportEncode &encode = data.encodes.emplace_back();
    encode.video = video_of(run.dis);
    encode.scores = score_columns(run.context.get());
    describe_columns(data, encode.scores, run.options.selection);
    if (run.result.stop)
        encode.incomplete = Incomplete{run.result.stop->reason(), run.result.frames};
    return data;
}

ReportData session_report(const ScoredRun &run)
{
    ReportData data = session_data(run);
    add_pictures(data.encodes.front(), run, data.main_metric);
    return data;
}

} // namespace vmaf::tool
