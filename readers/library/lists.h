#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/null_terminated.h"
#include "libvmaf/libvmaf_ext.h"

/// The library's lists of features and models, and functions to search them.
namespace vmaf::tool {

std::vector<const VmafFeatureInfo *> library_features();
std::vector<const VmafModelInfo *> library_models();
/// Asking for the drivers may take a tenth of a second, once.
std::vector<const VmafVulkanDeviceInfo *> library_vulkan_devices();

/// The feature's name in the list: "vif_cuda" is vif on a GPU.
std::string_view without_device(std::string_view name);

/// Find a feature by name, with or without "_cuda". Null if there is none.
const VmafFeatureInfo *find_feature_info(std::string_view name);
/// Find a model by version. Null if there is none.
const VmafModelInfo *find_model_info(std::string_view version);
/// The model of whoever names none.
const VmafModelInfo &default_model();

/// Null if the feature has no such option.
const VmafOptionInfo *find_option(const VmafFeatureInfo &feature, VmafOptionRole role);

/// Whether a feature (with or without "_cuda") may write a column or aggregate of that name,
/// whatever its options.
bool may_write(std::string_view feature, std::string_view column);
/// The output that a column or aggregate of that name holds, whatever the options. Null: no
/// feature's.
const VmafOutputInfo *find_output(std::string_view column);
/// Which values of a column or aggregate are better. A name that no feature has counts as a
/// model's: higher is better, except for the spread of a collection.
VmafDirection direction_of(std::string_view column);

/// The Vulkan device that scores if CUDA has none and the user names none: the first discrete one
/// (spec vulkan 8). Null: there is none.
const VmafVulkanDeviceInfo *default_vulkan_device();
/// "integrated", "discrete", "virtual", "software" or "other".
const char *type_text(VmafVulkanDeviceType type);

/// "bool", "int", "real" or "text".
const char *type_text(const VmafOptionInfo &option);
/// Empty if the default cannot be given.
std::string default_text(const VmafOptionInfo &option);
/// "LEAST..MOST" of a number, an open end left out; else empty.
std::string range_text(const VmafOptionInfo &option);

} // namespace vmaf::tool
