#include "compared_videos.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "comparison/frame_rates.h"
#include "comparison/made_for.h"
#include "comparison/match.h"
#include "comparison/record.h"
#include "comparison/time_stamps.h"
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

/// Frames of the reference that no encode needs.
unsigned least_skip(const Videos &videos, const ReadingOptions &options)
{
    unsigned least = std::numeric_limits<unsigned>::max();
    for (const ComparedEncode &encode : videos.encodes)
        least = std::min(least, skips_of(options, encode).ref);
    return least;
}

/// All readers, forms of the reference by themselves.
std::vector<std::unique_ptr<VideoReader> *> readers_of(Videos &videos)
{
    std::vector<std::unique_ptr<VideoReader> *> all;
    for (auto &form : videos.reference)
        all.push_back(&form);
    for (ComparedEncode &encode : videos.encodes)
        all.push_back(&encode.video);
    return all;
}

/// Applies one offset to each encode.
void take_offset(Videos &videos, const FrameOffset &offset)
{
    for (ComparedEncode &encode : videos.encodes) {
        encode.pairing = {.method = "given", .lag = frames_of(offset, frame_rate(videos, encode))};
        if (offset.is_in_seconds)
            encode.warnings->note(formatted("{} is compared as {} (--offset {})",
                                            printable(encode.video->file().path()), lag_text(*encode.pairing.lag),
                                            frame_offset_text(offset)));
    }
}

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
    Reference reference(read_header(std::move(ref), input.ref, input, "reference", warnings));
    Videos videos;
    videos.display = input.display;
    for (InputFile &file : distorted) {
        const auto own = std::make_shared<Warnings>(warnings.of_encode());
        auto dis = read_header(std::move(file), input.dis, input, "distorted", *own);
        Match match = match_videos(reference, dis, input, *own);
        videos.encodes.push_back({own, std::move(dis), match.form, std::move(match.decisions)});
    }
    for (Reference::Form &form : reference.forms)
        videos.reference.push_back(std::move(form.video));
    if (options.offset)
        take_offset(videos, *options.offset);
    return videos;
}

void note_what_is_made_for_sdr(Videos &videos, std::size_t encode, std::span<const std::string> models,
                               std::span<const std::string> features)
{
    ComparedEncode &of = videos.encodes[encode];
    const auto decision = made_for_sdr(videos.reference_of(of).tags(), of.video->tags(), models, features);
    if (!decision)
        return;
    tell(*decision, *of.warnings);
    of.decisions.push_back(*decision);
}

std::vector<VideoReader *> all_of(const Videos &videos)
{
    std::vector<VideoReader *> all{videos.reference.front().get()};
    for (const ComparedEncode &encode : videos.encodes)
        all.push_back(encode.video.get());
    return all;
}

FrameSkips skips_of(const ReadingOptions &options, const ComparedEncode &encode)
{
    const FrameSkips asked{options.skip_ref, options.skip_dist};
    return encode.pairing.pairs.empty() ? skips_with(encode.pairing.lag.value_or(0), asked) : asked;
}

bool need_reference_again(const Videos &videos)
{
    const auto is_alike = [&](const ComparedEncode &encode) {
        return encode.pairing.pairs.empty() &&
               encode.pairing.lag.value_or(0) == videos.encodes.front().pairing.lag.value_or(0);
    };
    return !std::ranges::all_of(videos.encodes, is_alike);
}

FrameSources sources_of(const Videos &videos, const ReadingOptions &options)
{
    FrameSources sources;
    const unsigned skip = least_skip(videos, options);
    for (std::size_t form = 0; form < videos.reference.size(); ++form)
        sources.reference.push_back(
            {*videos.reference[form], skip, videos.watched_reference(form), videos.chroma_use()});
    for (const ComparedEncode &encode : videos.encodes) {
        const FrameSkips own = skips_of(options, encode);
        sources.encodes.push_back({{*encode.video, own.dis, encode.luma.get(), videos.chroma_use()},
                                   encode.form,
                                   {own.ref - skip, encode.pairing.pairs}});
    }
    return sources;
}

Videos reopened(const Videos &videos, const std::shared_ptr<MediaGpu> &gpu)
{
    Videos again;
    again.reference.push_back(videos.reference.front()->reopened_on(gpu));
    const ComparedEncode &encode = videos.encodes.front();
    again.encodes.push_back({encode.warnings, encode.video->reopened_on(gpu), 0, encode.decisions, encode.pairing});
    return again;
}

