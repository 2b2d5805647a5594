#pragma once

#include "feature/metrics.h"
#include "feature/vulkan_program.h"

namespace vmaf {

/// The Vulkan side of a feature.
struct VulkanBackend {
    const FeatureSpec *spec;
    /// Null where the feature has none for the format.
    Result<std::unique_ptr<VulkanProgram>> (*make)(const VulkanRequest &request);
};

/// Each is in its metric's *_vulkan.cpp.
extern const VulkanBackend VMAF_VULKAN_BACKENDS;

/// Null if the feature does not run on Vulkan.
const VulkanBackend *find_vulkan_backend(const FeatureSpec &spec);

} // namespace vmaf
