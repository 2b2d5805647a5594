#pragma once

#include "libvmaf/libvmaf.h"

namespace vmaf::test {

struct Script;

/// Public calls that differ between sessions on a CUDA and on a Vulkan device.
struct DeviceApi {
    int (*state_init)(void **state, bool in_clients_context);
    int (*import)(VmafContext *vmaf, void *state);
    /// Whether the script's pictures come from a pool.
    int (*preallocate)(VmafContext *vmaf, const Script &script);
    int (*fetch)(VmafContext *vmaf, VmafPicture *picture);
    int (*state_free)(void *state);
};
extern const DeviceApi kCudaApi;

} // namespace vmaf::test