SessionSink sink_of(const Videos &videos, std::span<const SessionPictures> sessions, SessionSink::References references)
{
    std::vector<VideoFormat> forms;
    for (const auto &form : videos.reference)
        forms.push_back(form->format());
    std::vector<SessionSink::Scoring> scorings;
    for (std::size_t i = 0; i < sessions.size(); ++i)
        scorings.push_back({sessions[i], videos.encodes[i].form});
    return {forms, std::move(scorings),
            need_reference_again(videos) ? SessionSink::References::come_again : references};
}

std::string end_of_one(const std::string &reference, const std::string &distorted, VideoSide ended)
{
    const bool is_reference = ended == VideoSide::reference;
    return formatted("\"{}\" ended before \"{}\"", printable(is_reference ? reference : distorted),
                     printable(is_reference ? distorted : reference));
}

void lend_frames(Videos &videos, const std::shared_ptr<MediaGpu> &gpu, DecodersInFlight decoders)
{
    const std::vector<std::unique_ptr<VideoReader> *> all = readers_of(videos);
    const bool all_again = std::ranges::all_of(all, [](const auto *video) { return (*video)->file().is_seekable(); });
    lend_frames_of(all, gpu, all_again ? decoders : DecodersInFlight::one);
}

void check_comparable(const Videos &videos)
{
    for (const ComparedEncode &encode : videos.encodes) {
        const VideoReader &ref = videos.reference_of(encode);
        const VideoReader &dis = *encode.video;
        const auto problems = incompatibilities(ref.format(), dis.format());
        std::string lines;
        for (const std::string &problem : problems)
            lines += problem + '\n';
        lines += sizes_and_cure(ref, dis);
        if (!problems.empty())
            throw Failure(kExitSetup, formatted("{}videos are incompatible, {} problem{}.", lines, problems.size(),
                                                problems.size() == 1 ? "" : "s"));
    }
}

std::string record_of(const Videos &videos, const ComparedEncode &encode, std::span<const std::string> warnings)
{
    return comparison_record(videos.reference_of(encode), *encode.video, videos.display, encode.decisions,
                             encode.pairing, warnings);
}

ClipFacts facts_of(const Videos &videos, const ComparedEncode &encode)
{
    return facts_of(videos.reference_of(encode), *encode.video, videos.display);
}

/// Different rates were told before, and other pairs have other times.
void warn_of_lost_frames(const Videos &videos, std::size_t encode, const ReadingOptions &options)
{
    const ComparedEncode &of = videos.encodes[encode];
    const VideoReader &ref = videos.reference_of(of);
    if (!of.pairing.pairs.empty() || rates_differ(ref.frame_rate(), of.video->frame_rate()))
        return;
    const auto times = [](const VideoReader &video, std::size_t skip) {
        std::vector<double> all = video.frame_times();
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(skip, all.size())));
        return all;
    };
    const auto [skip_ref, skip_dis] = skips_of(options, of);
    const auto found = first_out_of_step(times(ref, skip_ref), times(*of.video, skip_dis));
    if (found)
        of.warnings->warn(out_of_step_text(*found, description_of(ref), description_of(*of.video)));
}

void warn_of_bars(const Videos &videos, std::size_t encode, const FrameLoopResult &result,
                  const ReadingOptions &options)
{
    const InputOptions &input = options.input;
    const auto is_cropped = [&](const SideOptions &side) { return input.crop_of(side).kind != CropOption::Kind::none; };
    if (!result.side_with_bars || is_cropped(input.ref) || is_cropped(input.dis))
        return;
    const ComparedEncode &of = videos.encodes[encode];
    const bool is_ref = *result.side_with_bars == VideoSide::reference;
    const std::string ref = printable(videos.reference_of(of).file().path());
    const std::string dis = printable(of.video->file().path());
    of.warnings->warn(formatted("{} has black bars where {} has a picture: --crop_{} auto", is_ref ? ref : dis,
                                is_ref ? dis : ref, is_ref ? "ref" : "dist"));
}

