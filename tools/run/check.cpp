#include <algorithm>

#include "cli/score_files.h"
#include "common/failure.h"
#include "common/format.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

/// Files that must not be overwritten.
std::vector<FileStatus> files_read(const Videos &videos, std::span<const ModelSpec> models)
{
    std::vector<FileStatus> files;
    for (const VideoReader *video : all_of(videos))
        files.push_back(video->file().status());
    for (const ModelSpec &model : models)
        if (const auto status = model.version.empty() ? status_of(model.path) : std::nullopt)
            files.push_back(*status);
    return files;
}

Outputs open_outputs(const OutputOptions &options, std::span<const std::string> distorted,
                     std::span<const FileStatus> inputs)
{
    Outputs outputs;
    for (const std::string &path : score_files(options, distorted)) {
        if (options.html && are_same_output(path, *options.html))
            throw Failure(kExitSetup,
                          formatted("{} is the score file and cannot be the report", printable(*options.html)));
        outputs.scores.push_back(open_output(path, inputs));
    }
    if (options.html)
        outputs.report = open_output(*options.html, inputs);
    return outputs;
}

} // namespace

/// Empty: there is none.
std::string Run::obstacle_to_segments() const
{
    if (options.selection.writes_heatmaps())
        return "heatmaps are written one after the other";
    if (!samples.empty())
        return "the frames of a sample are scored one after the other";
    return need_reference_again(videos) ? "--align frames scores a clip without segments" : "";
}

void Run::check()
{
    check_comparable(videos);
    align_videos(videos, options.reading);
    if (options.reading.sample)
        samples = samples_of(videos, options.reading);
    make_map_folders();
    outputs = open_outputs(options.outputs, options.reading.distorted, files_read(videos, options.selection.models));
    std::span<const std::shared_ptr<MediaGpu>> of_segments;
    if (decoding_gpus.size() > 1 &&
        std::ranges::any_of(all_of(videos), [](auto *video) { return is_decoded_on_gpu(*video); }))
        of_segments = decoding_gpus;
    const bool all_are_open = open_media_gpus(of_segments);
    gpus = open_gpus(options.sessions.gpu);
    if (!all_are_open || (!of_segments.empty() && gpus.size() != of_segments.size()))
        throw SegmentsDoNotFit{"not all GPUs can be used for that"};
    segments.emplace(options.reading, videos, SegmentPlaces{gpus.size(), of_segments, decoders},
                     obstacle_to_segments());
}

} // namespace vmaf::tool
