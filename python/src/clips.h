#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "common/warnings.h"
#include "frames/reader_thread.h"
#include "input/media.h"
#include "videos.h"

/// Video files, read as the tool reads them.
namespace vmaf::python {

/// How far clips were read, and what ended that.
struct ClipsRead {
    unsigned frames = 0;                    ///< of each clip, given to the library
    std::optional<std::string> ended_first; ///< says which of them, where one is longer
    int error = 0;                          ///< the library's
    std::optional<std::string> stopped;     ///< why a video could not be read to its end; the frames before it count
    std::exception_ptr failure;             ///< any other one of a video, or the progress callback's
};

/// A reference and its distorted videos, opened and brought to one form.
class Clips {
  public:
    /// @param gpu that may decode media files; empty: none. Before sessions on it are made.
    /// Throws tool::Failure.
    Clips(tool::Options options, std::optional<unsigned> gpu);

    const tool::VideoFormat &format() const { return videos_.ref->format(); }
    std::optional<double> frame_rate() const { return tool::frame_rate(videos_); }
    std::optional<std::uint64_t> expected_frames() const { return tool::expected_frames(options_, videos_); }
    /// What was warned of so far.
    std::vector<std::string> warnings() const { return warnings_->texts(); }

    /// Of each video, the reference first: frames by the packets of its file, which are read for that. Empty: it has none, or they do not say.
    std::vector<std::optional<std::uint64_t>> index_frames();
    /// The frames first..end-1 of a video that has such an index.
    tool::FrameStretch stretch(std::size_t video, std::uint64_t first, std::uint64_t end);
    /// Of each video, before it is read: where to begin, instead of frames that are skipped. The failure of read() may be
    /// tool::PartsDoNotFit then.
    void start_at(std::vector<std::optional<tool::FrameStretch>> stretches) { stretches_ = std::move(stretches); }

    /// Called now and then while clips are read; throws to end that.
    using Progress = std::function<void(unsigned frames)>;

    /// Give every frame to the library: contexts in the order of the distorted videos. Once.
    /// @param on_gpu whether they have a CUDA state, of the GPU that may decode.
    /// @param decoders of a video on it; the failure is tool::PartsDoNotFit where several cannot do it.
    ClipsRead read(const std::vector<VmafContext *> &contexts, bool on_gpu, tool::DecodersInFlight decoders,
                   const Progress &progress);

  private:
    std::string end_of_one(std::size_t ended, std::size_t longer) const;

    std::vector<tool::VideoReader *> readers() const;
    void read_frames(const std::vector<VmafContext *> &contexts, bool on_gpu, const Progress &progress,
                     ClipsRead &result);

    tool::Options options_;
    std::unique_ptr<tool::Warnings> warnings_; ///< readers refer to it
    std::shared_ptr<tool::MediaGpu> gpu_;
    tool::Videos videos_;
    std::vector<std::optional<tool::FrameStretch>> stretches_; ///< none, or one for each video
};

} // namespace vmaf::python
