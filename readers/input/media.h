#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "common/console.h"
#include "common/failure.h"
#include "input/delivery.h"
#include "input/input_options.h"
#include "input/video_reader.h"

/// Functions that need the media libraries. In a build without them they throw Failure
/// (no_media.cpp).
namespace vmaf::tool {

bool has_media_support();

/// Whether frames can go through filter graphs.
bool has_filter_support();

/// The file's kind is unknown to the media libraries.
class NotMedia : public Failure {
  public:
    explicit NotMedia(const std::string &text) : Failure(kExitSetup, text) {}
};

/// A GPU for InputOptions.gpu, not opened yet. @param is_demanded a media file that it cannot
/// decode is a failure.
std::shared_ptr<MediaGpu> make_media_gpu(unsigned device, bool is_demanded);

/// Whether it was found to be decoded on a GPU.
bool is_decoded_on_gpu(const VideoReader &video);

/// Open them all, before sessions open their devices. False: one cannot be opened.
bool open_media_gpus(std::span<const std::shared_ptr<MediaGpu>> gpus);

/// Thrown where a video cannot be decoded in parts with the result that it has as a whole.
struct SegmentsDoNotFit {
    const char *why;
};

/// The process is about to end: decoders of GPUs stay until then. A driver takes 35 ms and more to
/// end one, which it need not do by itself.
void leave_decoders_to_process_end();

/// How many decoders of a GPU may work for one video.
enum class DecodersInFlight { one, several };

/// Where one of the videos is decoded on a GPU: from now on all are lent to the library in its
/// memory, and are not read into pictures any more. Says why if none is although that GPU was asked
/// for. With several decoders in flight reading may throw SegmentsDoNotFit.
void lend_frames_of(std::span<std::unique_ptr<VideoReader> *const> videos, const std::shared_ptr<MediaGpu> &gpu,
                    DecodersInFlight decoders);

/// A file of any container and codec, of which the first frame is decoded now.
std::unique_ptr<VideoReader> make_media_reader(InputFile file, const SideOptions &side, const InputOptions &options,
                                               Warnings &warnings);

/// Make the video deliver filtered frames, if there is something to filter (spec comparison 2.8).
/// @param graph of the video's side; empty: none. Throws Failure.
void filter(std::unique_ptr<VideoReader> &video, const std::optional<std::string> &graph, const InputOptions &options);

/// A second reader of the same video. Both must be read side by side, from their first frames
/// on: it is decoded once.
std::unique_ptr<VideoReader> read_together(std::unique_ptr<VideoReader> &video, const InputOptions &options);

/// Make the video deliver frames in that form. It costs nothing if it does so already.
void deliver(std::unique_ptr<VideoReader> &video, const Delivery &delivery, const InputOptions &options);

} // namespace vmaf::tool
