#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "vulkan/instance.h"

namespace vmaf {

/// What a client has made itself.
struct VulkanClientDevice {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    std::uint32_t queue_family, queue_index;
};

/// A device with one queue, and the timeline that counts what went into it; all sessions of a state
/// share it. Thread-safe.
class VulkanContext {
  public:
    /// @param number of the device, as the loader lists them. -ENODEV without that one, -ENOTSUP,
    /// with a log line, if it lacks a feature that kernels need.
    static Result<std::shared_ptr<VulkanContext>> create(unsigned number);
    /// The handles stay the client's.
    static Result<std::shared_ptr<VulkanContext>> create(const VulkanClientDevice &client);
    ~VulkanContext();
    VulkanContext(const VulkanContext &) = delete;
    VulkanContext &operator=(const VulkanContext &) = delete;

    const VulkanDeviceCalls &calls() const { return calls_; }
    VkDevice device() const { return device_; }
    VulkanDeviceFacts facts() const { return vulkan_device_facts(instance_.calls(), physical_device_); }
    std::uint32_t queue_family() const { return queue_family_; }
    /// Remembers compiled kernels: one is compiled once for all sessions, and for the check of the
    /// device before them.
    VkPipelineCache compiled() const { return compiled_; }
    /// The first type of those in `allowed` that has all of `wanted`.
    std::optional<std::uint32_t> memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted) const;

    enum class Contents { transfers, batch };
    /// Queues the commands behind everything queued before, and says the timeline's value that
    /// stands behind them.
    Result<std::uint64_t> submit(VkCommandBuffer commands, Contents contents);
    Result<bool> has_reached(std::uint64_t value);
    Status wait_for(std::uint64_t value);
    /// Value that the timeline reaches after everything queued so far.
    std::uint64_t last_submitted() const { return last_submitted_; }
    /// Whether the batch that was queued last is done, whosever it is.
    bool is_idle();

  private:
    VulkanContext() = default;
    Status pick_device(unsigned number);
    Status check_features() const;
    Status make_device();
    Status make_timeline();
    Status make_cache();

    VulkanInstance instance_;
    VulkanDeviceCalls calls_;
    VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    bool is_clients_ = false;
    std::uint32_t queue_family_ = 0;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties memory_{};
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    VkPipelineCache compiled_ = VK_NULL_HANDLE;
    std::mutex queue_mutex_;
    std::atomic<std::uint64_t> last_submitted_{0};
    std::atomic<std::uint64_t> last_batch_{0};
};

using VulkanContextPtr = std::shared_ptr<VulkanContext>;

} // namespace vmaf
