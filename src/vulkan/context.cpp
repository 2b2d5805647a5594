#include "vulkan/context.h"

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
    VMAF_TRY(context->make_timeline());
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
    context->queue_family_ = client.queue_family;
    VMAF_TRY(context->check_features());
    VMAF_TRY_ASSIGN(context->calls_, VulkanDeviceCalls::of(context->instance_.calls(), client.device));
    context->calls_.GetDeviceQueue(client.device, client.queue_family, client.queue_index, &context->queue_);
    VMAF_TRY(context->make_timeline());
    VMAF_TRY(context->make_cache());
    return context;
}

VulkanContext::~VulkanContext()
{
    if (compiled_ != VK_NULL_HANDLE)
        calls_.DestroyPipelineCache(device_, compiled_, nullptr);
    if (timeline_ != VK_NULL_HANDLE)
        calls_.DestroySemaphore(device_, timeline_, nullptr);
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
    while (queue_family_ < count && (families[queue_family_].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)
        ++queue_family_;
    if (queue_family_ == count) {
        log(LogLevel::error, "vulkan: the device lacks a queue that computes");
        return Status::error(ENOTSUP);
    }
    const float priority = 1;
    auto queue = vulkan_struct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = queue_family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    Abilities used;
    used.features.features.shaderInt64 = VK_TRUE;
    used.vulkan12.storageBuffer8BitAccess = VK_TRUE;
    used.storage16.storageBuffer16BitAccess = VK_TRUE;
    used.vulkan12.timelineSemaphore = VK_TRUE;
    used.vulkan12.bufferDeviceAddress = VK_TRUE;
    auto info = vulkan_struct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &used.features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    CHECK_VULKAN_RETURN(instance_.calls().CreateDevice(physical_device_, &info, nullptr, &device_));
    VMAF_TRY_ASSIGN(calls_, VulkanDeviceCalls::of(instance_.calls(), device_));
    calls_.GetDeviceQueue(device_, queue_family_, 0, &queue_);
    return {};
}

Status VulkanContext::make_timeline()
{
    instance_.calls().GetPhysicalDeviceMemoryProperties(physical_device_, &memory_);
    auto type = vulkan_struct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto info = vulkan_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    info.pNext = &type;
    return CHECK_VULKAN(calls_.CreateSemaphore(device_, &info, nullptr, &timeline_));
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

Result<std::uint64_t> VulkanContext::submit(VkCommandBuffer commands, Contents contents)
{
    const std::lock_guard lock(queue_mutex_);
    const std::uint64_t value = last_submitted_ + 1;
    auto values = vulkan_struct<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    auto info = vulkan_struct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.pNext = &values;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &timeline_;
    CHECK_VULKAN_RETURN(calls_.QueueSubmit(queue_, 1, &info, VK_NULL_HANDLE));
    last_submitted_ = value;
    if (contents == Contents::batch)
        last_batch_ = value;
    return value;
}

Result<bool> VulkanContext::has_reached(std::uint64_t value)
{
    std::uint64_t reached = 0;
    CHECK_VULKAN_RETURN(calls_.GetSemaphoreCounterValue(device_, timeline_, &reached));
    return reached >= value;
}

Status VulkanContext::wait_for(std::uint64_t value)
{
    auto info = vulkan_struct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline_;
    info.pValues = &value;
    return CHECK_VULKAN(calls_.WaitSemaphores(device_, &info, UINT64_MAX));
}

bool VulkanContext::is_idle()
{
    const LogSilence silence; // whoever sends work next hears of a driver that fails
    const Result<bool> reached = has_reached(last_batch_);
    return reached.ok() && reached.value();
}

} // namespace vmaf
