#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/progress.h"
#include "common/warnings.h"
#include "scoring/frame_loop.h"
#include "scoring/gpu_probe.h"
#include "scoring/library_log.h"
#include "scoring/model_files.h"
#include "scoring/scoring_context.h"
#include "scoring/segments.h"
#include "scoring/signal_watcher.h"
#include "videos.h"

namespace vmaf::tool {

/// One distorted video and its reference in parts, each with a GPU, a session and readers of its own (spec device_pictures 5).
class ClipParts {
  public:
    /// Decides whether the videos are cut, and says why not if several GPUs were asked for.
    ClipParts(const Options &options, const Videos &videos, std::span<const Gpu> gpus);

    /// Else one session scores each distorted video.
    bool are_several() const { return !videos_.empty(); }
    /// Opens the parts' sessions as that one, which gets the scores and has the models and features registered. Throws Failure.
    void open(const Videos &videos, const ScoringContext &merged, ModelFiles &files, LibraryLog &log,
              Warnings &warnings);
    /// Of the sessions that are open.
    std::size_t gpu_count() const { return ScoringContext::gpu_count(contexts_); }
    /// Further readers of the videos.
    std::span<const Videos> videos() const { return videos_; }

    FrameLoopResult score(const Videos &videos, const ScoringContext &merged, const SignalWatcher &signals,
                          Progress &progress) const;

  private:
    std::string cut(const Videos &videos);

    const Options &options_;
    std::span<const Gpu> gpus_;
    std::uint64_t frames_ = 0;
    std::vector<Videos> videos_; ///< of all parts but the first
    std::vector<Stretch> stretches_;
    std::vector<ScoringContext> contexts_;
};

} // namespace vmaf::tool
