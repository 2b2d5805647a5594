#include "videos.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "input/compatibility.h"
#include "input/media.h"
#include "input/open_video.h"
#include "scoring/chroma_use.h"

namespace vmaf::tool {
namespace {

std::unique_ptr<VideoReader> read_header(InputFile file, ContainerFormat format, const InputOptions &options,
                                         const char *side, Warnings &warnings)
{
    const std::string path = file.path();
    try {
        return open_video(std::move(file), format, options, warnings);
    } catch (const Failure &failure) {
        throw Failure(kExitSetup, formatted("{}\nproblem with {} file: {}", failure.what(), side, printable(path)));
    }
}

/// Empty if they have the same size.
std::string sizes_and_cure(const VideoReader &ref, const VideoReader &dis)
{
    const VideoFormat &a = ref.format();
    const VideoFormat &b = dis.format();
    if (a.width_px == b.width_px && a.height_px == b.height_px)
        return {};
    return formatted("{} is {}x{}, {} is {}x{}: --scale ref scales the second to the first, --scale WxH both\n",
                     printable(ref.file().path()), a.width_px, a.height_px, printable(dis.file().path()), b.width_px,
                     b.height_px);
}

std::optional<std::uint64_t> frames_left(const VideoReader &video, unsigned skip)
{
    const auto count = video.frame_count();
    if (!count)
        return std::nullopt;
    return *count > skip ? *count - skip : 0;
}

} // namespace

/// Both are opened before a header is read: one process may write both, in turn.
Videos open_videos(const Options &options, Warnings &warnings)
{
    const InputOptions &input = options.input;
    InputFile ref = open_input(options.reference, input);
    InputFile dis = open_input(options.distorted, input);
    Videos videos;
    videos.ref = read_header(std::move(ref), input.ref_format, input, "reference", warnings);
    videos.dis = read_header(std::move(dis), input.dis_format, input, "distorted", warnings);
    match_videos(videos.ref, videos.dis, input, warnings);
    return videos;
}

std::vector<struct stat> files_read(const Options &options, const Videos &videos)
{
    std::vector<struct stat> files{videos.ref->file().status(), videos.dis->file().status()};
    for (const ModelSpec &model : options.selection.models) {
        struct stat status {};
        if (model.version.empty() && ::stat(model.path.c_str(), &status) == 0)
            files.push_back(status);
    }
    return files;
}

void make_comparable(Videos &videos, bool unequal_depths_allowed, Warnings &warnings)
{
    const auto problems = incompatibilities(videos.ref->format(), videos.dis->format(), unequal_depths_allowed);
    if (!problems.empty()) {
        std::string lines;
        for (const std::string &problem : problems)
            lines += problem + '\n';
        lines += sizes_and_cure(*videos.ref, *videos.dis);
        throw Failure(kExitSetup, formatted("{}videos are incompatible, {} problem{}.", lines, problems.size(),
                                            problems.size() == 1 ? "" : "s"));
    }
    if (const auto doubt = doubt_about_rates(videos.ref->frame_rate(), videos.dis->frame_rate()))
        warnings.warn(*doubt);
    const unsigned depth = std::max(videos.ref->format().depth, videos.dis->format().depth);
    videos.ref->raise_depth(depth);
    videos.dis->raise_depth(depth);
}

void leave_out_what_nobody_reads(Videos &videos, const Selection &selection)
{
    if (may_read_chroma(selection))
        return;
    videos.ref->leave_out_chroma();
    videos.dis->leave_out_chroma();
}

std::optional<std::uint64_t> expected_frames(const Options &options, const Videos &videos)
{
    std::optional<std::uint64_t> total;
    if (options.frame_cnt > 0)
        total = options.frame_cnt;
    for (const auto left :
         {frames_left(*videos.ref, options.frame_skip_ref), frames_left(*videos.dis, options.frame_skip_dist)})
        if (left)
            total = total ? std::min(*total, *left) : *left;
    return total;
}

std::optional<double> frame_rate(const Videos &videos)
{
    return videos.ref->frame_rate() ? videos.ref->frame_rate() : videos.dis->frame_rate();
}

} // namespace vmaf::tool