/// If one video has no chroma, only luma is compared, unless the user names a format.
void warn_of_grey(const Videos &videos, std::size_t encode, const FrameLoopResult &result,
                  const ReadingOptions &options)
{
    const PixelFormatOption &asked = options.input.pix_fmt;
    const bool asks_for_luma = asked.kind == PixelFormatOption::Kind::named && asked.pix_fmt == VMAF_PIX_FMT_YUV400P;
    if (!result.grey_side || asks_for_luma)
        return;
    const ComparedEncode &of = videos.encodes[encode];
    const bool is_ref = *result.grey_side == VideoSide::reference;
    const VideoReader &ref = videos.reference_of(of), &dis = *of.video;
    const VideoReader &grey = is_ref ? ref : dis, &other = is_ref ? dis : ref;
    std::string with_chroma;
    if (const VideoFormat &scored = videos.format_of(of); scored.pix_fmt == VMAF_PIX_FMT_YUV400P)
        with_chroma =
            " --pix_fmt " + common_format_text({.pix_fmt = other.stored_format().pix_fmt, .depth = scored.depth});
    of.warnings->warn(formatted("{0} is grey where {1} has colours, which models v0.6.1 do not "
                                "see: -m v1{2}, or --feature ciede{2}",
                                printable(grey.file().path()), printable(other.file().path()), with_chroma));
}

/// More detail alone may be noise that was added on purpose. Encodes that were decoded to Y4M or
/// raw samples have no bits to compare, and references of that kind are no encodes.
void warn_of_exchange(const Videos &videos, std::size_t encode, const FrameLoopResult &result)
{
    constexpr double kGain = 1.1, kBits = 1.5;
    const ComparedEncode &of = videos.encodes[encode];
    const VideoReader &ref = videos.reference_of(of), &dis = *of.video;
    if (!ref.tags().is_media || result.detail_gain < kGain)
        return;
    const std::optional<double> ref_bits = ref.bits_per_frame(), dis_bits = dis.bits_per_frame();
    if (!ref_bits || (dis_bits && *dis_bits < kBits * *ref_bits))
        return;
    const std::string cure = "exchange -r and -d";
    const auto is_told = [&](const std::string &warning) { return warning.ends_with(cure); };
    if (std::ranges::any_of(of.warnings->texts(), is_told))
        return;
    of.warnings->warn(formatted("{} looks like the encode, with {} and {:.0f} % less detail than {}: {}",
                                printable(ref.file().path()), dis_bits ? "fewer bits" : "lossy compression",
                                100 * (1 - 1 / result.detail_gain), printable(dis.file().path()), cure));
}

/// The plan warns of a first frame that is interlaced.
void warn_of_interlaced_frames(const Videos &videos, std::size_t encode)
{
    const ComparedEncode &of = videos.encodes[encode];
    const auto warn = [&](const VideoReader &video, const char *option) {
        if (video.has_interlaced_frames() && !video.tags().is_interlaced)
            of.warnings->warn(formatted("{}: some frames are interlaced, scored as stored ({} {} makes a progressive "
                                        "frame of each)",
                                        printable(video.file().path()), option, kDeinterlacer));
    };
    warn(videos.reference_of(of), "--filter_ref");
    warn(*of.video, "--filter_dist");
}

void warn_of_damage(const Videos &videos, std::size_t encode)
{
    const ComparedEncode &of = videos.encodes[encode];
    for (const auto &damage : {videos.reference_of(of).damage(), of.video->damage()})
        if (damage)
            of.warnings->warn(*damage);
}

std::optional<std::uint64_t> expected_frames(const ReadingOptions &options, const Videos &videos)
{
    std::optional<std::uint64_t> most = 0;
    for (const ComparedEncode &encode : videos.encodes) {
        std::optional<std::uint64_t> own;
        if (options.count > 0)
            own = options.count;
        if (const std::size_t pairs = encode.pairing.pairs.size(); pairs > 0)
            own = own ? std::min<std::uint64_t>(*own, pairs) : pairs;
        const auto [skip_ref, skip_dis] = skips_of(options, encode);
        for (const auto left :
             {frames_left(videos.reference_of(encode), skip_ref), frames_left(*encode.video, skip_dis)})
            if (left)
                own = own ? std::min(*own, *left) : *left;
        most = most && own ? std::optional(std::max(*most, *own)) : std::nullopt;
    }
    return most;
}

std::optional<double> frame_rate(const Videos &videos)
{
    std::optional<double> rate;
    for (const VideoReader *video : all_of(videos))
        rate = rate ? rate : video->frame_rate();
    return rate;
}

std::optional<double> frame_rate(const Videos &videos, const ComparedEncode &encode)
{
    const auto rate = videos.reference_of(encode).frame_rate();
    return rate ? rate : encode.video->frame_rate();
}

} // namespace vmaf::tool
