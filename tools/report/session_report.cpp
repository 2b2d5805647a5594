#include "report/session_report.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <limits>

#include "common/format.h"
#include "common/platform.h"
#include "libvmaf/libvmaf.h"
#include "listing/lists.h"
#include "machine/machine.h"
#include "report/lag_plot.h"
#include "report/summary.h"
#include "report/worst_frames.h"
#include "scoring/gpu_probe.h"

namespace vmaf::tool {
namespace {

template <class Items, class Item> bool contains(const Items &items, const Item &item)
{
    return std::ranges::find(items, item) != items.end();
}

std::string date_now()
{
    const std::time_t now = std::time(nullptr);
    const std::tm utc = in_utc(now);
    char text[32] = "";
    if (std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc) > 0)
        return text;
    return {};
}

/// The processor's name, from Linux on x86; empty elsewhere.
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

/// "NAME MEMORY" of the GPUs that are used: by their numbers, or the first that are shown (spec
/// cli 10.6). Equal ones once.
std::string names_of_gpus(const GpuSelection &selection, std::size_t count)
{
    std::vector<std::string> names;
    std::string text;
    const std::vector<GpuFacts> shown = selection.kind == GpuKind::vulkan ? std::vector<GpuFacts>() : gpus();
    if (shown.empty())
        if (const VmafVulkanDeviceInfo *const device = vulkan_device_of(selection))
            return name_and_memory(*device) + ", Vulkan";
    for (const GpuFacts &gpu : shown) {
        const bool used = selection.devices.empty() ? gpu.index < count : contains(selection.devices, gpu.index);
        const std::string name = name_and_memory(gpu);
        if (!used || contains(names, name))
            continue;
        text += (names.empty() ? "" : ", ") + name;
        names.push_back(name);
    }
    return text;
}

std::string device_text(const ScoredRun &run)
{
    if (run.gpu_count > 0) {
        const std::string names = names_of_gpus(run.gpu, run.gpu_count);
        const std::string what = run.gpu_count == 1 ? "GPU" : formatted("{} GPUs", run.gpu_count);
        return names.empty() ? what : formatted("{} ({})", what, names);
    }
    const std::string name = processor_name();
    return name.empty() ? "CPU" : formatted("CPU ({})", name);
}

/// All pictures of a report take no more than this, unless a number of them is asked for (spec cli
/// 10.7).
constexpr std::size_t kMostPictureBytes = 4'000'000;
/// Number of frames to try by default: more would hardly fit.
constexpr std::size_t kMostPictures = 12;
/// Number of these frames with maps: a map may take a third of a second.
constexpr std::size_t kMostMappedFrames = 4;

/// Room for the pictures of an encode. If there are several, each has less room and smaller
/// pictures.
PictureRoom room_for(std::optional<unsigned> pictures, std::size_t encodes)
{
    constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
    constexpr PictureRoom kAll{kNoLimit, 640, 1280, kNoLimit};
    constexpr PictureRoom kOne{kMostPictureBytes, 640, 960, kMostMappedFrames};
    if (pictures)
        return kAll;
    const std::size_t mapped = std::max<std::size_t>(kOne.mapped / encodes, 1);
    if (encodes <= 2)
        return {kOne.most_bytes / encodes, kOne.crop_px, encodes == 1 ? kOne.whole_px : kThumbnailWidthPx, mapped};
    return {kOne.most_bytes / encodes, 320, kThumbnailWidthPx, mapped};
}

void add_pictures(ReportEncode &encode, const ScoredRun &run, const std::string &metric, std::size_t most,
                  PictureRoom room)
{
    const ScoreColumns &scores = encode.scores;
    const VideoReader &ref = run.ref.video;
    const ScoreColumn *column = scores.metric(metric);
    if (!column || most == 0)
        return;
    std::vector<unsigned> frames;
    for (const std::size_t row :
         spaced_worst_frames(*column, scores.frames, most,
                             worst_frame_gap(ref.frame_rate() ? ref.frame_rate() : run.dis.video.frame_rate())))
        frames.push_back(scores.frames[row]);
    WorstPictures worst = worst_pictures(run.ref, run.dis, frames, mapped_features(run.selection), room, run.stop);
    encode.pictures = std::move(worst.pictures);
    encode.no_pictures = std::move(worst.missing);
}

std::vector<std::string> asked_for(const ScoreColumns &scores, const Selection &selection)
{
    const std::vector<SummaryRow> rows = brief_summary(scores, selection);
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const SummaryRow &row : rows)
        names.push_back(row.name);
    return names;
}

