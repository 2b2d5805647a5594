#include "vulkan/handles.h"

#include <cstring>
#include <vector>

#include "base/log.h"
#include "vulkan/check.h"

namespace vmaf {
namespace {

constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

/// The fastest that there is; every device has the last one.
std::optional<std::uint32_t> memory_type(const VulkanContext &context, std::uint32_t allowed, VulkanMemoryKind kind)
{
    std::optional<std::uint32_t> type;
    if (kind == VulkanMemoryKind::device)
        type = context.memory_type(allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (kind == VulkanMemoryKind::readback)
        type = context.memory_type(allowed, kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    return type ? type : context.memory_type(allowed, kind == VulkanMemoryKind::device ? 0 : kMapped);
}

} // namespace

Result<VulkanMemory> VulkanMemory::create(const VulkanContextPtr &context, std::size_t bytes, VulkanMemoryKind kind)
{
    const VulkanDeviceCalls &calls = context->calls();
    VulkanMemory memory;
    auto info = vulkan_struct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (const auto families = context->queue_families(); families.size() > 1) {
        info.sharingMode = VK_SHARING_MODE_CONCURRENT;
        info.queueFamilyIndexCount = static_cast<std::uint32_t>(families.size());
        info.pQueueFamilyIndices = families.data();
    }
    VkBuffer buffer = VK_NULL_HANDLE;
    CHECK_VULKAN_RETURN(calls.CreateBuffer(context->device(), &info, nullptr, &buffer));
    memory.buffer = VulkanBuffer(context, buffer);

    VkMemoryRequirements needed{};
    calls.GetBufferMemoryRequirements(context->device(), buffer, &needed);
    const std::optional<std::uint32_t> type = memory_type(*context, needed.memoryTypeBits, kind);
    if (!type) {
        log(LogLevel::error, "vulkan: the device lacks memory that the host can map");
        return Status::error(ENOTSUP);
    }
    auto flags = vulkan_struct<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    auto allocate = vulkan_struct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.pNext = &flags;
    allocate.allocationSize = needed.size;
    allocate.memoryTypeIndex = *type;
    VkDeviceMemory allocation = VK_NULL_HANDLE;
    CHECK_VULKAN_RETURN(calls.AllocateMemory(context->device(), &allocate, nullptr, &allocation));
    memory.allocation = VulkanAllocation(context, allocation);
    CHECK_VULKAN_RETURN(calls.BindBufferMemory(context->device(), buffer, allocation, 0));

    auto address = vulkan_struct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    address.buffer = buffer;
    memory.address = calls.GetBufferDeviceAddress(context->device(), &address);
    if (kind != VulkanMemoryKind::device) {
        void *mapped = nullptr;
        CHECK_VULKAN_RETURN(calls.MapMemory(context->device(), allocation, 0, VK_WHOLE_SIZE, 0, &mapped));
        memory.mapped = static_cast<std::byte *>(mapped);
    }
    return memory;
}

Result<VulkanMemory> VulkanMemory::copy_of(const VulkanContextPtr &context, const void *data, std::size_t bytes)
{
    VMAF_TRY_ASSIGN(VulkanMemory made, create(context, bytes, VulkanMemoryKind::device));
    VMAF_TRY_ASSIGN(const VulkanMemory host, create(context, bytes, VulkanMemoryKind::upload));
    VMAF_TRY_ASSIGN(const VulkanCommands copy, VulkanCommands::create(context, context->queue_families()[0]));
    std::memcpy(host.mapped, data, bytes);
    VMAF_TRY(copy.begin(*context));
    const VkBufferCopy all{0, 0, bytes};
    context->calls().CmdCopyBuffer(copy.get(), host.buffer.get(), made.buffer.get(), 1, &all);
    vulkan_barrier(*context, copy.get(),
                   {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT});
    VMAF_TRY(copy.end(*context));
    VMAF_TRY_ASSIGN(const std::uint64_t done, context->submit(copy.get()));
    VMAF_TRY(context->wait_for(done));
    return made;
}

Result<VulkanCommands> VulkanCommands::create(const VulkanContextPtr &context, std::uint32_t family)
{
    VulkanCommands made;
    auto info = vulkan_struct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    info.queueFamilyIndex = family;
    VkCommandPool pool = VK_NULL_HANDLE;
    CHECK_VULKAN_RETURN(context->calls().CreateCommandPool(context->device(), &info, nullptr, &pool));
    made.pool_ = VulkanCommandPool(context, pool);
    auto allocate = vulkan_struct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    CHECK_VULKAN_RETURN(context->calls().AllocateCommandBuffers(context->device(), &allocate, &made.commands_));
    return made;
}

Status VulkanCommands::begin(const VulkanContext &context) const
{
    CHECK_VULKAN_RETURN(context.calls().ResetCommandPool(context.device(), pool_.get(), 0));
    const auto info = vulkan_struct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    return CHECK_VULKAN(context.calls().BeginCommandBuffer(commands_, &info));
}

Status VulkanCommands::end(const VulkanContext &context) const
{
    return CHECK_VULKAN(context.calls().EndCommandBuffer(commands_));
}

void vulkan_barrier(const VulkanContext &context, VkCommandBuffer commands, const VulkanBarrier &barrier)
{
    auto memory = vulkan_struct<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    memory.srcAccessMask = barrier.from_access;
    memory.dstAccessMask = barrier.to_access;
    context.calls().CmdPipelineBarrier(commands, barrier.from_stage, barrier.to_stage, 0, 1, &memory, 0, nullptr, 0,
                                       nullptr);
}

void vulkan_kernel_barrier(const VulkanContext &context, VkCommandBuffer commands)
{
    vulkan_barrier(context, commands,
                   {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT});
}

Result<VulkanKernel> VulkanKernel::create(const VulkanContextPtr &context, std::span<const std::uint32_t> spirv,
                                          std::span<const std::uint32_t> constants)
{
    const VulkanDeviceCalls &calls = context->calls();
    auto code = vulkan_struct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    code.codeSize = spirv.size_bytes();
    code.pCode = spirv.data();
    VkShaderModule module = VK_NULL_HANDLE;
    CHECK_VULKAN_RETURN(calls.CreateShaderModule(context->device(), &code, nullptr, &module));
    const VulkanShader shader(context, module);

    VulkanKernel kernel;
    const VkPushConstantRange arguments{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Arguments)};
    auto layout_info = vulkan_struct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    layout_info.pushConstantRangeCount = 1;
    layout_info.pPushConstantRanges = &arguments;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    CHECK_VULKAN_RETURN(calls.CreatePipelineLayout(context->device(), &layout_info, nullptr, &layout));
    kernel.layout_ = VulkanPipelineLayout(context, layout);

    std::vector<VkSpecializationMapEntry> entries;
    for (std::uint32_t i = 0; i < constants.size(); ++i)
        entries.push_back({i, static_cast<std::uint32_t>(i * sizeof(std::uint32_t)), sizeof(std::uint32_t)});
    const VkSpecializationInfo values{static_cast<std::uint32_t>(entries.size()), entries.data(),
                                      constants.size_bytes(), constants.data()};
    auto info = vulkan_struct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &values;
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    CHECK_VULKAN_RETURN(
        calls.CreateComputePipelines(context->device(), context->compiled(), 1, &info, nullptr, &pipeline));
    kernel.pipeline_ = VulkanPipeline(context, pipeline);
    return kernel;
}

void VulkanKernel::record(const VulkanContext &context, VkCommandBuffer commands, const Arguments &arguments,
                          unsigned x, unsigned y, unsigned z) const
{
    const VulkanDeviceCalls &calls = context.calls();
    calls.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
    calls.CmdPushConstants(commands, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof arguments, arguments.data());
    calls.CmdDispatch(commands, x, y, z);
}

} // namespace vmaf
