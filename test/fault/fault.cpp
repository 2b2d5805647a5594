#include "fault/fault.h"

#include <algorithm>
#include <cerrno>

namespace vmaf::test {
namespace {

constexpr const char *kAskForName = "cuGetErrorName";

const char *name_of(int result)
{
    switch (result) {
    case kOutOfMemory:
        return "CUDA_ERROR_OUT_OF_MEMORY";
    case kIllegalAddress:
        return "CUDA_ERROR_ILLEGAL_ADDRESS";
    case kUnknown:
        return "CUDA_ERROR_UNKNOWN";
    case kVulkanHostMemory:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case kVulkanDeviceMemory:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case kVulkanDeviceLost:
        return "VK_ERROR_DEVICE_LOST";
    default:
        return "?";
    }
}

bool is_vulkan(const std::string &symbol)
{
    return symbol.starts_with("vk");
}

/// cuMemAlloc_v2 is called cuMemAlloc in the sources, and vkMapMemory is a member MapMemory.
std::string name_in_sources(std::string symbol)
{
    if (is_vulkan(symbol))
        return "(vk|[a-z_()>.-]*)" + symbol.substr(2);
    if (symbol.ends_with("_v2"))
        symbol.resize(symbol.size() - 3);
    return symbol;
}

} // namespace

int errno_of(int result)
{
    return result == kOutOfMemory || result == kVulkanHostMemory || result == kVulkanDeviceMemory ? -ENOMEM : -EIO;
}

Faults::Faults(std::vector<Fault> list) : list_(std::move(list))
{
    std::sort(list_.begin(), list_.end(), [](const Fault &a, const Fault &b) { return a.call < b.call; });
    for (const Fault &fault : list_)
        if (fault.name != kAskForName || fault.lasts != Fault::Lasts::once)
            errors_.insert(errno_of(fault.result));
}

bool Faults::all_pass() const
{
    return std::all_of(list_.begin(), list_.end(),
                       [](const Fault &fault) { return fault.lasts == Fault::Lasts::once; });
}

bool Faults::go_on_before(unsigned long call) const
{
    return std::any_of(list_.begin(), list_.end(),
                       [=](const Fault &fault) { return fault.lasts != Fault::Lasts::once && fault.call < call; });
}

bool Faults::only_acquire() const
{
    static const std::set<std::string> calls{"cuInit",
                                             "cuDeviceGetCount",
                                             "cuDeviceGet",
                                             "cuDeviceComputeCapability",
                                             "cuCtxGetDevice",
                                             "cuDevicePrimaryCtxRetain",
                                             "cuMemAlloc_v2",
                                             "cuMemHostAlloc",
                                             "cuPointerGetAttribute",
                                             "cuStreamCreate",
                                             "cuEventCreate",
                                             "cuModuleLoadData",
                                             "cuModuleGetFunction",
                                             "cuMemsetD2D8_v2",
                                             "cuMemsetD2D16_v2",
                                             "cuFuncGetAttribute",
                                             "cuFuncSetAttribute",
                                             "cuDeviceGetAttribute",
                                             kAskForName,
                                             "vkCreateInstance",
                                             "vkEnumeratePhysicalDevices",
                                             "vkCreateDevice",
                                             "vkCreateSemaphore",
                                             "vkCreatePipelineCache",
                                             "vkCreateBuffer",
                                             "vkAllocateMemory",
                                             "vkBindBufferMemory",
                                             "vkMapMemory",
                                             "vkCreateShaderModule",
                                             "vkCreatePipelineLayout",
                                             "vkCreateComputePipelines",
                                             "vkCreateCommandPool",
                                             "vkAllocateCommandBuffers"};
    return std::all_of(list_.begin(), list_.end(), [](const Fault &fault) { return calls.contains(fault.name); });
}

const Fault *Faults::first_in(unsigned long first_call, unsigned long end_call) const
{
    const auto found = std::find_if(list_.begin(), list_.end(), [=](const Fault &fault) {
        return fault.call >= first_call && fault.call < end_call && fault.name != kAskForName;
    });
    return found != list_.end() ? &*found : nullptr;
}

std::string Faults::line_of(const Fault &fault) const
{
    const unsigned long asks = fault.call + 1;
    const bool vulkan = is_vulkan(fault.name);
    const bool nameless = !vulkan && std::any_of(list_.begin(), list_.end(), [=](const Fault &other) {
        return other.call == asks || (other.lasts == Fault::Lasts::from_here_on && other.call < asks);
    });
    return std::string("libvmaf ERROR ") + (vulkan ? "vulkan" : "cuda") +
           ": [a-z0-9_]+\\.(cpp|h):[0-9]+: " + name_in_sources(fault.name) +
           "(\\(.*\\))?: " + (nameless ? "unknown error" : name_of(fault.result)) + " \\(" +
           std::to_string(fault.result) + "\\)";
}

} // namespace vmaf::test
