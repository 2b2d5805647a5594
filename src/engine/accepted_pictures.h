#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "engine/picture.h"

namespace vmaf {

/// Checks the picture pairs of a session (spec abi 3.3). All pictures have one format and one
/// memory kind. None was preallocated by another session, or is in another device context.
class AcceptedPictures {
  public:
    explicit AcceptedPictures(std::uint64_t session_id) : session_id_(session_id) {}

    /// The session got a device: its context.
    void set_device_context(const void *context) { device_context_ = context; }

    /// -EINVAL with one log line that says what is wrong. @param lender a session whose
    /// preallocated pictures are taken as references too.
    Status check(const VmafPicture &ref, const VmafPicture &dis, std::uint64_t lender) const;
    /// The pair was taken: what follows must be like it.
    void accept(const VmafPicture &ref);

    /// Count pairs as taken whose scores come from another session.
    void count(const PictureFormat &format, unsigned pairs)
    {
        format_ = format;
        pair_count_ += pairs;
    }

    /// Format of the first accepted pair.
    const std::optional<PictureFormat> &format() const { return format_; }
    unsigned pair_count() const { return pair_count_; }

  private:
    Status check_kind(const VmafPicture &ref, const VmafPicture &dis) const;
    Status check_origin(const VmafRef &picture, std::uint64_t lender) const;

    const std::uint64_t session_id_;
    const void *device_context_ = nullptr;
    std::optional<PictureFormat> format_;
    MemoryKind kind_ = MemoryKind::host; ///< kind of the first accepted pair; pinned counts as host
    unsigned pair_count_ = 0;
};

} // namespace vmaf
