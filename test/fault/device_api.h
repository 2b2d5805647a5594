#pragma once

#include "libvmaf/libvmaf.h"

namespace vmaf::test {

struct Script;

/// The public calls in which sessions on a CUDA and on a Vulkan device differ.
struct DeviceApi {
    int (*state_init)(void **state, bool in_clients_context);
    int (*import)(VmafContext *vmaf, void *state);
    /// The script's pictures are of a pool.
    int (*preallocate)(VmafContext *vmaf, const Script &script);
    int (*fetch)(VmafContext *vmaf, VmafPicture *picture);
    int (*state_free)(void *state);
};
extern const DeviceApi kCudaApi;

} // namespace vmaf::test
