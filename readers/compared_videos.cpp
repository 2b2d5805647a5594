#include "compared_videos.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "comparison/match.h"
#include "input/compatibility.h"
#include "input/media.h"
#include "input/open_video.h"

namespace vmaf::tool {
namespace {

std::unique_ptr<VideoReader> read_header(InputFile file, const SideOptions &side_options, const InputOptions &options,
                                         const char *side, Warnings &warnings)
{
    const std::string path = file.path();
    try {
        auto video = open_video(std::move(file), side_options, options, warnings);
        filter(video, side_options.filter, options);
        return video;
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

/// The sides of one comparison.
void check_comparable(const VideoReader &ref, const VideoReader &dis, bool unequal_depths_allowed)
{
    const auto problems = incompatibilities(ref.format(), dis.format(), unequal_depths_allowed);
    if (problems.empty())
        return;
    std::string lines;
    for (const std::string &problem : problems)
        lines += problem + '\n';
    lines += sizes_and_cure(ref, dis);
    throw Failure(kExitSetup, formatted("{}videos are incompatible, {} problem{}.", lines, problems.size(),
                                        problems.size() == 1 ? "" : "s"));
}

/// The reference is read once, so it has one form. That another video wants it in another one, of
/// more bits say, must not change the scores of those that do not.
class OneForm {
  public:
    /// After the reference was brought to what that video needs.
    void check(const VideoReader &ref, const VideoReader &dis)
    {
        if (form_ && *form_ != ref.format())
            throw Failure(kExitSetup,
                          formatted("{} needs the reference in another form than {}: score it in a run of its own",
                                    printable(dis.file().path()), printable(path_)));
        form_ = ref.format();
        path_ = dis.file().path();
    }

  private:
    std::optional<VideoFormat> form_;
    std::string path_;
};

} // namespace

/// All are opened before a header is read: one process may write them, in turn.
Videos open_videos(const ReadingOptions &options, std::shared_ptr<MediaGpu> gpu, Warnings &warnings)
{
    InputOptions input = options.input;
    input.gpu = std::move(gpu);
    InputFile ref = open_input(options.reference, input);
    std::vector<InputFile> distorted;
    for (const std::string &path : options.distorted)
        distorted.push_back(open_input(path, input));
    Videos videos;
    videos.ref = read_header(std::move(ref), input.ref, input, "reference", warnings);
    OneForm reference;
    for (InputFile &file : distorted) {
        auto &dis = videos.dis.emplace_back(read_header(std::move(file), input.dis, input, "distorted", warnings));
        match_videos(videos.ref, dis, input, warnings);
        reference.check(*videos.ref, *dis);
    }
    return videos;
}

std::vector<VideoReader *> all_of(const Videos &videos)
{
    std::vector<VideoReader *> all{videos.ref.get()};
    for (const auto &dis : videos.dis)
        all.push_back(dis.get());
    return all;
}

std::vector<VideoTags> tags_of(const Videos &videos)
{
    std::vector<VideoTags> tags;
    for (const VideoReader *video : all_of(videos))
        tags.push_back(video->tags());
    return tags;
}

std::vector<FrameSource> sources_of(const Videos &videos, const ReadingOptions &options)
{
    std::vector<FrameSource> sources{{*videos.ref, options.skip_ref}};
    for (const auto &dis : videos.dis)
        sources.push_back({*dis, options.skip_dist});
    return sources;
}

std::string end_of_one(const ReadingOptions &options, const EarlyEnd &end)
{
    const auto path = [&](std::size_t video) {
        return printable(video == 0 ? options.reference : options.distorted[video - 1]);
    };
    return formatted("\"{}\" ended before \"{}\"", path(end.ended), path(end.longer));
}

void lend_frames(Videos &videos, const std::shared_ptr<MediaGpu> &gpu, DecodersInFlight decoders)
{
    std::vector<std::unique_ptr<VideoReader> *> all{&videos.ref};
    for (auto &dis : videos.dis)
        all.push_back(&dis);
    const bool all_again = std::ranges::all_of(all, [](const auto *video) { return (*video)->file().is_seekable(); });
    lend_frames_of(all, gpu, all_again ? decoders : DecodersInFlight::one);
}

void make_comparable(Videos &videos, bool unequal_depths_allowed)
{
    OneForm reference;
    for (const auto &dis : videos.dis) {
        check_comparable(*videos.ref, *dis, unequal_depths_allowed);
        const unsigned depth = std::max(videos.ref->format().depth, dis->format().depth);
        videos.ref->raise_depth(depth);
        dis->raise_depth(depth);
        reference.check(*videos.ref, *dis);
    }
}

void leave_out_chroma(Videos &videos)
{
    for (VideoReader *video : all_of(videos))
        video->leave_out_chroma();
}

void warn_of_damage(const Videos &videos, Warnings &warnings)
{
    for (const VideoReader *video : all_of(videos))
        if (const auto damage = video->damage())
            warnings.warn(*damage);
}

std::optional<std::uint64_t> expected_frames(const ReadingOptions &options, const Videos &videos)
{
    std::optional<std::uint64_t> total;
    if (options.count > 0)
        total = options.count;
    const auto limit = [&total](std::optional<std::uint64_t> left) {
        if (left)
            total = total ? std::min(*total, *left) : *left;
    };
    for (const auto &[video, skip] : sources_of(videos, options))
        limit(frames_left(video, skip));
    return total;
}

std::optional<double> frame_rate(const Videos &videos)
{
    std::optional<double> rate;
    for (const VideoReader *video : all_of(videos))
        rate = rate ? rate : video->frame_rate();
    return rate;
}

} // namespace vmaf::tool
