#pragma once

#include "cuda/driver_double/control.h"
#include "libvmaf/libvmaf.h"
#include "support/clips.h"

namespace vmaf::test {

/// Writes the samples of that frame's picture, in any kind of memory, without a driver call that
/// the double would notice. 8 bits. All pictures of a session differ.
void fill_fault_picture(const VmafPicture &picture, bool in_device_memory, Side side, unsigned frame);

/// Writes the samples of fill_fault_picture() as NV12: packed rows of luma, then of chroma pairs.
void fill_fault_surface(void *memory, const PictureFormat &format, bool in_device_memory, Side side, unsigned frame);

} // namespace vmaf::test
