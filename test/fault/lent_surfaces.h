#pragma once

#include <deque>

#include "libvmaf/libvmaf_ext.h"
#include "support/clips.h"

namespace vmaf::test {

/// NV12 pictures that a client lends to one session, in host or device memory, and how often each
/// came back.
class LentSurfaces {
  public:
    /// What is to be wrapped: the samples of that frame's picture (test_pictures.h). Scored in the
    /// size of `scored`.
    VmafForeignPicture add(const PictureFormat &format, const PictureFormat &scored, bool in_device_memory, Side side,
                           unsigned frame);
    /// It was not taken.
    void drop_last();
    /// Whether every picture came back once.
    bool all_released_once() const;

  private:
    struct Surface {
        std::vector<std::byte> host;
        void *memory = nullptr; ///< wherever it is
        std::size_t bytes = 0;
        bool is_on_a_device = false;
        unsigned releases = 0;
    };
    static void release(void *surface);

    std::deque<Surface> surfaces_;
};

} // namespace vmaf::test
