#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/device/device.h"

namespace vmaf {

/// The preallocated pictures of a device's session (spec cuda 5), and the pools of other sessions
/// that it reads pictures of.
class DevicePools {
  public:
    explicit DevicePools(std::uint64_t session_id) : session_id_(session_id) {}

    /// Replaces the pool. -ENOMEM if not even the first pictures fit.
    /// @param usual_count how many pictures fetch() makes before it would rather wait for one.
    Status preallocate(Device &device, const PictureFormat &format, MemoryKind kind, unsigned usual_count);
    /// From now on at least so many pictures are usual.
    void expect(unsigned usual_count);
    /// As Lane::fetch(). -EINVAL without a pool.
    Result<VmafPicture> fetch(Device &device, bool grow);
    /// As Lane::borrow().
    void borrow(const std::shared_ptr<PicturePool> &pool);
    /// Format of the pool, if there is one.
    const std::optional<PictureFormat> &format() const { return format_; }
    /// Format of the pool, if it is in device memory.
    std::optional<PictureFormat> device_format() const;
    /// The session's end of using them.
    void retire();

  private:
    void drop_idle();

    const std::uint64_t session_id_;
    std::optional<PictureFormat> format_;
    MemoryKind kind_ = MemoryKind::host;
    std::shared_ptr<PicturePool> pool_;
    std::vector<std::shared_ptr<PicturePool>> others_; ///< replaced or borrowed: their pictures may be in use
};

} // namespace vmaf
