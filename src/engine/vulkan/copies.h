#pragma once

#include <cstddef>
#include <utility>

#include "engine/device/staged_frame.h"
#include "engine/picture_pool.h"
#include "vulkan/handles.h"

namespace vmaf {

/// Pictures in host memory that the device copies from. Any session takes them.
class VulkanPictureMemory final : public PictureMemory {
  public:
    VulkanPictureMemory(VulkanContextPtr context, const PictureFormat &format)
        : context_(std::move(context)), format_(format)
    {
    }

    Result<std::unique_ptr<VmafRef>> make(unsigned more) override;

  private:
    const VulkanContextPtr context_;
    const PictureFormat format_;
};

/// Copies planes of host pictures to the device, as they are scored: samples that do not lie so are
/// normalised and scaled on the way into memory that the device copies from. Pictures that lie in
/// such memory are copied from there.
class VulkanCopies {
  public:
    explicit VulkanCopies(VulkanContextPtr context) : context_(std::move(context)) {}

    /// As Device::upload(). Throws std::bad_alloc.
    Result<PlanesOnDevice> upload(const PictureHandle &picture, PlaneMask planes);

    /// The end: the device is idle and nobody looks at a copy any more.
    void close();

  private:
    /// The device's copy of a host picture: the planes of the mask `key`.
    struct Upload {
        PlaneMask key = kNoPlanes;
        VulkanMemory host, device; ///< the former is made when it is needed
        VulkanCommands commands;
        std::size_t bytes = 0;
        std::size_t offset[3] = {};
        std::size_t stride_bytes[3] = {};
    };

    struct Source;

    Result<Upload> make_upload(const PictureFormat &format, PlaneMask planes) const;
    Result<Source> source_of(const PictureHandle &picture, PlaneMask planes, Upload &to) const;

    VulkanContextPtr context_;
    ReusePool<Upload> uploads_;
};

} // namespace vmaf
