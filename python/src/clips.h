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
#include "scoring/reader_thread.h"
#include "videos.h"

/// Video files, read as the tool reads them.
namespace vmaf::python {

/// How far clips were read, and what ended that.
struct ClipsRead {
    unsigned frames = 0;                    ///< of each clip, given to the library
    std::optional<std::string> ended_first; ///< says which of them, where one is longer
    int error = 0;                          ///< the library's
    std::exception_ptr failure;             ///< a video's, or the progress callback's
};

/// A reference and its distorted videos, opened and brought to one form.
class Clips {
  public:
    /// Throws tool::Failure.
    explicit Clips(tool::Options options);

    const tool::VideoFormat &format() const { return videos_.ref->format(); }
    std::optional<double> frame_rate() const { return tool::frame_rate(videos_); }
    std::optional<std::uint64_t> expected_frames() const { return tool::expected_frames(options_, videos_); }
    /// What was warned of so far.
    std::vector<std::string> warnings() const { return warnings_->texts(); }

    /// Called now and then while clips are read; throws to end that.
    using Progress = std::function<void(unsigned frames)>;

    /// Give every frame to the library: contexts in the order of the distorted videos. Once.
    /// @param on_gpu whether they have a CUDA state.
    ClipsRead read(const std::vector<VmafContext *> &contexts, bool on_gpu, const Progress &progress);

  private:
    std::string end_of_one(std::size_t ended, std::size_t longer) const;

    tool::Options options_;
    std::unique_ptr<tool::Warnings> warnings_; ///< readers refer to it
    tool::Videos videos_;
};

} // namespace vmaf::python
