#pragma once

#include "base/result.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

namespace vmaf {

/// Entry points in use, without their "vk": those that need no instance, those of an instance, and
/// those of a device.
#define VMAF_VULKAN_GLOBAL_ENTRY_POINTS(X)                                                                             \
    X(EnumerateInstanceVersion)                                                                                        \
    X(CreateInstance)
#define VMAF_VULKAN_INSTANCE_ENTRY_POINTS(X)                                                                           \
    X(DestroyInstance)                                                                                                 \
    X(EnumeratePhysicalDevices)                                                                                        \
    X(GetPhysicalDeviceProperties2)                                                                                    \
    X(GetPhysicalDeviceFeatures2)                                                                                      \
    X(GetPhysicalDeviceMemoryProperties)                                                                               \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                                          \
    X(CreateDevice)                                                                                                    \
    X(GetDeviceProcAddr)
#define VMAF_VULKAN_DEVICE_ENTRY_POINTS(X)                                                                             \
    X(DestroyDevice)                                                                                                   \
    X(GetDeviceQueue)                                                                                                  \
    X(QueueSubmit)                                                                                                     \
    X(CreateSemaphore)                                                                                                 \
    X(DestroySemaphore)                                                                                                \
    X(GetSemaphoreCounterValue)                                                                                        \
    X(WaitSemaphores)                                                                                                  \
    X(CreateBuffer)                                                                                                    \
    X(DestroyBuffer)                                                                                                   \
    X(GetBufferMemoryRequirements)                                                                                     \
    X(GetBufferDeviceAddress)                                                                                          \
    X(AllocateMemory)                                                                                                  \
    X(FreeMemory)                                                                                                      \
    X(BindBufferMemory)                                                                                                \
    X(MapMemory)                                                                                                       \
    X(CreateShaderModule)                                                                                              \
    X(DestroyShaderModule)                                                                                             \
    X(CreatePipelineLayout)                                                                                            \
    X(DestroyPipelineLayout)                                                                                           \
    X(CreatePipelineCache)                                                                                             \
    X(DestroyPipelineCache)                                                                                            \
    X(CreateComputePipelines)                                                                                          \
    X(DestroyPipeline)                                                                                                 \
    X(CreateCommandPool)                                                                                               \
    X(DestroyCommandPool)                                                                                              \
    X(ResetCommandPool)                                                                                                \
    X(AllocateCommandBuffers)                                                                                          \
    X(BeginCommandBuffer)                                                                                              \
    X(EndCommandBuffer)                                                                                                \
    X(CmdPipelineBarrier)                                                                                              \
    X(CmdCopyBuffer)                                                                                                   \
    X(CmdFillBuffer)                                                                                                   \
    X(CmdBindPipeline)                                                                                                 \
    X(CmdPushConstants)                                                                                                \
    X(CmdDispatch)

#define VMAF_VULKAN_ENTRY_POINT(name) PFN_vk##name name = nullptr;
#define VMAF_VULKAN_FILL(name) fill("vk" #name, name) &&

/// The loader, opened at run time: the one place that knows libvulkan.
struct VulkanLoader {
    /// Opened at the first call in the process and kept for its life; a failed attempt is repeated
    /// by the next call. @return -ENODEV without a loader or one older than Vulkan 1.2 (said at
    /// info level).
    static Result<const VulkanLoader *> get();

    PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
    VMAF_VULKAN_GLOBAL_ENTRY_POINTS(VMAF_VULKAN_ENTRY_POINT)
};

struct VulkanInstanceCalls {
    /// -ENOSYS, with a log line, if one is missing.
    static Result<VulkanInstanceCalls> of(const VulkanLoader &loader, VkInstance instance);

    VMAF_VULKAN_INSTANCE_ENTRY_POINTS(VMAF_VULKAN_ENTRY_POINT)
    /// Calls fill(name, entry point) until that is false, which is returned.
    template <class Fill> bool fill_all(Fill &&fill)
    {
        return VMAF_VULKAN_INSTANCE_ENTRY_POINTS(VMAF_VULKAN_FILL) true;
    }
};

struct VulkanDeviceCalls {
    /// Finds the device's functions.
    static Result<VulkanDeviceCalls> of(const VulkanInstanceCalls &instance, VkDevice device);

    VMAF_VULKAN_DEVICE_ENTRY_POINTS(VMAF_VULKAN_ENTRY_POINT)
    /// As above.
    template <class Fill> bool fill_all(Fill &&fill) { return VMAF_VULKAN_DEVICE_ENTRY_POINTS(VMAF_VULKAN_FILL) true; }
};

#undef VMAF_VULKAN_FILL
#undef VMAF_VULKAN_ENTRY_POINT

/// An argument of a call: all zero but for its type.
template <class Struct> Struct vulkan_struct(VkStructureType type)
{
    Struct made{};
    made.sType = type;
    return made;
}

} // namespace vmaf
