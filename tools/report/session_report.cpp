#include "report/session_report.h"

#include <ctime>
#include <fstream>

#include "common/format.h"
#include "libvmaf/libvmaf.h"
#include "report/spaced_worst.h"
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

std::string device_text(const ScoringContext &context)
{
    if (context.uses_gpu())
        return "GPU";
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
    for (const std::size_t row : spaced_worst_frames(scores.frames, column->scores, kMostPictures,
                                                     worst_frame_gap(encode.video.frames_per_second)))
        frames.push_back(scores.frames[row]);
    WorstPictures worst = worst_pictures({run.ref, run.options.frame_skip_ref}, {run.dis, run.options.frame_skip_dist},
                                         frames, kMostPictureBytes, run.stop);
    encode.pictures = std::move(worst.pictures);
    encode.no_pictures = std::move(worst.missing);
}

} // namespace

ReportData session_report(const ScoredRun &run)
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
    if (!data.models.empty())
        data.main_metric = data.models.front().name;
    data.warnings = run.warnings;
    ReportEncode &encode = data.encodes.emplace_back();
    encode.video = video_of(run.dis);
    encode.scores = score_columns(run.context.get());
    if (run.result.stop)
        encode.incomplete = Incomplete{run.result.stop->reason(), run.result.frames};
    add_pictures(encode, run, data.main_metric);
    return data;
}

} // namespace vmaf::tool
