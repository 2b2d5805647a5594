#pragma once

#include <cstdint>

#include "base/device_plane.h"
#include "base/pair_of.h"

namespace vmaf {

/// Frames that go through one dispatch of each kernel: gl_WorkGroupID.z is the frame.
constexpr unsigned kMaxVulkanBatchFrames = 8;

/// How many earlier pairs a feature may read.
constexpr unsigned kMaxVulkanLookBack = 2;

/// What kernels know of a batch: it lies in memory, and kernels are given its address. The same as
/// in kernels/vulkan/common.glsl. Rows of planes begin at multiples of 4 bytes.
struct VulkanFrame : PairOf<DevicePlane> {
    PairOf<DevicePlane> earlier[kMaxVulkanLookBack]; ///< the latest first, as in FrameOf
    std::uint64_t sums = 0;                          ///< address of the feature's POD, zero before the first kernel
};
struct VulkanBatch {
    VulkanFrame frames[kMaxVulkanBatchFrames];
};
static_assert(sizeof(VulkanBatch) == 2368);

} // namespace vmaf
