#include "vulkan/context.h"

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "vulkan/check.h"

namespace vmaf {
namespace {

constexpr std::uint32_t kLeastSharedBytes = 32768;

/// What a device can do (spec vulkan 2), linked for the driver to fill in.
struct Abilities {
    Abilities()
    {
        storage16.pNext = &vulkan12;
        features.pNext = &storage16;
        properties.pNext = &subgroups;
    }
    Abilities(const Abilities &) = delete;
    Abilities &operator=(const Abilities &) = delete;

    /// Null if nothing is missing.
    const char *what_is_missing() const
    {
        if (features.features.shaderInt64 == VK_FALSE)
            return "shaderInt64";
        if (vulkan12.storageBuffer8BitAccess == VK_FALSE)
            return "storageBuffer8BitAccess";
        if (storage16.storageBuffer16BitAccess == VK_FALSE)
            return "storageBuffer16BitAccess";
        if (vulkan12.timelineSemaphore == VK_FALSE)
            return "timelineSemaphore";
        if (vulkan12.bufferDeviceAddress == VK_FALSE)
            return "bufferDeviceAddress";
        if (properties.properties.limits.maxComputeSharedMemorySize < kLeastSharedBytes)
            return "32 KiB of shared memory";
        if ((subgroups.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) == 0 ||
            (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0)
            return "subgroup shuffle";
        return nullptr;
    }

    VkPhysicalDeviceVulkan12Features vulkan12 =
        vulkan_struct<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDevice16BitStorageFeatures storage16 =
        vulkan_struct<VkPhysicalDevice16BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
    VkPhysicalDeviceFeatures2 features =
        vulkan_struct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    VkPhysicalDeviceSubgroupProperties subgroups =
        vulkan_struct<VkPhysicalDeviceSubgroupProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    VkPhysicalDeviceProperties2 properties =
        vulkan_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
};

} // namespace

Result<VulkanContextPtr> VulkanContext::create(unsigned number)
{
    VulkanContextPtr context(new VulkanContext);
    VMAF_TRY_ASSIGN(context->instance_, VulkanInstance::create());
    VMAF_TRY(context->pick_device(number));
    VMAF_TRY(context->check_features());
    VMAF_TRY(context->make_device());
    VMAF_TRY(context->make_timelines());
    VMAF_TRY(context->make_cache());
    return context;
}

Result<VulkanContextPtr> VulkanContext::create(const VulkanClientDevice &client)
{
    VulkanContextPtr context(new VulkanContext);
    context->is_clients_ = true;
    VMAF_TRY_ASSIGN(context->instance_, VulkanInstance::of_client(client.instance));
    context->physical_device_ = client.physical_device;
    context->device_ = client.device;
    context->families_[0] = client.queue_family;
    VMAF_TRY(context->check_features());
    VMAF_TRY_ASSIGN(context->calls_, VulkanDeviceCalls::of(context->instance_.calls(), client.device));
    context->calls_.GetDeviceQueue(client.device, client.queue_family, client.queue_index, &context->queues_[0].queue);
    VMAF_TRY(context->make_timelines());
    VMAF_TRY(context->make_cache());
    return context;
}

VulkanContext::~VulkanContext()
{
    if (compiled_ != VK_NULL_HANDLE)
        calls_.DestroyPipelineCache(device_, compiled_, nullptr);
    for (const Queue &queue : queues_)
        if (queue.timeline != VK_NULL_HANDLE)
            calls_.DestroySemaphore(device_, queue.timeline, nullptr);
    if (!is_clients_ && calls_.DestroyDevice != nullptr)
        calls_.DestroyDevice(device_, nullptr);
}

Status VulkanContext::pick_device(unsigned number)
{
    VMAF_TRY_ASSIGN(const std::vector<VkPhysicalDevice> devices, instance_.devices());
    if (number >= devices.size()) {
        log(LogLevel::info, "vulkan: there is no device %u; devices: %zu", number, devices.size());
        return Status::error(ENODEV);
    }
    physical_device_ = devices[number];
    return {};
}

Status VulkanContext::check_features() const
{
    Abilities abilities;
    instance_.calls().GetPhysicalDeviceProperties2(physical_device_, &abilities.properties);
    const VkPhysicalDeviceProperties &device = abilities.properties.properties;
    const char *missing = "Vulkan 1.2";
    if (device.apiVersion >= VK_API_VERSION_1_2) {
        instance_.calls().GetPhysicalDeviceFeatures2(physical_device_, &abilities.features);
        missing = abilities.what_is_missing();
    }
    if (missing == nullptr)
        return {};
    log(LogLevel::error, "vulkan: %s lacks %s", device.deviceName, missing);
    return Status::error(ENOTSUP);
}

Status VulkanContext::make_device()
{
    std::uint32_t count = 0;
    instance_.calls().GetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    instance_.calls().GetPhysicalDeviceQueueFamilyProperties(physical_device_, &count, families.data());
    const auto find = [&](VkQueueFlags wanted, VkQueueFlags unwanted) {
        return static_cast<std::uint32_t>(std::ranges::find_if(families,
                                                               [=](const VkQueueFamilyProperties &family) {
                                                                   return (family.queueFlags & (wanted | unwanted)) ==
                                                                          wanted;
                                                               }) -
                                          families.begin());
    };
    families_[0] = find(VK_QUEUE_COMPUTE_BIT, 0);
    if (families_[0] == count) {
        log(LogLevel::error, "vulkan: the device lacks a queue that computes");
        return Status::error(ENOTSUP);
    }
    families_[1] = find(VK_QUEUE_TRANSFER_BIT, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    if (families_[1] != count)
        uploads_ = &queues_[1];
    const float priority = 1;
    VkDeviceQueueCreateInfo queues[2];
    for (std::size_t i = 0; i < queue_families().size(); ++i) {
        queues[i] = vulkan_struct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        queues[i].queueFamilyIndex = families_[i];
        queues[i].queueCount = 1;
        queues[i].pQueuePriorities = &priority;
    }
    Abilities used;
    used.features.features.shaderInt64 = VK_TRUE;
    used.vulkan12.storageBuffer8BitAccess = VK_TRUE;
    used.storage16.storageBuffer16BitAccess = VK_TRUE;
    used.vulkan12.timelineSemaphore = VK_TRUE;
    used.vulkan12.bufferDeviceAddress = VK_TRUE;
    auto info = vulkan_struct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &used.features;
    info.queueCreateInfoCount = static_cast<std::uint32_t>(queue_families().size());
    info.pQueueCreateInfos = queues;
    CHECK_VULKAN_RETURN(instance_.calls().CreateDevice(physical_device_, &info, nullptr, &device_));
    VMAF_TRY_ASSIGN(calls_, VulkanDeviceCalls::of(instance_.calls(), device_));
    for (std::size_t i = 0; i < queue_families().size(); ++i)
        calls_.GetDeviceQueue(device_, families_[i], 0, &queues_[i].queue);
    return {};
}

Status VulkanContext::make_timelines()
{
    instance_.calls().GetPhysicalDeviceMemoryProperties(physical_device_, &memory_);
    auto type = vulkan_struct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto info = vulkan_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    info.pNext = &type;
    for (std::size_t i = 0; i < queue_families().size(); ++i)
        CHECK_VULKAN_RETURN(calls_.CreateSemaphore(device_, &info, nullptr, &queues_[i].timeline));
    return {};
}

Status VulkanContext::make_cache()
{
    const auto info = vulkan_struct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    return CHECK_VULKAN(calls_.CreatePipelineCache(device_, &info, nullptr, &compiled_));
}

std::optional<std::uint32_t> VulkanContext::memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted) const
{
    for (std::uint32_t type = 0; type < memory_.memoryTypeCount; ++type)
        if ((allowed >> type & 1) != 0 && (memory_.memoryTypes[type].propertyFlags & wanted) == wanted)
            return type;
    return std::nullopt;
}

// Needs the lock. @param behind null, or another queue: after everything queued there.
Status VulkanContext::submit_to(Queue &queue, VkCommandBuffer commands, const Queue *behind)
{
    const std::uint64_t value = queue.last_submitted + 1;
    const VkPipelineStageFlags everything = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    auto values = vulkan_struct<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    auto info = vulkan_struct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.pNext = &values;
    if (behind != nullptr) {
        values.waitSemaphoreValueCount = info.waitSemaphoreCount = 1;
        values.pWaitSemaphoreValues = &behind->last_submitted;
        info.pWaitSemaphores = &behind->timeline;
        info.pWaitDstStageMask = &everything;
    }
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &queue.timeline;
    CHECK_VULKAN_RETURN(calls_.QueueSubmit(queue.queue, 1, &info, VK_NULL_HANDLE));
    queue.last_submitted = value;
    return {};
}

Status VulkanContext::submit_upload(VkCommandBuffer commands)
{
    const std::lock_guard lock(queue_mutex_);
    return submit_to(*uploads_, commands, nullptr);
}

Result<std::uint64_t> VulkanContext::submit(VkCommandBuffer commands)
{
    const std::lock_guard lock(queue_mutex_);
    VMAF_TRY(submit_to(*kernels_, commands, uploads_ != kernels_ ? uploads_ : nullptr));
    return kernels_->last_submitted;
}

Result<bool> VulkanContext::is_done(std::uint64_t number)
{
    std::uint64_t reached = 0;
    CHECK_VULKAN_RETURN(calls_.GetSemaphoreCounterValue(device_, kernels_->timeline, &reached));
    return reached >= number;
}

Status VulkanContext::wait_for(std::uint64_t number)
{
    return wait_for(*kernels_, number);
}

Status VulkanContext::wait_for(const Queue &queue, std::uint64_t value)
{
    auto info = vulkan_struct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &queue.timeline;
    info.pValues = &value;
    return CHECK_VULKAN(calls_.WaitSemaphores(device_, &info, UINT64_MAX));
}

Status VulkanContext::wait_for_all()
{
    std::uint64_t last[2];
    {
        const std::lock_guard lock(queue_mutex_);
        std::ranges::transform(queues_, last, &Queue::last_submitted);
    }
    for (std::size_t i = 0; i < queue_families().size(); ++i)
        VMAF_TRY(wait_for(queues_[i], last[i]));
    return {};
}

} // namespace vmaf
