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

/// What parts are scored and decoded on.
struct PartPlaces {
    std::span<const Gpu> gpus;
    std::span<const std::shared_ptr<MediaGpu>>
        decoding_gpus;         ///< the same devices; none: videos are decoded in software
    DecodersInFlight decoders; ///< one: of compressed videos what lies before a part is decoded, too
};

/// One distorted video and its reference in parts, each with a GPU, a session and readers of its own (spec device_pictures 5).
class ClipParts {
  public:
    /// Decides whether the videos are cut, and says why not if several GPUs were asked for.
    ClipParts(const Options &options, const Videos &videos, const PartPlaces &places);

    /// Else one session scores each distorted video.
    bool are_several() const { return !videos_.empty(); }
    /// Opens the parts' sessions as that one, which gets the scores and has the models and features registered, and goes to where the parts
    /// begin. Throws Failure, PartsDoNotFit.
    void open(const Videos &videos, const ScoringContext &merged, ModelFiles &files, LibraryLog &log,
              Warnings &warnings);
    /// Of the sessions that are open.
    std::size_t gpu_count() const { return ScoringContext::gpu_count(contexts_); }
    /// Further readers of the videos.
    std::span<const Videos> videos() const { return videos_; }

    FrameLoopResult score(const Videos &videos, const ScoringContext &merged, const SignalWatcher &signals,
                          Progress &progress) const;

  private:
    /// Frames that the readers still have to skip.
    struct Skips {
        unsigned ref, dis;
    };

    std::string cut(const Videos &videos);
    unsigned go_to(const Stretch &stretch, unsigned skip, VideoReader &first_part, VideoReader &part) const;

    const Options &options_;
    PartPlaces places_;
    std::uint64_t frames_ = 0;
    std::vector<Videos> videos_; ///< of all parts but the first
    std::vector<Stretch> stretches_;
    std::vector<Skips> skips_;
    std::vector<ScoringContext> contexts_;
};

} // namespace vmaf::tool
