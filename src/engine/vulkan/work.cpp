#include "engine/vulkan/work.h"

#include <utility>

#include "engine/session_feature.h"
#include "vulkan/batch.h"

namespace vmaf {

Result<std::unique_ptr<VulkanWork>> VulkanWork::create(const VulkanContextPtr &context, const VulkanScratch &scratch)
{
    std::unique_ptr<VulkanWork> work(new VulkanWork(context, scratch));
    VMAF_TRY_ASSIGN(work->commands_, VulkanCommands::create(context, context->queue_families()[0]));
    return work;
}

Status VulkanWork::reserve(const SumsLayout &layout)
{
    for (const SumsLayout::Part &part : layout.parts())
        seen_.earlier.reserve(part.feature->window().look_back());
    const std::size_t bytes = layout.frame_bytes() * kMaxVulkanBatchFrames;
    if (bytes > sums_bytes_) {
        VMAF_TRY_ASSIGN(VulkanMemory device, VulkanMemory::create(context_, bytes, VulkanMemoryKind::device));
        VMAF_TRY_ASSIGN(VulkanMemory host, VulkanMemory::create(context_, bytes, VulkanMemoryKind::readback));
        device_sums_ = std::move(device);
        host_sums_ = std::move(host);
        sums_bytes_ = bytes;
    }
    if (layout.parts().size() > parts_) {
        VMAF_TRY_ASSIGN(batches_, VulkanMemory::create(context_, layout.parts().size() * sizeof(VulkanBatch),
                                                       VulkanMemoryKind::upload));
        parts_ = layout.parts().size();
    }
    return {};
}

Status VulkanWork::launch(const SumsLayout &layout, std::span<const StagedFrame> frames)
{
    VMAF_TRY(commands_.begin(*context_));
    if (layout.frame_bytes() > 0)
        record(layout, frames);
    VMAF_TRY(commands_.end(*context_));
    VMAF_TRY_ASSIGN(done_, context_->submit(commands_.get()));
    return {};
}

void VulkanWork::record(const SumsLayout &layout, std::span<const StagedFrame> frames)
{
    const VulkanDeviceCalls &calls = context_->calls();
    const std::size_t bytes = layout.frame_bytes() * frames.size();
    calls.CmdFillBuffer(commands_.get(), device_sums_.buffer.get(), 0, bytes, 0);
    vulkan_barrier(*context_, commands_.get(),
                   {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT});
    for (std::size_t part = 0; part < layout.parts().size(); ++part)
        record_part(layout, part, frames);
    vulkan_barrier(*context_, commands_.get(),
                   {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_TRANSFER_READ_BIT});
    const VkBufferCopy all{0, 0, bytes};
    calls.CmdCopyBuffer(commands_.get(), device_sums_.buffer.get(), host_sums_.buffer.get(), 1, &all);
    vulkan_barrier(*context_, commands_.get(),
                   {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT});
}

void VulkanWork::record_part(const SumsLayout &layout, std::size_t part, std::span<const StagedFrame> frames)
{
    const SumsLayout::Part &of = layout.parts()[part];
    const std::size_t offset = part * sizeof(VulkanBatch);
    auto &batch = *reinterpret_cast<VulkanBatch *>(batches_.mapped + offset);
    unsigned count = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Frame::Work *share = frames[i].work_of(*of.feature);
        if (share == nullptr)
            continue;
        see_through(of.feature->window(), frames[i].planes, share->look_back, seen_);
        batch.frames[count++] = {seen_,
                                 {std::as_const(seen_).earlier[0], std::as_const(seen_).earlier[1]},
                                 device_sums_.address + i * layout.frame_bytes() + of.offset};
    }
    if (count == 0)
        return;
    VulkanProgram &program = *static_cast<VulkanBackendOfFeature *>(of.backend)->program;
    if (program.scratch_bytes() > 0)
        vulkan_kernel_barrier(*context_, commands_.get()); // behind whatever used the memory before
    program.record(commands_.get(), {batches_.address + offset, scratch_.memory.address}, count);
}

} // namespace vmaf
