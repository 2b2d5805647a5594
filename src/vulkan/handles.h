#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "vulkan/context.h"

namespace vmaf {

/// Owns a handle of a device, which lives at least as long.
template <class Handle, auto kDestroy> class VulkanOwner {
  public:
    VulkanOwner() = default;
    VulkanOwner(VulkanContextPtr context, Handle handle) : context_(std::move(context)), handle_(handle) {}
    VulkanOwner(VulkanOwner &&other) noexcept
        : context_(std::move(other.context_)), handle_(std::exchange(other.handle_, Handle{}))
    {
    }
    VulkanOwner &operator=(VulkanOwner other) noexcept
    {
        std::swap(context_, other.context_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~VulkanOwner()
    {
        if (handle_ != Handle{})
            (context_->calls().*kDestroy)(context_->device(), handle_, nullptr);
    }

    Handle get() const { return handle_; }

  private:
    VulkanContextPtr context_;
    Handle handle_{};
};

using VulkanBuffer = VulkanOwner<VkBuffer, &VulkanDeviceCalls::DestroyBuffer>;
using VulkanAllocation = VulkanOwner<VkDeviceMemory, &VulkanDeviceCalls::FreeMemory>;
using VulkanCommandPool = VulkanOwner<VkCommandPool, &VulkanDeviceCalls::DestroyCommandPool>;
using VulkanShader = VulkanOwner<VkShaderModule, &VulkanDeviceCalls::DestroyShaderModule>;
using VulkanPipelineLayout = VulkanOwner<VkPipelineLayout, &VulkanDeviceCalls::DestroyPipelineLayout>;
using VulkanPipeline = VulkanOwner<VkPipeline, &VulkanDeviceCalls::DestroyPipeline>;

/// Where memory lies: on the device; or mapped for the host, to write to or to read from.
enum class VulkanMemoryKind { device, upload, readback };

/// Memory that kernels and copies reach.
struct VulkanMemory {
    /// @param bytes not 0.
    static Result<VulkanMemory> create(const VulkanContextPtr &context, std::size_t bytes, VulkanMemoryKind kind);
    /// On the device, with a copy of those bytes, which kernels see.
    static Result<VulkanMemory> copy_of(const VulkanContextPtr &context, const void *data, std::size_t bytes);

    VulkanAllocation allocation; ///< outlives the buffer
    VulkanBuffer buffer;
    std::uint64_t address = 0;   ///< for kernels, aligned to 16 bytes
    std::byte *mapped = nullptr; ///< null: on the device
};

/// A command buffer. One thread uses it at a time.
class VulkanCommands {
  public:
    /// @param family one of the context's; of the queue that takes them.
    static Result<VulkanCommands> create(const VulkanContextPtr &context, std::uint32_t family);

    VkCommandBuffer get() const { return commands_; }
    /// Forgets what was recorded. Nothing of it waits or runs.
    Status begin(const VulkanContext &context) const;
    Status end(const VulkanContext &context) const;

  private:
    VulkanCommandPool pool_;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

/// What came before in the queue, of that stage and access, is seen by what comes behind.
struct VulkanBarrier {
    VkPipelineStageFlags from_stage;
    VkAccessFlags from_access;
    VkPipelineStageFlags to_stage;
    VkAccessFlags to_access;
};
void vulkan_barrier(const VulkanContext &context, VkCommandBuffer commands, const VulkanBarrier &barrier);
/// Kernels that come behind see what those before wrote.
void vulkan_kernel_barrier(const VulkanContext &context, VkCommandBuffer commands);

/// A shader of kernels/vulkan whose arguments are push constants.
class VulkanKernel {
  public:
    /// As many bytes as every device has.
    using Arguments = std::array<std::byte, 128>;

    /// @param constants values of the specialisation constants 0, 1, ...
    static Result<VulkanKernel> create(const VulkanContextPtr &context, std::span<const std::uint32_t> spirv,
                                       std::span<const std::uint32_t> constants);
    void record(const VulkanContext &context, VkCommandBuffer commands, const Arguments &arguments, unsigned x,
                unsigned y, unsigned z) const;

  private:
    VulkanPipelineLayout layout_;
    VulkanPipeline pipeline_;
};

} // namespace vmaf
