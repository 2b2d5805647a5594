#include "common/failure.h"
#include "common/format.h"
#include "input/media.h"

namespace vmaf::tool {

bool has_media_support()
{
    return false;
}

bool has_filter_support()
{
    return false;
}

std::shared_ptr<MediaGpu> make_media_gpu(unsigned /*device*/, bool is_demanded)
{
    if (is_demanded)
        throw Failure(kExitSetup, "--decoder cuda: this vmaf was built without media support");
    return nullptr;
}

bool is_decoded_on_gpu(const VideoReader & /*video*/)
{
    return false;
}

bool open_media_gpus(std::span<const std::shared_ptr<MediaGpu>> /*gpus*/)
{
    return true;
}

void leave_decoders_to_process_end() {}

void lend_frames_of(std::span<std::unique_ptr<VideoReader> *const> /*videos*/,
                    const std::shared_ptr<MediaGpu> & /*gpu*/, DecodersInFlight /*decoders*/)
{
}

std::unique_ptr<VideoReader> make_media_reader(InputFile file, const SideOptions & /*side*/,
                                               const InputOptions & /*options*/, Warnings & /*warnings*/)
{
    throw Failure(kExitSetup, formatted("{}: not a Y4M file, and this vmaf was built without media support; for raw "
                                        "video give -w -h -p -b",
                                        printable(file.path())));
}

void filter(std::unique_ptr<VideoReader> & /*video*/, const std::optional<std::string> &graph,
            const InputOptions &options)
{
    if (graph || options.deinterlace)
        throw Failure(kExitSetup,
                      "--deinterlace, --filter_ref and --filter_dist: this vmaf was built without media support");
}

/// Without media support, nothing is shared: each reader reads by itself.
std::unique_ptr<VideoReader> read_together(std::unique_ptr<VideoReader> &video, const InputOptions & /*options*/)
{
    return video->reopened();
}

void deliver(std::unique_ptr<VideoReader> &video, const Delivery &delivery, const InputOptions & /*options*/)
{
    PictureForm form = video->form();
    form.format.depth = delivery.form.format.depth;
    if (form == delivery.form && form.range == Range::limited)
        video->raise_depth(form.format.depth);
    if (delivery.crop || delivery.form != video->form())
        throw Failure(kExitSetup, formatted("{} has to be converted, and this vmaf was built without media support",
                                            printable(video->file().path())));
}

} // namespace vmaf::tool
