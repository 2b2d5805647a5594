#include "input/media.h"

#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "input/compatibility.h"
#include "input/media/common_format.h"
#include "input/media/file_source.h"
#include "input/media/media_source.h"

namespace vmaf::tool {
namespace {

Rounding rounding(const InputOptions &options)
{
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

/// A raw or Y4M video becomes one that can be converted when it has to be.
void deliver(std::unique_ptr<VideoReader> &video, const Delivery &delivery, const InputOptions &options)
{
    auto *converting = dynamic_cast<ConvertingReader *>(video.get());
    if (!converting && delivery.format == own_format(*video))
        return;
    if (!converting) {
        auto reader =
            std::make_unique<ConvertingReader>(std::make_unique<FileSource>(std::move(video)), rounding(options));
        converting = reader.get();
        video = std::move(reader);
    }
    converting->deliver(delivery.format, delivery.other_sizes);
    converting->set_conversions(delivery.conversions);
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

std::unique_ptr<VideoReader> make_media_reader(InputFile file, const InputOptions &options, Warnings &warnings)
{
    const Network network = options.allow_network ? Network::allowed : Network::off;
    return std::make_unique<ConvertingReader>(
        std::make_unique<MediaSource>(std::move(file), network, rounding(options), warnings), rounding(options));
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
