#pragma once

#include <deque>

#include "libvmaf/libvmaf_ext.h"
#include "support/clips.h"

namespace vmaf::test {

/// NV12 pictures that a client lends to one session, in host or device memory. Counts how often
/// each was released.
class LentSurfaces {
  public:
    /// A picture to wrap, with the samples of that frame (test_pictures.h). It is scored in the
    /// size of `scored`.
    VmafForeignPicture add(const PictureFormat &format, const PictureFormat &scored, bool in_device_memory, Side side,
                           unsigned frame);
    /// The library did not take the picture.
    void drop_last();
    /// Whether every picture was released once.
    bool all_released_once() const;

  private:
    struct Surface {
        std::vector<std::byte> host;
        void *memory = nullptr; ///< in host or device memory
        std::size_t bytes = 0;
        bool is_on_a_device = false;
        unsigned releases = 0;
    };
    static void release(void *surface);

    std::deque<Surface> surfaces_;
};

} // namespace vmaf::test
