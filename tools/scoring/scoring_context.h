#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cli/options.h"
#include "frames/library.h"
#include "frames/picture_queue.h"
#include "frames/picture_source.h"
#include "input/video_format.h"
#include "scoring/gpu_probe.h"

namespace vmaf::tool {

/// Two sides hold at most a full queue each, in which the picture being filled has its place, and one with the scoring
/// thread: with so many a fetch never waits.
constexpr unsigned kQueuedPictures = 8;
constexpr unsigned kPoolPictures = 2 * kQueuedPictures + 4;

/// Of a CUDA pool a client can hold 16 pictures (spec cuda 5): with more, a fetch fails.
constexpr unsigned kQueuedGpuPictures = 5;
static_assert(2 * (kQueuedGpuPictures + 1) <= 16);

/// The library's context and the pictures that it is fed with.
class ScoringContext final : public PictureSource {
  public:
    /// So many for sessions side by side, the i-th on the GPU i modulo their number. If there are none: on the GPU if the options want one
    /// and it can be used, else on the CPU, where they share the threads. Throws Failure.
    static std::vector<ScoringContext> open(const Options &options, const VideoFormat &format, std::size_t count,
                                            std::span<const Gpu> gpus);
    /// One that gets the scores of others (vmaf_append_segment()): it has no pictures.
    static ScoringContext open_for_merging(const Options &options);

    /// How many GPUs they are on.
    static std::size_t gpu_count(std::span<const ScoringContext> contexts);

    VmafContext *get() const override { return context_.get(); }
    bool uses_gpu() const { return gpu_ != nullptr; }
    /// Whether both are on one GPU, or on none.
    bool is_beside(const ScoringContext &other) const { return gpu_ == other.gpu_; }
    unsigned queued_pictures() const override { return gpu_ ? kQueuedGpuPictures : kQueuedPictures; }
    /// From the pool.
    [[nodiscard]] int fetch(VmafPicture &picture) const override;

  private:
    ScoringContext(const Options &options, unsigned threads);
    static ScoringContext open_one(const Options &options, const VideoFormat &format, unsigned count);
    [[nodiscard]] int use_gpu(Gpu gpu, const VideoFormat &format);
    static std::optional<ScoringContext> open_on_gpu(const Options &options, const VideoFormat &format, unsigned count);

    Gpu gpu_; ///< null: none is used. Before the context: it is freed after that is closed.
    Context context_;
};

} // namespace vmaf::tool
