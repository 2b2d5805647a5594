#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "vulkan/instance.h"

namespace vmaf {

/// What a client has made itself.
struct VulkanClientDevice {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    std::uint32_t queue_family, queue_index;
};

/// A device with a queue for kernels and, where it has one, another one for copies to it, which
/// then go beside kernels (adr/0013). All sessions of a state share them. Thread-safe.
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
    /// Two families if there are two queues.
    std::span<const std::uint32_t> queue_families() const { return {families_, uploads_ == &queues_[1] ? 2U : 1U}; }
    /// Remembers compiled kernels: one is compiled once for all sessions, and for the check of the
    /// device before them.
    VkPipelineCache compiled() const { return compiled_; }
    /// The first type of those in `allowed` that has all of `wanted`.
    std::optional<std::uint32_t> memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted) const;

    /// The family whose queue takes uploads.
    std::uint32_t upload_family() const { return queue_families().back(); }
    /// Queues copies to the device.
    Status submit_upload(VkCommandBuffer commands);
    /// Queues kernels behind all uploads and kernels queued before, and says the number by which
    /// they are asked for.
    Result<std::uint64_t> submit(VkCommandBuffer commands);
    Result<bool> is_done(std::uint64_t number);
    Status wait_for(std::uint64_t number);
    /// For everything queued so far.
    Status wait_for_all();

  private:
    /// And the timeline that counts what went into it.
    struct Queue {
        VkQueue queue = VK_NULL_HANDLE;
        VkSemaphore timeline = VK_NULL_HANDLE;
        std::uint64_t last_submitted = 0;
    };

    VulkanContext() = default;
    Status pick_device(unsigned number);
    Status check_features() const;
    Status make_device();
    Status make_timelines();
    Status make_cache();
    Status submit_to(Queue &queue, VkCommandBuffer commands, const Queue *behind);
    Status wait_for(const Queue &queue, std::uint64_t value);

    VulkanInstance instance_;
    VulkanDeviceCalls calls_;
    VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    bool is_clients_ = false;
    std::uint32_t families_[2] = {}; ///< of the queues
    Queue queues_[2];
    Queue *const kernels_ = &queues_[0];
    Queue *uploads_ = &queues_[0];
    VkPhysicalDeviceMemoryProperties memory_{};
    VkPipelineCache compiled_ = VK_NULL_HANDLE;
    std::mutex queue_mutex_;
};

using VulkanContextPtr = std::shared_ptr<VulkanContext>;

} // namespace vmaf
