#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "vulkan/handles.h"

namespace vmaf {

/// The Vulkan backend of one feature in one session: kernels for one format. Calls come one at a
/// time.
class VulkanExtractor {
  public:
    virtual ~VulkanExtractor() = default;

    /// Records planes -> sums for every frame of a batch. The planes and cleared sums are seen by
    /// the first kernel; what kernels pass to each other takes barriers of the extractor's own.
    /// @param batch the address of a VulkanPairBatch with `count` frames.
    virtual void record(VkCommandBuffer commands, std::uint64_t batch, unsigned count) = 0;
};

} // namespace vmaf
