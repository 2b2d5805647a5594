#pragma once

#include <memory>

#include "engine/device/device.h"
#include "engine/vulkan/copies.h"
#include "engine/vulkan/work.h"
#include "libvmaf/libvmaf_vulkan.h"

namespace vmaf {

/// A Vulkan device, for one session. A batch sees whatever was queued before it, by any session of
/// the context (adr/0013). Pictures are in host memory.
class VulkanDevice final : public Device {
  public:
    VulkanDevice(VulkanContextPtr context, VmafVulkanCheck check)
        : context_(std::move(context)), check_(check), copies_(context_)
    {
    }

    const char *name() const override { return "Vulkan device"; }
    const void *context() const override { return context_.get(); }
    Status enter() override { return {}; }
    void leave() override {}

    unsigned most_batch_frames() const override;
    unsigned batch_frames(const PictureFormat &format) const override;
    Result<bool> may_run(const SessionFeature &feature, const PictureFormat &format) const override;
    /// Asks once in the process, for each kind of samples. An error if the device was demanded.
    Result<bool> is_right(const SessionFeature &feature, const PictureFormat &format) const override;
    Result<std::unique_ptr<DeviceBackend>> make_backend(const SessionFeature &feature,
                                                        const PictureFormat &format) override;

    Status open() override { return {}; }
    Result<std::unique_ptr<DeviceWork>> make_work() override;
    void settle() override;

    /// Refuses device memory.
    Status prepare_for(const ForeignPicture &picture) override;
    Status wait_for_client(void *) override { return {}; }
    Result<PlanesOnDevice> upload(const PictureHandle &picture, PlaneMask planes) override
    {
        return copies_.upload(picture, planes);
    }
    Status finish_uploads(unsigned) override { return {}; }
    void forget_uploads() override {}
    Result<PlaneOnHost> download(const PlaneView &plane, const DevicePlane &from) override;
    Result<const void *> mark_transfers() override { return static_cast<const void *>(context_.get()); }
    Status wait_for(const void *) override { return {}; } // a batch waits for all uploads

    /// Host memory that the device copies from directly.
    Result<std::unique_ptr<PictureMemory>> picture_memory(const PictureFormat &format, MemoryKind kind,
                                                          std::uint64_t session_id) override;

    void finish() override { finished_ = context_->wait_for_all(); }
    Status close() override;

  private:
    Status reserve_scratch(std::size_t bytes);

    VulkanContextPtr context_; ///< null once closed
    const VmafVulkanCheck check_;
    VulkanCopies copies_;
    VulkanScratch scratch_;
    Status finished_; ///< whether its last work came to an end
};

} // namespace vmaf
