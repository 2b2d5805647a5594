#pragma once

#include "cuda/driver_double/control.h"
#include "libvmaf/libvmaf.h"
#include "support/clips.h"

namespace vmaf::test {

/// The pictures of the fault tests are small, and no two of them have the same samples.
constexpr PictureFormat kFaultFormat{VMAF_PIX_FMT_YUV420P, 8, 64, 48};

/// Writes the samples of that frame's picture, wherever its memory is, without a call of the driver that the double would notice.
void fill_fault_picture(const VmafPicture &picture, bool in_device_memory, Side side, unsigned frame);

} // namespace vmaf::test
