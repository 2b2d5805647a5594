#pragma once

#include <cstdint>

#include "base/device_plane.h"
#include "base/pair_of.h"

namespace vmaf {

/// Frames that go through one dispatch of each kernel: gl_WorkGroupID.z is the frame.
constexpr unsigned kMaxVulkanBatchFrames = 8;

/// What kernels know of a batch: it lies in memory, and kernels are given its address. The same as
/// in kernels/vulkan/common.glsl. Rows of planes begin at multiples of 4 bytes.
struct VulkanPairFrame : PairOf<DevicePlane> {
    std::uint64_t sums = 0; ///< address of the feature's POD, zero before the first kernel
};
struct VulkanPairBatch {
    VulkanPairFrame frames[kMaxVulkanBatchFrames];
};
static_assert(sizeof(VulkanPairBatch) == 832);

} // namespace vmaf
