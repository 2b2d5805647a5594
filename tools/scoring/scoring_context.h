#pragma once

#include "cli/options.h"
#include "input/video_format.h"
#include "scoring/library.h"
#include "scoring/picture_queue.h"

namespace vmaf::tool {

/// Two sides hold at most a full queue each, in which the picture being filled has its place, and one with the scoring
/// thread: with so many a fetch never waits.
constexpr unsigned kQueuedPictures = 8;
constexpr unsigned kPoolPictures = 2 * kQueuedPictures + 4;

/// Of a CUDA pool a client can hold 16 pictures (spec cuda 5): with more, a fetch fails.
constexpr unsigned kQueuedGpuPictures = 5;
static_assert(2 * (kQueuedGpuPictures + 1) <= 16);

/// The library's context and the pictures that it is fed with.
class ScoringContext {
  public:
    /// On the GPU if the options want one and it can be used, else on the CPU. Throws Failure.
    static ScoringContext open(const Options &options, const VideoFormat &format);

    VmafContext *get() const { return context_.get(); }
    bool uses_gpu() const { return gpu_ != nullptr; }
    /// Pictures of one side that may wait for scoring.
    unsigned queued_pictures() const { return gpu_ ? kQueuedGpuPictures : kQueuedPictures; }
    /// From the pool. The library's error, or 0.
    [[nodiscard]] int fetch(VmafPicture &picture) const;

  private:
    ScoringContext(const Options &options, unsigned threads);
    [[nodiscard]] int use_gpu(CudaState gpu, const VideoFormat &format);
    static std::optional<ScoringContext> open_on_gpu(const Options &options, const VideoFormat &format);

    CudaState gpu_; ///< null: none is used. Before the context: it is freed after that is closed.
    Context context_;
};

} // namespace vmaf::tool
