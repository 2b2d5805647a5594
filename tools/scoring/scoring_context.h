#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "frames/library.h"
#include "frames/picture_source.h"
#include "scoring/gpu_probe.h"

namespace vmaf::tool {

/// State that the sessions of one run share.
struct SessionPlan {
    const SessionOptions &options;
    unsigned subsample;
    bool has_work; ///< models or features will be registered
};

/// The library's context and the pictures that it is fed with.
class ScoringContext {
  public:
    /// One for pictures of each format, for sessions that run at the same time, the i-th on the GPU
    /// i modulo their number. If there are none: on the GPU if the options want one and it can be
    /// used, else on the CPU, where they share the threads. Throws Failure.
    static std::vector<ScoringContext> open(const SessionPlan &plan, std::span<const VideoFormat> formats,
                                            std::span<const Gpu> gpus);
    /// One that gets the scores of others (vmaf_append_segment()): it has no pictures.
    static ScoringContext open_for_merging(const SessionPlan &plan);

    /// How many GPUs they are on.
    static std::size_t gpu_count(std::span<const ScoringContext> contexts);

    VmafContext *get() const { return context_.get(); }
    bool uses_gpu() const { return gpu_ != nullptr; }
    /// A Vulkan device reads pictures in host memory, as the CPU does.
    SessionPictures pictures() const { return {context_.get(), gpu_ ? gpu_->cuda.get() : nullptr}; }

  private:
    ScoringContext(const SessionPlan &plan, unsigned threads);
    static ScoringContext open_on_cpu(const SessionPlan &plan, const VideoFormat &format, unsigned count);
    [[nodiscard]] int use_gpu(Gpu gpu, const VideoFormat &format);
    static std::optional<ScoringContext> open_on_gpu(const SessionPlan &plan, const VideoFormat &format,
                                                     unsigned count);

    Gpu gpu_; ///< null: none is used. Before the context: it is freed after that is closed.
    Context context_;
};

std::vector<SessionPictures> pictures_of(std::span<const ScoringContext> contexts);

} // namespace vmaf::tool