/// Facts about the frames of a side, from the one that was scored as number 0 to the last scored
/// one.
std::vector<CodedFrame> coded_frames_of(const ScoredSide &side, const ScoreColumns &scores)
{
    std::vector<CodedFrame> coded = side.video.coded_frames();
    const std::size_t first = std::min<std::size_t>(side.skipped, coded.size());
    const std::size_t count = scores.frames.empty() ? 0 : std::size_t{scores.frames.back()} + 1;
    const std::size_t end = first + std::min(count, coded.size() - first);
    return {coded.begin() + static_cast<std::ptrdiff_t>(first), coded.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// Columns that the user named come before the features inside models.
ReportEncode encode_of(const ScoredRun &run)
{
    ReportEncode encode;
    encode.video = video_facts(run.dis.video);
    encode.scored = run.ref.video.format();
    encode.scores = run.scores.get();
    encode.coded = coded_frames_of(run.dis, encode.scores);
    encode.decisions = run.comparison;
    encode.lag = report_lag(run.pairing, encode.scores.frames.size());
    const std::vector<std::string> asked = asked_for(encode.scores, run.selection);
    std::stable_partition(encode.scores.metrics.begin(), encode.scores.metrics.end(),
                          [&](const ScoreColumn &column) { return contains(asked, column.name); });
    if (run.result.stop)
        encode.incomplete = Incomplete{run.result.stop->reason(), run.result.frames};
    return encode;
}

/// Encodes that need the reference in forms of their own have its conversions among theirs.
void place_conversions_of_reference(ReportData &data, std::span<const ScoredRun> runs)
{
    const auto is_other = [&](const ScoredRun &run) {
        return run.ref.video.conversions() != data.reference.conversions;
    };
    if (std::ranges::none_of(runs, is_other))
        return;
    data.reference.conversions.clear();
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const std::string &conversion : runs[i].ref.video.conversions())
            data.encodes[i].video.conversions.push_back("reference: " + conversion);
}

void name_columns(ReportData &data, const ScoreColumns &scores, const Selection &selection)
{
    if (const ScoreColumn *column = main_metric(scores, selection))
        data.main_metric = column->name;
    const std::vector<std::string> asked = asked_for(scores, selection);
    for (const ScoreColumn &column : scores.metrics)
        if (contains(asked, column.name) &&
            std::ranges::find(data.models, column.name, &ReportModel::name) == data.models.end())
            data.features.push_back(column.name);
}

} // namespace

ReportData session_data(std::span<const ScoredRun> runs)
{
    const ScoredRun &run = runs.front();
    ReportData data;
    data.version = vmaf_version();
    data.device = device_text(run);
    data.date = date_now();
    data.reference = video_facts(run.ref.video);
    for (const ScoringModel &model : run.models)
        data.models.push_back({model.spec().name, model.spec().label()});
    for (const ScoredRun &each : runs) {
        data.wall_seconds = std::max(data.wall_seconds, each.wall_seconds);
        for (const std::string &warning : each.warnings)
            if (!contains(data.warnings, warning))
                data.warnings.push_back(warning);
        data.encodes.push_back(encode_of(each));
    }
    place_conversions_of_reference(data, runs);
    name_columns(data, data.encodes.front().scores, run.selection);
    return data;
}

ReportData session_report(std::span<const ScoredRun> runs, std::optional<unsigned> pictures)
{
    ReportData data = session_data(runs);
    for (std::size_t i = 0; i < runs.size(); ++i)
        add_pictures(data.encodes[i], runs[i], data.main_metric, pictures.value_or(kMostPictures),
                     room_for(pictures, runs.size()));
    return data;
}

} // namespace vmaf::tool
