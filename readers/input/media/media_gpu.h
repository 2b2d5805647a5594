#pragma once

#include <string>

#include "input/media/libav.h"

namespace vmaf::tool {

/// The GPU that decodes, opened when the first media file is. Its CUDA context is the device's
/// primary one, which a session on that device uses too: it must be opened before one is.
class MediaGpu {
  public:
    /// @param device as the driver counts them. @param is_demanded a file that it cannot decode is
    /// a failure.
    MediaGpu(unsigned device, bool is_demanded) : device_(device), is_demanded_(is_demanded) {}

    bool is_demanded() const { return is_demanded_; }
    /// Null if it cannot be used.
    AVBufferRef *context();
    /// Free memory of the GPU; 0 if that is not known.
    std::uint64_t free_bytes() const;
    /// Why it cannot.
    const std::string &reason() const { return reason_; }

  private:
    unsigned device_;
    bool is_demanded_;
    bool is_tried_ = false;
    AvBuffer context_;
    std::string reason_;
};

} // namespace vmaf::tool
