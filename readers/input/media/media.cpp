#include "input/media.h"

#include <algorithm>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "input/media/converting_reader.h"
#include "input/media/filtered_source.h"
#include "input/media/media_source.h"
#include "input/media/planar_source.h"
#include "input/media/segments_decoder.h"

namespace vmaf::tool {
namespace {

Rounding rounding(const InputOptions &options)
{
    if (options.scaler == ScalerChoice::integer)
        return Rounding::integer;
    return options.accurate_scale ? Rounding::accurate : Rounding::fast;
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

void share_decoders(std::span<ConvertingReader *const> videos, const MediaGpu &gpu)
{
    const auto count = static_cast<unsigned>(videos.size());
    const std::uint64_t bytes = gpu.free_bytes() / 2 / count;
    for (ConvertingReader *video : videos)
        video->decode_in_segments(decoders_that_pay(video->frame_count(), video->format(), count), bytes);
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

std::unique_ptr<VideoReader> make_media_reader(InputFile file, const SideOptions &side, const InputOptions &options,
                                               Warnings &warnings)
{
    const Fraction rate = options.sequence_rate.value_or(Fraction{0, 1});
    const Network network = options.allow_network ? Network::allowed : Network::off;
    const MediaSettings settings{.demuxer = {network, {rate.num, rate.den}},
                                 .autorotate = options.autorotate,
                                 .rounding = rounding(options),
                                 .samples = side.samples,
                                 .background = options.background,
                                 .gpu = options.gpu,
                                 .film_grain = options.film_grain};
    return std::make_unique<ConvertingReader>(std::make_unique<MediaSource>(std::move(file), settings, warnings),
                                              rounding(options));
}

void filter(std::unique_ptr<VideoReader> &video, const std::optional<std::string> &graph, const InputOptions &options)
{
    const FrameFilters filters{options.deinterlace && video->tags().is_interlaced, graph, options.background};
    if (!filters.deinterlaces && !filters.graph)
        return;
    const Rounding how = rounding(options);
    video = std::make_unique<ConvertingReader>(
        make_filtered(make_converting(video, how).release_source(), filters, how), how);
}

std::unique_ptr<VideoReader> read_together(std::unique_ptr<VideoReader> &video, const InputOptions &options)
{
    return make_converting(video, rounding(options)).another();
}

/// A raw or Y4M video becomes one that can be converted when it has to be.
void deliver(std::unique_ptr<VideoReader> &video, const Delivery &delivery, const InputOptions &options)
{
    if (as_converting(*video) || delivery.crop || delivery.form != video->form())
        make_converting(video, rounding(options)).deliver(delivery);
}

} // namespace vmaf::tool
