#pragma once

#include <cstddef>

#include "engine/device/staged_frame.h"
#include "vulkan/handles.h"

namespace vmaf {

/// Copies planes of host pictures to the device, as they are scored: samples that do not lie so are
/// normalised and scaled on the way into the memory that is copied from.
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
        VulkanMemory host, device;
        VulkanCommands copy; ///< of all, and then kernels may read it
        std::size_t offset[3] = {};
        DevicePlane plane[3] = {};
    };

    Result<Upload> make_upload(const PictureFormat &format, PlaneMask planes) const;

    VulkanContextPtr context_;
    ReusePool<Upload> uploads_;
};

} // namespace vmaf
