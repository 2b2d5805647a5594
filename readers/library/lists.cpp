#include "library/lists.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

namespace vmaf::tool {
namespace {

std::string number_text(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// Options append "_NAME_VALUE" or "_NAME" (spec abi 5.3).
bool is_named_after(std::string_view column, std::string_view output)
{
    return column.starts_with(output) && (column.size() == output.size() || column[output.size()] == '_');
}

template <class Info> std::vector<const Info *> elements_of(const Info *(*next)(const Info *previous))
{
    std::vector<const Info *> list;
    for (const Info *info = next(nullptr); info != nullptr; info = next(info))
        list.push_back(info);
    return list;
}

} // namespace

std::vector<const VmafFeatureInfo *> library_features()
{
    return elements_of(vmaf_feature_list);
}

std::vector<const VmafModelInfo *> library_models()
{
    return elements_of(vmaf_model_list);
}

std::vector<const VmafVulkanDeviceInfo *> library_vulkan_devices()
{
    return elements_of(vmaf_vulkan_device_list);
}

std::string_view without_device(std::string_view name)
{
    constexpr std::string_view kOnGpu = "_cuda";
    if (name.ends_with(kOnGpu))
        name.remove_suffix(kOnGpu.size());
    return name;
}

const VmafFeatureInfo *find_feature_info(std::string_view name)
{
    for (const VmafFeatureInfo *info : library_features())
        if (without_device(name) == info->name)
            return info;
    return nullptr;
}

const VmafModelInfo *find_model_info(std::string_view version)
{
    for (const VmafModelInfo *info : library_models())
        if (version == info->version)
            return info;
    return nullptr;
}

const VmafModelInfo &default_model()
{
    const auto models = library_models();
    return **std::ranges::find_if(models, [](const VmafModelInfo *model) { return model->is_default != 0; });
}

const VmafOptionInfo *find_option(const VmafFeatureInfo &feature, VmafOptionRole role)
{
    for (const VmafOptionInfo *option : listed(feature.options))
        if (option->role == role)
            return option;
    return nullptr;
}

bool may_write(std::string_view feature, std::string_view column)
{
    const VmafFeatureInfo *const info = find_feature_info(feature);
    return info != nullptr && std::ranges::any_of(listed(info->outputs), [column](const VmafOutputInfo *output) {
               return is_named_after(column, output->log_name);
           });
}

/// The longest name counts: cambi_full_reference is no cambi with an option.
const VmafOutputInfo *find_output(std::string_view column)
{
    const VmafOutputInfo *found = nullptr;
    for (const VmafFeatureInfo *feature : library_features())
        for (const VmafOutputInfo *output : listed(feature->outputs))
            if (is_named_after(column, output->log_name) &&
                (found == nullptr || std::strlen(found->log_name) < std::strlen(output->log_name)))
                found = output;
    return found;
}

VmafDirection direction_of(std::string_view column)
{
    if (const VmafOutputInfo *output = find_output(column))
        return output->direction;
    return column.ends_with("_stddev") ? VMAF_DIRECTION_NONE : VMAF_DIRECTION_HIGHER;
}

const VmafVulkanDeviceInfo *default_vulkan_device()
{
    const std::vector<const VmafVulkanDeviceInfo *> devices = library_vulkan_devices();
    const auto found = std::ranges::find(devices, VMAF_VULKAN_DEVICE_DISCRETE, &VmafVulkanDeviceInfo::type);
    return found == devices.end() ? nullptr : *found;
}

const char *type_text(VmafVulkanDeviceType type)
{
    switch (type) {
    case VMAF_VULKAN_DEVICE_INTEGRATED:
        return "integrated";
    case VMAF_VULKAN_DEVICE_DISCRETE:
        return "discrete";
    case VMAF_VULKAN_DEVICE_VIRTUAL:
        return "virtual";
    case VMAF_VULKAN_DEVICE_SOFTWARE:
        return "software";
    default:
        return "other";
    }
}

const char *type_text(const VmafOptionInfo &option)
{
    switch (option.type) {
    case VMAF_OPTION_BOOL:
        return "bool";
    case VMAF_OPTION_INT:
        return "int";
    case VMAF_OPTION_DOUBLE:
        return "real";
    default:
        return "text";
    }
}

std::string default_text(const VmafOptionInfo &option)
{
    const double value = option.default_number;
    if (option.type == VMAF_OPTION_TEXT)
        return option.default_text;
    if (option.type == VMAF_OPTION_BOOL)
        return value != 0 ? "true" : "false";
    return option.least <= value && value <= option.most ? number_text(value) : "";
}

std::string range_text(const VmafOptionInfo &option)
{
    if (option.type != VMAF_OPTION_INT && option.type != VMAF_OPTION_DOUBLE)
        return "";
    const double largest =
        option.type == VMAF_OPTION_INT ? std::numeric_limits<int>::max() : std::numeric_limits<double>::max();
    const std::string least = option.least <= -largest ? "" : number_text(option.least);
    const std::string most = option.most >= largest ? "" : number_text(option.most);
    return least + ".." + most;
}

} // namespace vmaf::tool
