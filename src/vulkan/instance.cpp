#include "vulkan/instance.h"

#include <algorithm>
#include <cstdint>

#include "base/log.h"
#include "vulkan/check.h"

namespace vmaf {

Result<VulkanInstance> VulkanInstance::create()
{
    VMAF_TRY_ASSIGN(const VulkanLoader *const loader, VulkanLoader::get());
    auto application = vulkan_struct<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = "libvmaf";
    application.apiVersion = VK_API_VERSION_1_2;
    auto info = vulkan_struct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    VulkanInstance made;
    if (const VkResult result = loader->CreateInstance(&info, nullptr, &made.own_);
        result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        log(LogLevel::info, "vulkan: there is no driver"); // a fact, not a fault
        return Status::error(ENODEV);
    } else {
        VMAF_TRY(vulkan_checked(result, __FILE__, __LINE__, "vkCreateInstance"));
    }
    VMAF_TRY_ASSIGN(made.calls_, VulkanInstanceCalls::of(*loader, made.own_));
    return made;
}

Result<VulkanInstance> VulkanInstance::of_client(VkInstance instance)
{
    VMAF_TRY_ASSIGN(const VulkanLoader *const loader, VulkanLoader::get());
    VulkanInstance made;
    VMAF_TRY_ASSIGN(made.calls_, VulkanInstanceCalls::of(*loader, instance));
    return made;
}

VulkanInstance::~VulkanInstance()
{
    if (own_ != VK_NULL_HANDLE && calls_.DestroyInstance != nullptr)
        calls_.DestroyInstance(own_, nullptr);
}

Result<std::vector<VkPhysicalDevice>> VulkanInstance::devices() const
{
    std::uint32_t count = 0;
    CHECK_VULKAN_RETURN(calls_.EnumeratePhysicalDevices(own_, &count, nullptr));
    std::vector<VkPhysicalDevice> devices(count);
    CHECK_VULKAN_RETURN(calls_.EnumeratePhysicalDevices(own_, &count, devices.data()));
    return devices;
}

VulkanDeviceFacts vulkan_device_facts(const VulkanInstanceCalls &calls, VkPhysicalDevice device)
{
    auto driver = vulkan_struct<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    auto properties = vulkan_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &driver;
    calls.GetPhysicalDeviceProperties2(device, &properties);
    VkPhysicalDeviceMemoryProperties memory{};
    calls.GetPhysicalDeviceMemoryProperties(device, &memory);
    std::uint64_t bytes = 0;
    for (std::uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap)
        if ((memory.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            bytes = std::max(bytes, memory.memoryHeaps[heap].size);
    return {properties.properties.deviceName, properties.properties.deviceType,
            std::string(driver.driverName) + " " + driver.driverInfo, bytes};
}

std::vector<VulkanDeviceFacts> vulkan_devices()
{
    std::vector<VulkanDeviceFacts> facts;
    const Result<VulkanInstance> instance = VulkanInstance::create();
    if (!instance.ok())
        return facts;
    const Result<std::vector<VkPhysicalDevice>> devices = instance.value().devices();
    if (devices.ok())
        for (VkPhysicalDevice device : devices.value())
            facts.push_back(vulkan_device_facts(instance.value().calls(), device));
    return facts;
}

} // namespace vmaf
