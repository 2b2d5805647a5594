#pragma once

#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// Where a reader's pictures come from.
class PictureSource {
  public:
    virtual ~PictureSource() = default;

    /// The session that they are for, to which a video may lend its own; null: several.
    virtual VmafContext *get() const = 0;
    /// Pictures of one side that may wait for scoring.
    virtual unsigned queued_pictures() const = 0;
    /// One to be filled. Any thread. The library's error, or 0.
    [[nodiscard]] virtual int fetch(VmafPicture &picture) const = 0;
};

} // namespace vmaf::tool
