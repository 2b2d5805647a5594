#pragma once

#include <memory>

#include "engine/device/device.h"
#include "feature/vulkan_program.h"
#include "vulkan/handles.h"

namespace vmaf {

struct VulkanBackendOfFeature final : DeviceBackend {
    explicit VulkanBackendOfFeature(std::unique_ptr<VulkanProgram> made) : program(std::move(made)) {}

    std::unique_ptr<VulkanProgram> program;
};

/// Memory that kernels pass results to each other in. They run one after the other.
struct VulkanScratch {
    VulkanMemory memory;
    std::size_t bytes = 0;
};

/// One batch's commands, and its memory for sums and for what kernels know of the frames.
class VulkanWork final : public DeviceWork {
  public:
    static Result<std::unique_ptr<VulkanWork>> create(const VulkanContextPtr &context, const VulkanScratch &scratch);

    Status reserve(const SumsLayout &layout) override;
    Status launch(const SumsLayout &layout, std::span<const StagedFrame> frames) override;
    Result<bool> is_done() override { return context_->is_done(done_); }
    Status wait() override { return context_->wait_for(done_); }
    const std::byte *sums() const override { return host_sums_.mapped; }

  private:
    VulkanWork(VulkanContextPtr context, const VulkanScratch &scratch) : context_(std::move(context)), scratch_(scratch)
    {
    }
    void record(const SumsLayout &layout, std::span<const StagedFrame> frames);
    void record_part(const SumsLayout &layout, std::size_t part, std::span<const StagedFrame> frames);

    VulkanContextPtr context_;
    const VulkanScratch &scratch_;
    VulkanCommands commands_;
    VulkanMemory device_sums_, host_sums_;
    VulkanMemory batches_; ///< one for each part
    std::size_t sums_bytes_ = 0, parts_ = 0;
    FrameOf<DevicePlane> seen_; ///< by one feature of one frame
    std::uint64_t done_ = 0;    ///< its number in the queue
};

} // namespace vmaf
