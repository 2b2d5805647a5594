#include "listing/lists.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <nlohmann/json.hpp>

#include "common/format.h"
#include "library/lists.h"
#include "scoring/gpu_probe.h"

namespace vmaf::tool {
namespace {

constexpr std::size_t kRangeColumns = 10;

std::size_t longest_option_name()
{
    std::size_t longest = 0;
    for (const VmafFeatureInfo *feature : library_features())
        for (const VmafOptionInfo *option : listed(feature->options))
            longest = std::max(longest, std::string_view(option->name).size());
    return longest;
}

nlohmann::ordered_json backend(const char *name, bool usable, const char *reason)
{
    return {{"name", name}, {"usable", usable}, {"reason", reason}};
}

const char *reason_for(int error)
{
    return error == 0 ? "the first GPU can be used" : error == -ENODEV ? "there is no GPU" : gpu_reason(error);
}

} // namespace

std::string list_of_models()
{
    std::size_t columns = 0;
    for (const VmafModelInfo *model : library_models())
        columns = std::max(columns, std::string_view(model->version).size());
    std::string text;
    for (const VmafModelInfo *model : library_models())
        text += formatted("{:<{}}  {}\n", model->version, columns, model->help);
    return text;
}

std::string list_of_features()
{
    const std::size_t name_columns = longest_option_name();
    std::string text;
    for (const VmafFeatureInfo *feature : library_features()) {
        text += formatted("{}\n", feature->name);
        for (const VmafOptionInfo *option : listed(feature->options)) {
            const std::string value = default_text(*option);
            text += formatted("  {:<{}}  {:4}  {:<8}  {:<{}}  {}\n", option->name, name_columns, type_text(*option),
                              value.empty() ? "-" : value, range_text(*option), kRangeColumns, option->help);
        }
    }
    return text;
}

std::string name_and_memory(const GpuFacts &gpu)
{
    return formatted("{} {} MiB", gpu.name, gpu.memory_bytes >> 20);
}

std::string name_and_memory(const VmafVulkanDeviceInfo &device)
{
    return formatted("{} {} MiB", device.name, device.memory_bytes >> 20);
}

std::string list_of_gpus()
{
    std::string text;
    for (const GpuFacts &gpu : usable_gpus())
        text += formatted("{} {}\n", gpu.index, name_and_memory(gpu));
    for (const VmafVulkanDeviceInfo *device : vulkan_devices())
        text += formatted("vk{} {} ({}, {})\n", device->device, name_and_memory(*device), type_text(device->type),
                          device->driver);
    return text;
}

std::string list_of_backends()
{
    Gpu cuda, vulkan;
    const int cuda_error = open_cuda(GpuUse::if_possible, 0, cuda);
    const int vulkan_error = open_vulkan(GpuUse::if_possible, 0, vulkan);
    nlohmann::ordered_json document;
    document["backends"] = {backend("cpu", true, "it always can"),
                            backend("cuda", cuda_error == 0, reason_for(cuda_error)),
                            backend("vulkan", vulkan_error == 0, reason_for(vulkan_error))};
    return document.dump(2) + '\n';
}

} // namespace vmaf::tool
