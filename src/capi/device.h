#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "engine/picture.h"

namespace vmaf {

struct FeatureSpec;

/// The feature that a name with the device's suffix demands ("vif" of "vif_cuda"); empty if the
/// name is none or this build has no such device.
std::string_view demanded_feature(std::string_view name);

/// Whether this build has kernels of the feature.
bool runs_on_cuda(const FeatureSpec &feature);
bool runs_on_vulkan(const FeatureSpec &feature);

struct DropReference {
    void operator()(VmafRef *ref) const { ref->release(); }
};
using HeldPicture = std::unique_ptr<VmafRef, DropReference>;

/// A picture in host memory with the samples of one in device memory, which is the client's and
/// stays so. Waits for the client's work in the stream that the picture names, or else in the
/// default stream. Any thread. Throws std::bad_alloc.
Result<HeldPicture> copy_to_host(const VmafPicture &picture);

} // namespace vmaf
