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

/// The reference is read once, so it has one form. That another video wants it in another one, of more bits say, must not change the
/// scores of those that do not.
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

std::shared_ptr<MediaGpu> gpu_to_decode(const Options &options)
{
    const Decoding decoding = options.input.decoding;
    if (decoding == Decoding::software || options.gpu.use == GpuUse::none)
        return nullptr;
    return make_media_gpu(0, decoding == Decoding::cuda);
}

/// All are opened before a header is read: one process may write them, in turn.
Videos open_videos(const Options &options, std::shared_ptr<MediaGpu> gpu, Warnings &warnings)
{
    InputOptions input = options.input;
    input.gpu = std::move(gpu);
    InputFile ref = open_input(options.reference, input);
    std::vector<InputFile> distorted;
    for (const std::string &path : options.distorted)
        distorted.push_back(open_input(path, input));
    Videos videos;
    videos.ref = read_header(std::move(ref), input.ref_format, input, "reference", warnings);
    OneForm reference;
    for (InputFile &file : distorted) {
        auto &dis =
            videos.dis.emplace_back(read_header(std::move(file), input.dis_format, input, "distorted", warnings));
        match_videos(videos.ref, dis, input, warnings);
        reference.check(*videos.ref, *dis);
    }
    return videos;
}

void lend_frames(Videos &videos, const std::shared_ptr<MediaGpu> &gpu, DecodersInFlight decoders)
{
    std::vector<std::unique_ptr<VideoReader> *> all{&videos.ref};
    for (auto &dis : videos.dis)
        all.push_back(&dis);
    const bool all_again = std::ranges::all_of(all, [](const auto *video) { return (*video)->file().is_seekable(); });
    lend_frames_of(all, gpu, all_again ? decoders : DecodersInFlight::one);
}

std::vector<FileStatus> files_read(const Options &options, const Videos &videos)
{
    std::vector<FileStatus> files{videos.ref->file().status()};
    for (const auto &dis : videos.dis)
        files.push_back(dis->file().status());
    for (const ModelSpec &model : options.selection.models)
        if (const auto status = model.version.empty() ? status_of(model.path) : std::nullopt)
            files.push_back(*status);
    return files;
}

void make_comparable(Videos &videos, bool unequal_depths_allowed, Warnings &warnings)
{
    OneForm reference;
    for (const auto &dis : videos.dis) {
        check_comparable(*videos.ref, *dis, unequal_depths_allowed);
        if (const auto doubt = doubt_about_rates(videos.ref->frame_rate(), dis->frame_rate()))
            warnings.warn(*doubt);
        const unsigned depth = std::max(videos.ref->format().depth, dis->format().depth);
        videos.ref->raise_depth(depth);
        dis->raise_depth(depth);
        reference.check(*videos.ref, *dis);
    }
}

void leave_out_what_nobody_reads(Videos &videos, const Selection &selection)
{
    if (may_read_chroma(selection))
        return;
    videos.ref->leave_out_chroma();
    for (const auto &dis : videos.dis)
        dis->leave_out_chroma();
}

std::optional<std::uint64_t> expected_frames(const Options &options, const Videos &videos)
{
    std::optional<std::uint64_t> total;
    if (options.frame_cnt > 0)
        total = options.frame_cnt;
    const auto limit = [&total](std::optional<std::uint64_t> left) {
        if (left)
            total = total ? std::min(*total, *left) : *left;
    };
    limit(frames_left(*videos.ref, options.frame_skip_ref));
    for (const auto &dis : videos.dis)
        limit(frames_left(*dis, options.frame_skip_dist));
    return total;
}

std::optional<double> frame_rate(const Videos &videos)
{
    std::optional<double> rate = videos.ref->frame_rate();
    for (const auto &dis : videos.dis)
        rate = rate ? rate : dis->frame_rate();
    return rate;
}

} // namespace vmaf::tool
