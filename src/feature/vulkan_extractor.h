#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "vulkan/handles.h"

namespace vmaf {

/// Where an extractor records its kernels, and what these are given.
struct VulkanRecording {
    VkCommandBuffer commands;
    std::uint64_t batch; ///< address of a VulkanBatch
    unsigned count;      ///< frames of the batch
    std::uint64_t scratch;
};

/// The Vulkan backend of one feature in one session: kernels for one format. Calls come one at a
/// time.
class VulkanExtractor {
  public:
    virtual ~VulkanExtractor() = default;

    /// Device memory that the kernels of a full batch pass results to each other in. Extractors of
    /// a session share it.
    virtual std::size_t scratch_bytes() const { return 0; }

    /// Records planes -> sums for every frame of a batch. The planes and cleared sums are seen by
    /// the first kernel, and scratch memory is nobody else's; what kernels pass to each other takes
    /// barriers of the extractor's own (vulkan_kernel_barrier).
    virtual void record(const VulkanRecording &to) = 0;
};

} // namespace vmaf
