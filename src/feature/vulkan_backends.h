#pragma once

#include "feature/feature.h"
#include "feature/metrics.h"
#include "feature/vulkan_extractor.h"

namespace vmaf {

/// What a Vulkan backend is made for. The feature has accepted options and format.
struct VulkanRequest {
    const VulkanContextPtr &context;
    const PictureFormat &format;
    const OptionValues &options;
    unsigned max_batch; ///< frames
};

/// The Vulkan side of a feature.
struct VulkanBackend {
    const FeatureSpec *spec;
    /// Null where the feature has none for the format.
    Result<std::unique_ptr<VulkanExtractor>> (*make)(const VulkanRequest &request);
};

/// Each is in its metric's *_vulkan.cpp.
extern const VulkanBackend VMAF_VULKAN_BACKENDS;

/// Null if the feature does not run on Vulkan.
const VulkanBackend *find_vulkan_backend(const FeatureSpec &spec);

} // namespace vmaf
