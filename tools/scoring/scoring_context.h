#pragma once

#include <cstddef>
#include <optional>
#include <vector>

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
    /// So many for sessions side by side: on the GPU if the options want one and it can be used, else on the CPU, where they share the
    /// threads. Throws Failure.
    static std::vector<ScoringContext> open(const Options &options, const VideoFormat &format, std::size_t count);

    VmafContext *get() const { return context_.get(); }
    bool uses_gpu() const { return gpu_ != nullptr; }
    /// Pictures of one side that may wait for scoring.
    unsigned queued_pictures() const { return gpu_ ? kQueuedGpuPictures : kQueuedPictures; }
    /// From the pool. The library's error, or 0.
    [[nodiscard]] int fetch(VmafPicture &picture) const;

  private:
    ScoringContext(const Options &options, unsigned threads);
    static ScoringContext open_one(const Options &options, const VideoFormat &format, unsigned count);
    [[nodiscard]] int use_gpu(CudaState gpu, const VideoFormat &format);
    static std::optional<ScoringContext> open_on_gpu(const Options &options, const VideoFormat &format, unsigned count);

    CudaState gpu_; ///< null: none is used. Before the context: it is freed after that is closed.
    Context context_;
};

} // namespace vmaf::tool
