#include "input/media.h"

#include <algorithm>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "input/compatibility.h"
#include "input/media/common_format.h"
#include "input/media/media_source.h"
#include "input/media/planar_source.h"

namespace vmaf::tool {
namespace {

Rounding rounding(const InputOptions &options)
{
    if (options.scaler == ScalerChoice::integer)
        return Rounding::integer;
    return options.accurate_scale ? Rounding::accurate : Rounding::fast;
}

void check_frame_rates(const VideoReader &ref, const VideoReader &dis, bool mismatch_allowed)
{
    const auto ref_rate = ref.frame_rate();
    const auto dis_rate = dis.frame_rate();
    if (!ref.tags().is_media || !dis.tags().is_media || mismatch_allowed || !rates_differ(ref_rate, dis_rate))
        return;
    throw Failure(kExitSetup, formatted("frame rates differ: {:.6g} and {:.6g}; frames would be compared out of step "
                                        "(--allow_fps_mismatch to go on)",
                                        *ref_rate, *dis_rate));
}

CommonFormat own_format(const VideoReader &video)
{
    return {video.format(), video.tags().full_range};
}

/// Null: a raw or Y4M video, as its file is.
ConvertingReader *as_converting(VideoReader &video)
{
    return dynamic_cast<ConvertingReader *>(&video);
}

ConvertingReader &make_converting(std::unique_ptr<VideoReader> &video, Rounding rounding)
{
    if (!as_converting(*video))
        video = std::make_unique<ConvertingReader>(std::make_unique<FileSource>(std::move(video)), rounding);
    return *as_converting(*video);
}

/// A raw or Y4M video becomes one that can be converted when it has to be.
void deliver(std::unique_ptr<VideoReader> &video, const Delivery &delivery, const InputOptions &options)
{
    if (!as_converting(*video) && delivery.format == own_format(*video))
        return;
    ConvertingReader &converting = make_converting(video, rounding(options));
    converting.deliver(delivery.format, delivery.other_sizes);
    converting.set_conversions(delivery.conversions);
}

/// As many as the largest GPUs have: on others they take turns.
constexpr unsigned kDecodersInFlight = 8;

void share_decoders(std::span<ConvertingReader *const> videos, const MediaGpu &gpu)
{
    const auto count = static_cast<unsigned>(videos.size());
    const unsigned decoders = kDecodersInFlight / count;
    if (decoders < 2)
        return;
    const std::uint64_t bytes = gpu.free_bytes() / 2 / count;
    for (ConvertingReader *video : videos)
        video->decode_in_segments(decoders, bytes);
}

void warn_of_interlacing(const VideoReader &video, Warnings &warnings)
{
    if (video.tags().is_interlaced)
        warnings.warn(formatted("{}: interlaced video, scored as stored", printable(video.file().path())));
}

} // namespace

bool has_media_support()
{
    return true;
}

std::shared_ptr<MediaGpu> make_media_gpu(unsigned device, bool is_demanded)
{
    return std::make_shared<MediaGpu>(device, is_demanded);
}

bool is_decoded_on_gpu(const VideoReader &video)
{
    const auto *converting = dynamic_cast<const ConvertingReader *>(&video);
    return converting && converting->gpu();
}

bool open_media_gpus(std::span<const std::shared_ptr<MediaGpu>> gpus)
{
    return std::ranges::all_of(gpus, [](const auto &gpu) { return gpu->context() != nullptr; });
}

void lend_frames_of(std::span<std::unique_ptr<VideoReader> *const> videos, const std::shared_ptr<MediaGpu> &gpu,
                    DecodersInFlight decoders)
{
    std::vector<ConvertingReader *> decoded_there;
    for (std::unique_ptr<VideoReader> *video : videos)
        if (ConvertingReader *converting = as_converting(**video); converting && converting->gpu())
            decoded_there.push_back(converting);
    if (decoded_there.empty() && !gpu->reason().empty())
        say("videos are decoded on the CPU: {}\n", gpu->reason());
    if (decoded_there.empty())
        return;
    if (decoders == DecodersInFlight::several)
        share_decoders(decoded_there, *gpu);
    for (std::unique_ptr<VideoReader> *video : videos)
        make_converting(*video, Rounding::fast).lend_frames(gpu);
}

std::unique_ptr<VideoReader> make_media_reader(InputFile file, const InputOptions &options, Warnings &warnings)
{
    const MediaSettings settings{options.allow_network ? Network::allowed : Network::off, rounding(options),
                                 options.gpu};
    return std::make_unique<ConvertingReader>(std::make_unique<MediaSource>(std::move(file), settings, warnings),
                                              rounding(options));
}

void match_videos(std::unique_ptr<VideoReader> &ref, std::unique_ptr<VideoReader> &dis, const InputOptions &options,
                  Warnings &warnings)
{
    check_frame_rates(*ref, *dis, options.allow_fps_mismatch);
    const bool any_media = ref->tags().is_media || dis->tags().is_media;
    const Match match = match_formats(own_format(*ref), own_format(*dis), options, any_media);
    for (const std::string &note : match.notes)
        say("{}\n", note);
    for (const std::string &warning : match.warnings)
        warnings.warn(warning);
    for (const std::string &warning : tag_warnings(ref->tags(), dis->tags()))
        warnings.warn(warning);
    warn_of_interlacing(*ref, warnings);
    warn_of_interlacing(*dis, warnings);
    deliver(ref, match.ref, options);
    deliver(dis, match.dis, options);
}

} // namespace vmaf::tool
