#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vulkan/driver.h"

namespace vmaf {

/// An instance of the driver: the library's own, which goes with this, or a client's.
class VulkanInstance {
  public:
    /// -ENODEV, said at info level, without loader or driver.
    static Result<VulkanInstance> create();
    static Result<VulkanInstance> of_client(VkInstance instance);
    VulkanInstance() = default;
    VulkanInstance(VulkanInstance &&other) noexcept
        : calls_(other.calls_), own_(std::exchange(other.own_, VK_NULL_HANDLE))
    {
    }
    VulkanInstance &operator=(VulkanInstance other) noexcept
    {
        std::swap(calls_, other.calls_);
        std::swap(own_, other.own_);
        return *this;
    }
    ~VulkanInstance();

    const VulkanInstanceCalls &calls() const { return calls_; }
    /// Those of an instance of the library's own, in the driver's order.
    Result<std::vector<VkPhysicalDevice>> devices() const;

  private:
    VulkanInstanceCalls calls_;
    VkInstance own_ = VK_NULL_HANDLE;
};

/// What a driver says of a device.
struct VulkanDeviceFacts {
    std::string name;
    VkPhysicalDeviceType type;
    std::string driver;         ///< name and version
    std::uint64_t memory_bytes; ///< of its own
};

VulkanDeviceFacts vulkan_device_facts(const VulkanInstanceCalls &calls, VkPhysicalDevice device);

/// In the order in which VulkanContext::create() counts them. Empty: there is none.
std::vector<VulkanDeviceFacts> vulkan_devices();

} // namespace vmaf
